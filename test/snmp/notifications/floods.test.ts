import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { V3Codec } from '../../../src/snmp/usm/message/v3-codec.ts';
import { messageFlag } from '../../../src/snmp/usm/user/security-level.ts';
import { NotificationLab, ownEngineId, pduOf, secured, v2c } from './support/notification-lab.ts';

/** A question for our engine ID, as Debian's tools send it. */
const discovery = () =>
  secured({
    engineId: Buffer.alloc(0),
    boots: 0,
    time: 0,
    flags: messageFlag.reportable,
    userName: Buffer.alloc(0),
    keys: {},
    pdu: pduOf('GetRequest', 1, []),
  });

describe('floods', () => {
  it('of one source end at its limit, and of its IPv6 neighbours too', () => {
    const lab = new NotificationLab({ limits: { sourcePerSecond: 10, sourceBurst: 20 } });
    for (let i = 0; i < 50; i++) lab.send(v2c('TrapV2', i));
    lab.send(v2c(), '192.0.2.2');
    assert.equal(lab.received.length, 21);
    for (let i = 0; i < 50; i++) lab.send(v2c('TrapV2', i), `2001:db8::${(i + 1).toString(16)}`);
    assert.equal(lab.received.length, 41);
    lab.clock.pass(1_000);
    for (let i = 100; i < 150; i++) lab.send(v2c('TrapV2', i));
    assert.equal(lab.received.length, 51);
    assert.deepEqual(lab.drops, { rate: 100 });
    assert.ok(lab.isBalanced);
  });

  it('of discoveries get few Reports, and fewer octets than they bring', () => {
    const lab = new NotificationLab({ limits: { sourcePerSecond: 1e6, sourceBurst: 1e6 } });
    const probe = discovery();
    lab.send(probe);
    const report = lab.replies[0]!;
    assert.ok(report.length <= 128, `${report.length} octets`);
    const message = new V3Codec().read(report);
    assert.ok(typeof message === 'object');
    assert.deepEqual(message.octets.subarray(message.engineIdStart, message.engineIdEnd), ownEngineId);
    for (let i = 0; i < 30; i++) lab.send(discovery());
    assert.equal(lab.replies.length, 10);
    for (let i = 0; i < 20_000; i++) lab.send(probe, `192.0.2.${i % 256}`);
    const octets = lab.replies.reduce((sum, { length }) => sum + length, 0);
    assert.ok(octets <= 20_000 * probe.length);
    assert.ok(lab.replies.length <= 500);
    assert.equal(lab.receiver.statistics().discovery, 20_031);
    assert.ok(lab.isBalanced);
  });

  it('from invented addresses leave a bounded list, with the sources that send most', () => {
    const lab = new NotificationLab();
    for (let i = 0; i < 5_000; i++) lab.send(v2c(), `10.0.${i >> 8}.${i & 255}`);
    for (let i = 0; i < 50; i++) lab.send(v2c(), '10.9.9.9');
    const recent = lab.receiver.takeRecentDrops();
    assert.equal(recent[0]?.count, 50);
    assert.equal(
      recent.reduce((sum, { count }) => sum + count, 0),
      5_050,
    );
    assert.ok(recent.length <= 21);
    assert.deepEqual(lab.receiver.takeRecentDrops(), []);
    assert.ok(lab.receiver.listDrops().length <= 1_001);
  });
});
