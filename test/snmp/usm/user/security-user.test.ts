import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authProtocols } from '../../../../src/model/v3-protocols.ts';
import { MasterKeys } from '../../../../src/snmp/usm/user/master-keys.ts';
import { prepareUser } from '../../../../src/snmp/usm/user/security-user.ts';
import type { UserSettings } from '../../../../src/snmp/usm/user/user-settings.ts';

const keyless: UserSettings = { name: 'operator', authProtocol: 'sha', privProtocol: 'aes' };

describe('a user', () => {
  it('has the security level of its protocols', () => {
    const masterKeys = new MasterKeys();
    const auth = { name: 'a', authProtocol: 'md5', authPassphrase: 'maplesyrup' } as const;
    assert.equal(prepareUser({ name: 'a' }, masterKeys).level, 0);
    assert.equal(prepareUser(auth, masterKeys).level, 1);
    assert.equal(prepareUser({ ...auth, privProtocol: 'des', privPassphrase: 'p' }, masterKeys).level, 3);
  });

  it('is rejected with a sentence that names the setting but no secret', () => {
    const masterKeys = new MasterKeys();
    const refused: readonly [UserSettings, RegExp][] = [
      [{ name: '' }, /1 to 32 octets/],
      [{ name: 'x'.repeat(33) }, /has 33/],
      [{ name: 'a', privProtocol: 'aes', privPassphrase: 'secret' }, /a privProtocol but no authProtocol/],
      [
        { ...keyless, authProtocol: 'toString' as 'sha' },
        /unknown authProtocol "toString": use one of md5, sha,/,
      ],
      [keyless, /no authPassphrase/],
      [{ ...keyless, authPassphrase: 'secret' }, /no privPassphrase/],
    ];
    for (const [settings, sentence] of refused) {
      assert.throws(
        () => prepareUser(settings, masterKeys),
        (error: Error) =>
          error instanceof RangeError && sentence.test(error.message) && !/secret/.test(error.message),
      );
    }
  });
});

describe('master keys', () => {
  it('are derived once for each digest and passphrase', () => {
    const masterKeys = new MasterKeys();
    const key = masterKeys.get(authProtocols.sha, 'maplesyrup');
    assert.equal(masterKeys.get(authProtocols.sha, 'maplesyrup'), key);
    assert.notDeepEqual(masterKeys.get(authProtocols.sha256, 'maplesyrup'), key);
  });

  it('are dropped, the oldest first, when there are too many', () => {
    const masterKeys = new MasterKeys(2);
    const first = masterKeys.get(authProtocols.md5, 'one');
    masterKeys.get(authProtocols.md5, 'two');
    masterKeys.get(authProtocols.md5, 'three');
    assert.notEqual(masterKeys.get(authProtocols.md5, 'one'), first);
  });

  it('are prepared one per turn of the event loop, so that timers and sockets keep running', async () => {
    const users = Array.from({ length: 30 }, (_, i) => ({
      ...keyless,
      authPassphrase: `auth-${i}`,
      privPassphrase: `priv-${i}`,
    }));
    let turns = 0;
    const count = () => {
      turns++;
      turning = setImmediate(count);
    };
    let turning = setImmediate(count);
    const masterKeys = new MasterKeys();
    await masterKeys.prepare([{ name: 'nobody' }, ...users]);
    const firstTurns = turns;
    assert.ok(firstTurns >= 60, `${firstTurns} turns`);
    await masterKeys.prepare(users);
    clearImmediate(turning);
    assert.equal(turns, firstTurns, 'nothing is derived twice');
  });
});
