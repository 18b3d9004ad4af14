import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { berTag } from '../../../src/snmp/codec/ber-tag.ts';
import { V3Codec } from '../../../src/snmp/usm/message/v3-codec.ts';
import { forge } from './support/forgeries.ts';
import { NotificationLab, secured } from './support/notification-lab.ts';

/** The kind of PDU in a plain SNMPv3 message. */
function tagOf(reply: Buffer): number | undefined {
  const codec = new V3Codec();
  const message = codec.read(reply);
  const scoped = typeof message === 'string' ? message : codec.openScopedPdu(message, {});
  return typeof scoped === 'string' ? undefined : scoped.pduTag;
}

describe('forged notifications', () => {
  it('are refused for their cause, not recorded and not acknowledged', () => {
    const lab = new NotificationLab();
    lab.clock.pass(1_000_000);
    lab.send(secured());
    assert.equal(lab.received.length, 1);
    const forgeries = [...forge(1_000)];
    assert.ok(forgeries.length >= 100, String(forgeries.length));
    for (const { name, datagram, cause, from } of forgeries) {
      const before = lab.drops;
      lab.clock.pass(100);
      lab.send(datagram, from);
      const causes = Object.entries(lab.drops).flatMap(([key, count]) =>
        count > (before[key] ?? 0) ? [key] : [],
      );
      assert.equal(causes.length, 1, `${name}: ${JSON.stringify(causes)}`);
      if (cause !== 'any') assert.equal(causes[0], cause, name);
    }
    assert.equal(lab.received.length, 1);
    assert.ok(lab.isBalanced);
    assert.equal(lab.receiver.statistics().informs.acknowledged, 0);
    for (const reply of lab.replies) assert.equal(tagOf(reply), berTag.report);
  });
});
