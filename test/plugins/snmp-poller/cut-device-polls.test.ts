import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPlan } from '../../../plugins/snmp-poller/device/read-plan.ts';
import type { PollPlan } from '../../../plugins/snmp-poller/plan/poll-plan.ts';
import { berTag, compileGet, createManager, createPollColumns, slotStatus } from '../../../src/snmp/index.ts';
import { answer, number, startScriptedAgent } from '../../snmp/support/scripted-agent.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';
import { until } from '../../support/until.ts';

const dialect = { version: '2c', community: 'public' } as const;
/** How many packets need not wait, and how many milliseconds each later one takes. */
const [burst, everyMs] = [600, 10];
/** Requests for two values each, and then requests for one value each. */
const [long, short] = [400, 400];

function requestsOf(count: number, values: number, firstSlot: number) {
  return Array.from({ length: count }, (_, i) => {
    const slot = firstSlot + i * values;
    const oids = Array.from({ length: values }, (_, j) => `1.3.6.1.4.1.9999.1.${slot + j}`);
    return compileGet({ dialect, oids, firstSlot: slot });
  });
}

const requests = [
  compileGet({ dialect, oids: ['1.3.6.1.2.1.1.3.0'], firstSlot: 0 }),
  ...requestsOf(long, 2, 1),
  ...requestsOf(short, 1, 1 + 2 * long),
];
const slots = 1 + 2 * long + short;

/** Polls a device whose inventory was cut. Time passes only while nothing is on its way. */
async function pollCutDevice(withinMs: number) {
  const clock = new SimulatedClock();
  const begunMs = clock.now();
  const sentMs: number[] = [];
  await using agent = await startScriptedAgent((request) => {
    sentMs.push(clock.now() - begunMs);
    return [
      answer(
        request,
        request.pdu.varbinds.map(({ oid }) => number(oid, 1)),
      ),
    ];
  });
  const manager = createManager({ clock });
  const session = manager.open({ address: '127.0.0.1', port: agent.port, ...dialect });
  const columns = createPollColumns(slots);
  const plan = { requests, labelRequests: [] } as Partial<PollPlan> as PollPlan;
  let isOver = false;
  const reading = readPlan(session, plan, columns, {
    part: 'all',
    requests,
    isLeftOut: () => false,
    withinMs,
    maxBytes: Number.POSITIVE_INFINITY,
    isEndless: true,
  }).finally(() => {
    isOver = true;
  });
  for (;;) {
    await until(() => isOver || (manager.counters().inFlight === 0 && manager.counters().waiting > 0));
    if (isOver) break;
    clock.pass(everyMs);
    // The wheel of deadlines works in an immediate.
    await new Promise(setImmediate);
  }
  const outcome = await reading;
  const lastedMs = clock.now() - begunMs;
  const { waiting } = manager.counters();
  manager.close();
  return { outcome, columns, sentMs, lastedMs, waiting };
}

describe('a poll of a device whose inventory was cut', () => {
  it('keeps the pace, and ends with every value', async () => {
    const { outcome, columns, sentMs, lastedMs, waiting } = await pollCutDevice(20_000);
    assert.equal(outcome.failure, undefined);
    assert.ok(columns.status.every((status) => status === berTag.integer));
    assert.equal(sentMs.length, requests.length);
    for (const [position, ms] of sentMs.entries())
      assert.ok(position < burst + 1 + ms / everyMs, `${position} packets after ${ms} ms`);
    assert.ok(lastedMs >= (requests.length - burst) * everyMs, `${lastedMs} ms`);
    assert.ok(lastedMs < 2 * (requests.length - burst) * everyMs, `${lastedMs} ms`);
    assert.equal(waiting, 0);
  });

  it('reads the short tables first, and says of the others that the time was too short', async () => {
    const { outcome, columns, lastedMs, waiting } = await pollCutDevice(1_000);
    assert.ok(lastedMs <= 1_100, `${lastedMs} ms`);
    const { status } = columns;
    assert.equal(status[0], berTag.integer);
    assert.ok(status.subarray(1 + 2 * long).every((each) => each === berTag.integer));
    const longStatus = status.subarray(1, 1 + 2 * long);
    const read = longStatus.filter((each) => each === berTag.integer).length;
    assert.ok(read > 0 && read < 2 * long, `${read} values of long tables`);
    assert.ok(longStatus.every((each) => each === berTag.integer || each === slotStatus.budget));
    assert.equal(outcome.varbinds, 1 + short + read);
    assert.equal(waiting, 0);
  });
});
