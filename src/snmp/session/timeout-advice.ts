import { type SecurityLevel, securityLevel } from '../usm/user/security-level.ts';

interface SilentUser {
  readonly name: string;
  readonly level: SecurityLevel;
  /** The agent has reported its engine ID, and never answered this user. */
  readonly hasOnlyReported: boolean;
}

/**
 * What to check when no reply came; without a user, the request had a community. Many agents do not answer a message that they
 * cannot decrypt: AES does not detect a wrong key, and the agent drops the noise.
 */
export function adviseOnTimeout(user?: SilentUser): string {
  if (user === undefined)
    return 'Check the address, the community, the access list of the device, and the network.';
  const secret = `${suspects[user.level]} of user ${user.name}`;
  return user.hasOnlyReported
    ? `It has reported its engine ID, so the address is right. Check ${secret}, and the access of that user.`
    : `Check the address, ${secret}, the access list of the device, and the network.`;
}

const suspects: Readonly<Record<SecurityLevel, string>> = {
  [securityLevel.noAuthNoPriv]: 'the name',
  [securityLevel.authNoPriv]: 'the authentication passphrase and protocol',
  [securityLevel.authPriv]: 'the privacy passphrase and protocol',
};
