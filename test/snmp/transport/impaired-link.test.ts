import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManager, type Varbind } from '../../../src/snmp/index.ts';
import { UnpausedClock } from '../../support/unpaused-clock.ts';
import { startLossyProxy } from '../support/lossy-proxy.ts';
import { answer, number, startScriptedAgent } from '../support/scripted-agent.ts';
import { serveTable } from '../support/table-agent.ts';

const target = { address: '127.0.0.1', version: '2c', community: 'public' } as const;

describe('an impaired link', () => {
  for (const loss of [0.05, 0.3]) {
    it(`loses as many requests as expected at ${loss * 100} % loss each way`, async () => {
      const requests = 2_000;
      const retries = 1;
      await using agent = await startScriptedAgent((r) => [
        answer(
          r,
          r.pdu.varbinds.map(({ oid }) => number(oid, Number(oid.split('.').at(-1)))),
        ),
      ]);
      await using proxy = await startLossyProxy(agent.port, { loss });
      const clock = new UnpausedClock(() => proxy.traffic);
      // No more than the smallest socket buffer holds.
      const manager = createManager({ clock, retryShare: 1, maxInFlight: 200 });
      // One session per request: one that loses requests allows fewer outstanding ones.
      const open = () => manager.open({ ...target, port: proxy.port, timeoutMs: 600, retries });
      let lost = 0;
      let wrong = 0;
      await Promise.all(
        Array.from({ length: requests }, async (_, i) => {
          const result = await open()
            .get([`1.3.6.1.4.${i}`])
            .catch((error) => error.code);
          if (result === 'SNMP_TIMEOUT') lost++;
          else if (result[0]?.value !== i) wrong++;
        }),
      );
      manager.close();
      clock.close();
      assert.equal(wrong, 0);
      const attemptLost = 1 - (1 - loss) ** 2;
      const expected = requests * attemptLost ** (retries + 1);
      // 15 % plus three standard deviations for so few requests.
      const slack = 0.15 * expected + 3 * Math.sqrt(expected);
      assert.ok(Math.abs(lost - expected) <= slack, `${lost} lost, expected ${expected.toFixed(0)}`);
    });
  }

  it('delivers every value of a walk once in spite of loss, duplicates and reordering', async () => {
    const all: Varbind[] = Array.from({ length: 600 }, (_, i) =>
      number(`1.3.6.1.2.1.2.2.1.${1 + (i >> 7)}.${1 + (i & 127)}`, i),
    );
    await using agent = await startScriptedAgent((r) => [serveTable(all, r, 20)]);
    await using proxy = await startLossyProxy(agent.port, { loss: 0.1, duplicates: 0.2, jitterMs: 20 });
    const manager = createManager();
    const session = manager.open({ ...target, port: proxy.port, timeoutMs: 150, retries: 10 });
    const found: Varbind[] = [];
    for await (const varbinds of session.walk('1.3.6.1.2.1.2.2')) found.push(...varbinds);
    assert.deepEqual(found, all);
    assert.ok(manager.counters().retransmitted > 0);
    assert.ok(manager.counters().ignored.unknownRequest > 0, 'duplicates were counted');
    manager.close();
  });
});
