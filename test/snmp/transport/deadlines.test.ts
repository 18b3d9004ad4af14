import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  compileGet,
  createManager,
  createPollColumns,
  type Dialect,
  slotStatus,
} from '../../../src/snmp/index.ts';
import { Flight, Peer } from '../../../src/snmp/transport/flight.ts';
import { FlightQueue } from '../../../src/snmp/transport/flight-queue.ts';
import { until } from '../../support/until.ts';
import { peerSettings } from '../support/peer-settings.ts';
import { answer, number, startScriptedAgent } from '../support/scripted-agent.ts';

const manager = createManager();
after(() => manager.close());
const dialect = { version: '2c', community: 'public' } as const satisfies Dialect;
const target = { address: '127.0.0.1', ...dialect, timeoutMs: 2_000, retries: 2 } as const;
const oidAt = (row: number) => `1.3.6.1.2.1.2.2.1.10.${row}`;
function request(...rows: readonly number[]) {
  return compileGet({ dialect, oids: rows.map(oidAt), firstSlot: 0 });
}

/** Rejects when `work` takes longer: what should end by itself would hang the test otherwise. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work;
  const took = performance.now() - begun;
  assert.ok(took < ms, `it took ${Math.round(took)} ms`);
  return result;
}

describe('rule 3.2: a poll ends at its deadline', () => {
  it('also while its requests wait behind others to the same device, and sends nothing any more', async () => {
    await using agent = await startScriptedAgent(() => []);
    const session = manager.open({ ...target, port: agent.port, maxConcurrentRequests: 1 });
    const first = session.poll([request(1)], createPollColumns(1));
    await until(() => agent.requests.length === 1);
    const columns = createPollColumns(2);
    const outcome = await within(1_900, session.poll([request(1, 2)], columns, { withinMs: 150 }));
    assert.deepEqual([...columns.status], [slotStatus.budget, slotStatus.budget]);
    assert.equal(outcome.failure, 'SNMP_NOT_SENT');
    assert.equal(agent.requests.length, 1);
    session.close();
    await first;
  });

  it('also while a global limit holds its requests back', async () => {
    await using agent = await startScriptedAgent(() => []);
    const narrow = createManager({ maxInFlight: 1 });
    const hog = narrow.open({ ...target, port: agent.port });
    const first = hog.poll([request(1)], createPollColumns(1));
    const session = narrow.open({ ...target, port: agent.port });
    const poll = session.poll([request(1)], createPollColumns(1), { withinMs: 150 });
    assert.equal((await within(1_900, poll)).failure, 'SNMP_NOT_SENT');
    assert.equal(narrow.counters().waiting, 0);
    narrow.close();
    await first;
    assert.equal(agent.requests.length, 1);
  });

  it('that is shorter than one attempt', async () => {
    await using agent = await startScriptedAgent(() => []);
    const session = manager.open({ ...target, port: agent.port });
    const columns = createPollColumns(1);
    await within(1_900, session.poll([request(1)], columns, { withinMs: 100 }));
    assert.equal(columns.status[0], slotStatus.budget);
    assert.equal(agent.requests.length, 1);
  });

  it('and so does a walk, with what it has read', async () => {
    await using agent = await startScriptedAgent((asked, count) =>
      count === 1 ? [answer(asked, [number(oidAt(1), 1), number(oidAt(2), 2)])] : [],
    );
    const walk = manager
      .open({ ...target, port: agent.port })
      .walk('1.3.6.1.2.1.2.2.1.10', { withinMs: 200 });
    const read = async () => {
      let varbinds = 0;
      for await (const each of walk) varbinds += each.length;
      return varbinds;
    };
    assert.equal(await within(1_900, read()), 2);
    assert.deepEqual(walk.outcome.partial, [{ root: '1.3.6.1.2.1.2.2.1.10', reason: 'budget' }]);
  });
});

describe('the first reply of a poll', () => {
  it('is told apart from its end', async () => {
    await using agent = await startScriptedAgent((asked, count) =>
      count === 2 ? [] : [answer(asked, [number(asked.pdu.varbinds[0]!.oid, 7)])],
    );
    const session = manager.open({ ...target, port: agent.port, maxConcurrentRequests: 1, timeoutMs: 300 });
    const begun = performance.now();
    const requests = [request(1), compileGet({ dialect, oids: [oidAt(2)], firstSlot: 1 })];
    const { firstAfterMs, values } = await session.poll(requests, createPollColumns(2));
    assert.equal(values, 2);
    const afterMs = performance.now() - begun - (firstAfterMs ?? Number.POSITIVE_INFINITY);
    assert.ok(afterMs >= 290, `the second request was asked again, yet the rest took ${afterMs} ms`);
  });

  it('is none where nothing came', async () => {
    await using agent = await startScriptedAgent(() => []);
    const session = manager.open({ ...target, port: agent.port });
    const { firstAfterMs } = await session.poll([request(1)], createPollColumns(1), { withinMs: 50 });
    assert.equal(firstAfterMs, undefined);
  });
});

describe('the queue of requests that limits hold back', () => {
  it('does not keep those that have left, though it never runs empty', () => {
    const queue = new FlightQueue();
    const peer = new Peer(peerSettings);
    const flights = Array.from({ length: 5_000 }, () => new IdleFlight(peer));
    queue.push(flights[0]!);
    for (let turn = 0; turn < 5; turn++) {
      for (const [i, flight] of flights.entries()) {
        if (turn === 0 && i === 0) continue;
        queue.push(flight);
        assert.equal(queue.shift(), flights[(i + 4_999) % 5_000]);
      }
    }
    assert.equal(queue.size, 1);
    assert.ok(queue.places <= 4_096, `${queue.places} places`);
  });
});

describe('what may be outstanding to a slow device', () => {
  it('is two again, after a timeout and as many good replies', () => {
    const peer = new Peer(peerSettings);
    for (let i = 0; i < 30; i++) peer.learnRoundTrip(400);
    assert.equal(peer.window, 2);
    peer.learnTimeout();
    assert.equal(peer.window, 1);
    for (let i = 0; i < 100; i++) peer.learnRoundTrip(400);
    assert.equal(peer.window, 2);
  });
});

class IdleFlight extends Flight {
  encode(): Buffer {
    return Buffer.alloc(0);
  }
  receive(): undefined {
    return undefined;
  }
  fail(): void {}
}
