import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type AuthProtocolName,
  authProtocols,
  type PrivProtocolName,
  privProtocols,
} from '../../../../src/model/v3-protocols.ts';
import type { UserSettings } from '../../../../src/snmp/usm/user/user-settings.ts';
import { engineId, requestPdu, SecuredPair } from '../secured-pair.ts';

const users: UserSettings[] = [{ name: 'nobody' }];
for (const authProtocol of Object.keys(authProtocols) as AuthProtocolName[]) {
  const auth = { name: `user-${authProtocol}`, authProtocol, authPassphrase: 'maplesyrup-auth' };
  users.push(auth);
  for (const privProtocol of Object.keys(privProtocols) as PrivProtocolName[]) {
    users.push({ ...auth, privProtocol, privPassphrase: 'maplesyrup-priv' });
  }
}

describe('UserSecurity', () => {
  for (const user of users) {
    it(`opens what was sealed: ${user.authProtocol ?? 'no auth'}, ${user.privProtocol ?? 'no priv'}`, () => {
      const pair = new SecuredPair(user, 'a context');
      pair.discover();
      fc.assert(
        fc.property(
          fc.uint8Array({ maxLength: 700 }),
          fc.integer({ min: 1, max: 0x7fffffff }),
          (body, id) => {
            const pdu = (tag: number) =>
              Buffer.concat([Buffer.of(tag, 0x82, body.length >> 8, body.length & 0xff), body]);
            const sealed = pair.security.seal(pair.peer, id, pdu(0xa0), pair.nowMs)!;
            const request = pair.agent.receive(sealed);
            assert.ok(request.kind === 'request', JSON.stringify(request));
            assert.equal(request.messageId, id);
            assert.equal(request.userName, user.name);
            assert.equal(request.contextName.toString(), 'a context');
            assert.deepEqual(request.contextEngineId, engineId);
            assert.deepEqual(request.octets.subarray(request.start, request.end), pdu(0xa0));
            const opened = pair.open(pair.agent.respond(request, pdu(0xa2)));
            assert.ok(typeof opened !== 'string' && opened.kind === 'response', JSON.stringify(opened));
            assert.deepEqual(opened.octets.subarray(opened.start, opened.end), pdu(0xa2));
          },
        ),
        { numRuns: 25 },
      );
    });
  }

  it('needs only a discovery when the engine includes its time in the Report', () => {
    const pair = new SecuredPair();
    assert.equal(pair.security.seal(pair.peer, 1, requestPdu, 0), undefined);
    pair.discover();
    pair.exchange();
  });

  it('uses a different salt for every message', () => {
    const pair = new SecuredPair();
    pair.discover();
    const salts = new Set<string>();
    for (let i = 0; i < 1000; i++) {
      const message = pair.security.read(pair.seal());
      assert.ok(typeof message !== 'string');
      salts.add(message.octets.toString('hex', message.saltStart, message.saltEnd));
    }
    assert.equal(salts.size, 1000);
  });

  it('does not change a received datagram', () => {
    const pair = new SecuredPair();
    pair.discover();
    const reply = pair.agent.respond(pair.ask(), requestPdu);
    const before = Buffer.from(reply);
    assert.equal(pair.open(reply), 'pduType');
    assert.deepEqual(reply, before);
  });
});
