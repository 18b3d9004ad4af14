import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  compileGet,
  createManager,
  createPollColumns,
  type Dialect,
  type ManagerOptions,
  slotStatus,
  type Target,
} from '../../../src/snmp/index.ts';
import { Flight, Peer } from '../../../src/snmp/transport/flight.ts';
import { FlightQueue } from '../../../src/snmp/transport/flight-queue.ts';
import { passUntilSettled, SimulatedClock } from '../../support/simulated-clock.ts';
import { until } from '../../support/until.ts';
import { peerSettings } from '../support/peer-settings.ts';
import { answer, number, startScriptedAgent } from '../support/scripted-agent.ts';

const manager = createManager();
after(() => manager.close());
const dialect = { version: '2c', community: 'public' } as const satisfies Dialect;
const target = { address: '127.0.0.1', ...dialect, timeoutMs: 2_000, retries: 2 } as const;
const oidAt = (row: number) => `1.3.6.1.2.1.2.2.1.10.${row}`;
/** Sessions on a clock that only the test moves: attempts of two seconds never time out before a deadline. */
function build(options: ManagerOptions = {}) {
  const clock = new SimulatedClock();
  const slow = createManager({ ...options, clock });
  const open = (changes: Partial<Target>) => slow.open({ ...target, ...changes } as Target);
  return { clock, manager: slow, open, close: () => slow.close() };
}

/** One tick of the wheel may pass after the deadline, and one step of the test's clock. */
function assertDeadline(elapsedMs: number, withinMs: number): void {
  assert.ok(elapsedMs >= withinMs && elapsedMs <= withinMs + 20, `${elapsedMs} ms`);
}

function request(...rows: readonly number[]) {
  return compileGet({ dialect, oids: rows.map(oidAt), firstSlot: 0 });
}

describe('a poll with a deadline', () => {
  it('ends at it while its requests wait behind others to the same device, and sends nothing later', async () => {
    await using agent = await startScriptedAgent(() => []);
    const { clock, open, close } = build();
    const session = open({ port: agent.port, maxConcurrentRequests: 1 });
    const first = session.poll([request(1)], createPollColumns(1));
    await until(() => agent.requests.length === 1);
    const columns = createPollColumns(2);
    const poll = session.poll([request(1, 2)], columns, { withinMs: 150 });
    assertDeadline(await passUntilSettled(clock, poll), 150);
    assert.deepEqual([...columns.status], [slotStatus.budget, slotStatus.budget]);
    assert.equal((await poll).failure, 'SNMP_NOT_SENT');
    assert.equal(agent.requests.length, 1);
    close();
    await first;
  });

  it('ends at it while a global limit delays its requests', async () => {
    await using agent = await startScriptedAgent(() => []);
    const { clock, manager, open, close } = build({ maxInFlight: 1 });
    const first = open({ port: agent.port }).poll([request(1)], createPollColumns(1));
    await until(() => agent.requests.length === 1);
    const session = open({ port: agent.port });
    const poll = session.poll([request(1)], createPollColumns(1), { withinMs: 150 });
    assertDeadline(await passUntilSettled(clock, poll), 150);
    assert.equal((await poll).failure, 'SNMP_NOT_SENT');
    assert.equal(manager.counters().waiting, 0);
    close();
    await first;
    assert.equal(agent.requests.length, 1);
  });

  it('ends at it when the deadline is shorter than one attempt', async () => {
    await using agent = await startScriptedAgent(() => []);
    const { clock, open, close } = build();
    const columns = createPollColumns(1);
    const poll = open({ port: agent.port }).poll([request(1)], columns, { withinMs: 100 });
    await until(() => agent.requests.length === 1);
    assertDeadline(await passUntilSettled(clock, poll), 100);
    assert.equal(columns.status[0], slotStatus.budget);
    assert.equal(agent.requests.length, 1);
    close();
  });
});

describe('a walk with a deadline', () => {
  it('ends at it, with what it has read', async () => {
    await using agent = await startScriptedAgent((asked, count) =>
      count === 1 ? [answer(asked, [number(oidAt(1), 1), number(oidAt(2), 2)])] : [],
    );
    const { clock, open, close } = build();
    const walk = open({ port: agent.port }).walk('1.3.6.1.2.1.2.2.1.10', { withinMs: 200 });
    const read = async () => {
      let varbinds = 0;
      for await (const each of walk) varbinds += each.length;
      return varbinds;
    };
    const reading = read();
    await until(() => agent.requests.length === 2);
    assertDeadline(await passUntilSettled(clock, reading), 200);
    assert.equal(await reading, 2);
    assert.deepEqual(walk.outcome.partial, [{ root: '1.3.6.1.2.1.2.2.1.10', reason: 'budget' }]);
    close();
  });
});

describe('the first reply of a poll', () => {
  it('has its own time, apart from the end of the poll', async () => {
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

  it('has no time when no reply came', async () => {
    await using agent = await startScriptedAgent(() => []);
    const session = manager.open({ ...target, port: agent.port });
    const { firstAfterMs } = await session.poll([request(1)], createPollColumns(1), { withinMs: 50 });
    assert.equal(firstAfterMs, undefined);
  });
});

describe('FlightQueue', () => {
  it('releases the memory of flights that have left, even if it never becomes empty', () => {
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

describe('the window of a slow device', () => {
  it('returns to two after a timeout and enough replies', () => {
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
