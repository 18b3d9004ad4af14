import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PreparedUsers } from '../../../../src/snmp/usm/user/prepared-users.ts';

const user = {
  name: 'operator',
  authProtocol: 'sha',
  authPassphrase: 'maplesyrup',
  privProtocol: 'aes',
  privPassphrase: 'pancakes!',
} as const;

describe('prepared users', () => {
  it('are shared by equal settings only', () => {
    const users = new PreparedUsers();
    const known = users.get(user);
    assert.equal(users.get({ ...user }), known);
    for (const change of [
      { name: 'other' },
      { authProtocol: 'sha256' },
      { authPassphrase: 'maplesyruq' },
      { privProtocol: 'des' },
      { privPassphrase: 'pancakes?' },
    ] as const) {
      assert.notDeepEqual(users.get({ ...user, ...change }), known, Object.keys(change)[0]);
    }
  });

  it('are rejected each time when their settings are wrong', () => {
    const users = new PreparedUsers();
    for (let i = 0; i < 2; i++) {
      assert.throws(() => users.get({ ...user, authPassphrase: '' }), /no authPassphrase/);
    }
  });
});
