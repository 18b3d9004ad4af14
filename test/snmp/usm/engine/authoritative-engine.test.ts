import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReportReason } from '../../../../src/snmp/usm/message/report-reason.ts';
import { type OutgoingMessage, V3Codec } from '../../../../src/snmp/usm/message/v3-codec.ts';
import { localizeUser, prepareUser } from '../../../../src/snmp/usm/user/security-user.ts';
import { authPrivUser, engineId, masterKeys, requestPdu, SecuredPair } from '../secured-pair.ts';

const codec = new V3Codec();
const user = prepareUser(authPrivUser, masterKeys);
const keys = localizeUser(user, engineId);
const request: OutgoingMessage = {
  messageId: 7,
  flags: 7,
  engineId,
  boots: 1,
  time: 1000,
  userName: user.name,
  keys,
  salt: Buffer.alloc(8, 3),
  contextEngineId: engineId,
  contextName: Buffer.from('here'),
  pdu: requestPdu,
};

const refusals: readonly [what: string, Partial<OutgoingMessage>, ReportReason][] = [
  ['another engine ID', { engineId: Buffer.from('8000000001', 'hex') }, 'unknownEngineIDs'],
  ['an unknown user', { userName: Buffer.from('stranger') }, 'unknownUserNames'],
  ['wrong keys', { keys: localizeUser(user, Buffer.from('8000000001', 'hex')) }, 'wrongDigests'],
  ['a time behind the window', { time: 849 }, 'notInTimeWindows'],
  ['a time ahead of the window', { time: 1151 }, 'notInTimeWindows'],
  ['other boots', { boots: 2 }, 'notInTimeWindows'],
];

describe('AuthoritativeEngine', () => {
  it('accepts a request that passes every check, also at lower security levels', () => {
    for (const flags of [7, 5, 4, 3, 1, 0]) {
      const received = newEngine().receive(codec.seal({ ...request, flags }));
      assert.ok(received.kind === 'request', JSON.stringify(received));
      assert.equal(received.level, flags & 3);
      assert.equal(received.userName, 'operator');
      assert.equal(received.contextName.toString(), 'here');
      assert.deepEqual(received.octets.subarray(received.start, received.end), requestPdu);
    }
  });

  for (const [what, changes, reason] of refusals) {
    it(`reports ${what}, and drops it when the message allows no Report`, () => {
      const engine = newEngine();
      const received = engine.receive(codec.seal({ ...request, ...changes }));
      assert.equal(received.kind, 'report');
      assert.equal(received.kind === 'report' && received.reason, reason);
      const flags = (changes.flags ?? request.flags) & 3;
      const dropped = engine.receive(codec.seal({ ...request, ...changes, flags }));
      assert.deepEqual(dropped, { kind: 'dropped', cause: reason });
    });
  }

  it('reports a security level that the user does not have', () => {
    const settings = { ...authPrivUser, privProtocol: undefined };
    const received = newEngine(settings).receive(codec.seal(request));
    assert.equal(received.kind === 'report' && received.reason, 'unsupportedSecLevels');
  });

  it('drops a contradictory security level, another security model and unreadable messages, as net-snmp does', () => {
    const contradictory = newEngine().receive(codec.seal({ ...request, flags: 6 }));
    assert.deepEqual(contradictory, { kind: 'dropped', cause: 'invalidMsgs' });

    const datagram = codec.seal({ ...request, flags: 4 });
    const model = datagram.indexOf(Buffer.of(0x04, 0x01, 0x04, 0x02, 0x01, 0x03)) + 5;
    datagram[model] = 2;
    assert.deepEqual(newEngine().receive(datagram), { kind: 'dropped', cause: 'unknownSecurityModels' });
    assert.deepEqual(newEngine().receive(Buffer.alloc(3)), { kind: 'dropped', cause: 'tag' });
    const noPdu = codec.seal({ ...request, flags: 4, pdu: Buffer.alloc(0) });
    assert.deepEqual(newEngine().receive(noPdu), { kind: 'dropped', cause: 'length' });
  });

  it('signs the Report about its time, so that a manager can trust it', () => {
    const pair = new SecuredPair();
    pair.discover();
    pair.exchange();
    pair.time += 500;
    const report = pair.resynchronize();
    assert.deepEqual([report.isAuthenticated, report.boots, report.time], [true, 1, 1500]);
  });
});

function newEngine(settings = authPrivUser) {
  return new SecuredPair(settings).agent;
}
