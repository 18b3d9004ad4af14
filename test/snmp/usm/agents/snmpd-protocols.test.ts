import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuthProtocolName, PrivProtocolName } from '../../../../src/model/v3-protocols.ts';
import { createManager, type Manager, SnmpError } from '../../../../src/snmp/index.ts';
import type { UserSettings } from '../../../../src/snmp/usm/user/user-settings.ts';
import { missingTool } from '../../../support/needs.ts';
import { type Snmpd, startSnmpd } from '../../../support/snmpd.ts';

const authNames: Readonly<Record<AuthProtocolName, string>> = {
  md5: 'MD5',
  sha: 'SHA',
  sha224: 'SHA-224',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
};
const privNames: Readonly<Record<PrivProtocolName, string>> = {
  des: 'DES',
  aes: 'AES',
  aes192: 'AES-192',
  aes256: 'AES-256',
  aes192c: 'AES192C',
  aes256c: 'AES256C',
};
const secrets = { authPassphrase: 'maplesyrup-auth', privPassphrase: 'maplesyrup-priv' } as const;
const privs = [undefined, ...(Object.keys(privNames) as PrivProtocolName[])];
const users: UserSettings[] = (Object.keys(authNames) as AuthProtocolName[]).flatMap((authProtocol) =>
  privs.map((privProtocol) => ({
    name: `${authProtocol}-${privProtocol ?? 'nopriv'}`,
    authProtocol,
    privProtocol,
    ...secrets,
  })),
);
const conf = users.flatMap(({ name, authProtocol, privProtocol }) => {
  const priv = privProtocol === undefined ? '' : ` ${privNames[privProtocol]} ${secrets.privPassphrase}`;
  const level = privProtocol === undefined ? 'auth' : 'priv';
  return [
    `createUser ${name} ${authNames[authProtocol!]} ${secrets.authPassphrase}${priv}`,
    `rouser ${name} ${level}`,
  ];
});

describe('a real snmpd', { skip: missingTool('snmpd') }, () => {
  let agent: Snmpd;
  let manager: Manager;

  before(async () => {
    agent = await startSnmpd([
      ...conf,
      'createUser nobody',
      'rouser nobody noauth',
      'sysName the one we mean',
    ]);
    manager = createManager();
  });
  after(async () => {
    manager.close();
    await agent[Symbol.asyncDispose]();
  });

  const openAs = (user: UserSettings, timeoutMs = 2000, context?: string, by = manager) =>
    by.open({
      address: '127.0.0.1',
      port: agent.port,
      version: '3',
      user,
      context,
      timeoutMs,
      retries: 0,
    });

  for (const user of [{ name: 'nobody' }, ...users]) {
    it(`answers get and walk of ${user.name}`, async () => {
      const session = openAs(user);
      const [sysName] = await session.get(['1.3.6.1.2.1.1.5.0']);
      assert.equal(String(sysName?.value), 'the one we mean');
      const walked = [];
      for await (const varbinds of session.walk('1.3.6.1.2.1.1')) walked.push(...varbinds);
      assert.ok(walked.length > 20, `${walked.length} varbinds`);
      session.close();
    });
  }

  const sha = users.find((user) => user.name === 'sha-aes')!;
  const refusals: readonly [what: string, UserSettings, SnmpError['code'], advice: RegExp][] = [
    [
      'a wrong authPassphrase',
      { ...sha, authPassphrase: 'not this one' },
      'SNMP_WRONG_DIGEST',
      /Check the authentication passphrase and protocol/,
    ],
    [
      'a wrong authProtocol',
      { ...sha, authProtocol: 'md5' },
      'SNMP_WRONG_DIGEST',
      /Check the authentication passphrase and protocol/,
    ],
    // AES cannot detect a wrong key: snmpd fails to decode the noise and does not answer.
    [
      'a wrong privPassphrase',
      { ...sha, privPassphrase: 'not this one' },
      'SNMP_TIMEOUT',
      /the address is right\. Check the privacy passphrase and protocol of user sha-aes/,
    ],
    ['an unknown user', { ...sha, name: 'stranger' }, 'SNMP_UNKNOWN_USER', /Check the user name/],
    [
      'a security level that the user does not have',
      { ...users[0]!, privProtocol: 'aes' },
      'SNMP_SECURITY_LEVEL',
      /Check the authentication and privacy protocols/,
    ],
  ];
  for (const [what, user, code, advice] of refusals) {
    it(`rejects ${what}, and the error names it without the secret`, async (t) => {
      const fresh = createManager();
      t.after(() => fresh.close());
      await assert.rejects(openAs(user, 500, undefined, fresh).get(['1.3.6.1.2.1.1.5.0']), (error) => {
        assert.ok(error instanceof SnmpError);
        assert.equal(error.code, code);
        assert.match(error.message, advice);
        assert.doesNotMatch(error.message, /maplesyrup|not this one|community/);
        return true;
      });
    });
  }
});
