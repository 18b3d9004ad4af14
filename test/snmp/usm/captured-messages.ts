import { readFileSync } from 'node:fs';
import type { AuthProtocolName, PrivProtocolName } from '../../../src/model/v3-protocols.ts';
import { MasterKeys } from '../../../src/snmp/usm/user/master-keys.ts';
import { prepareUser, type SecurityUser } from '../../../src/snmp/usm/user/security-user.ts';

/** A message from net-snmp's snmpget or snmpd. Encrypted or signed messages have the last five fields. */
export interface CapturedMessage {
  readonly auth: string;
  readonly priv: string;
  readonly dir: 'request' | 'response';
  readonly message: string;
  readonly msgID: number;
  readonly msgFlags: number;
  readonly engineID: string;
  readonly engineBoots: number;
  readonly engineTime: number;
  readonly userName: string;
  readonly authParams: string;
  readonly privParams: string;
  readonly localizedAuthKey?: string;
  readonly localizedPrivKey?: string;
  readonly scopedPduPlain?: string;
}

const authNames: Readonly<Record<string, AuthProtocolName>> = {
  MD5: 'md5',
  SHA: 'sha',
  'SHA-224': 'sha224',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};
const privNames: Readonly<Record<string, PrivProtocolName>> = {
  DES: 'des',
  AES: 'aes',
  'AES-192': 'aes192',
  'AES-256': 'aes256',
};

export const capturedMessages: readonly CapturedMessage[] = JSON.parse(
  readFileSync(new URL('usm-messages.json', import.meta.url), 'utf8'),
).vectors;

export const securedMessages = capturedMessages.filter((captured) => captured.scopedPduPlain !== undefined);

const masterKeys = new MasterKeys();

/** The user of the message. */
export function userOf(captured: CapturedMessage): SecurityUser {
  return prepareUser(
    {
      name: captured.userName || 'nobody',
      authProtocol: authNames[captured.auth],
      authPassphrase: 'maplesyrup-auth',
      privProtocol: privNames[captured.priv],
      privPassphrase: 'maplesyrup-priv',
    },
    masterKeys,
  );
}

export function titleOf(captured: CapturedMessage): string {
  return `${captured.auth} ${captured.priv} ${captured.dir} ${captured.msgID}`;
}
