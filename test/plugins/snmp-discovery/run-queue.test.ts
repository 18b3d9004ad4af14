import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Device } from '../../../plugins/device-registry/service.ts';
import type { QueuedRun } from '../../../plugins/snmp-discovery/runs/queued-run.ts';
import { RunQueue } from '../../../plugins/snmp-discovery/runs/run-queue.ts';
import type { PacketPace } from '../../../plugins/snmp-discovery/service.ts';
import { until } from '../../support/until.ts';

describe('the queue of discoveries', () => {
  it('lets any number of requests of a run wait for its end', async (t) => {
    const warn = t.mock.method(process, 'emitWarning', () => {});
    const { queue } = build({ startsPerSecond: 1000, maxConcurrent: 1 });
    const { run } = queue.request(devices(1)[0]!, 'initial');
    const { signal } = (run as QueuedRun).abort;
    for (let request = 0; request < 100; request++) signal.addEventListener('abort', () => request);
    assert.equal(warn.mock.callCount(), 0);
    await queue.close();
  });

  it('limits the starts per second', async () => {
    const { queue, started } = build({ startsPerSecond: 50, maxConcurrent: 1000 });
    const begun = performance.now();
    for (const device of devices(150)) queue.request(device, 'initial');
    await until(() => started.length >= 150);
    const seconds = (performance.now() - begun) / 1000;
    assert.ok(seconds >= 1.9, `150 starts at 50 per second, with the first 50 together, took ${seconds} s`);
    await queue.close();
  });

  it('limits the runs at the same time', async () => {
    const { queue, started, finish } = build({ startsPerSecond: 1000, maxConcurrent: 3 });
    for (const device of devices(10)) queue.request(device, 'initial');
    await until(() => started.length >= 3);
    await sleep(50);
    assert.equal(started.length, 3);
    finish(started[0]!);
    await until(() => started.length >= 4);
    await sleep(20);
    assert.equal(started.length, 4);
    await finishAll(queue, started, finish);
  });

  it('runs one discovery per device at a time, and another one after a run with older definitions', async () => {
    const facts = { generation: 1 };
    const { queue, started, finish } = build({ startsPerSecond: 1000, maxConcurrent: 10 }, facts);
    const [device] = devices(1);
    const first = queue.request(device!, 'initial');
    assert.equal(queue.request(device!, 'requested').run, first.run);
    facts.generation = 2;
    const second = queue.request(device!, 'forced');
    assert.notEqual(second.run, first.run);
    assert.equal(second.joined, false);
    assert.equal(queue.request(device!, 'scheduled').run, second.run);
    await until(() => started.length >= 1);
    await sleep(20);
    assert.equal(started.length, 1);
    finish(started[0]!);
    await until(() => started.length >= 2);
    assert.equal(started.length, 2);
    assert.equal(started[1]?.generation, 2);
    await finishAll(queue, started, finish);
  });

  it('starts another one after a run with older settings, or after a run that was cancelled', async () => {
    const { queue, started, finish } = build({ startsPerSecond: 1000, maxConcurrent: 10 });
    const [device] = devices(1);
    const first = queue.request(device!, 'changed');
    await until(() => started.length >= 1);
    Object.assign(device!, { settings: { ip: '127.0.0.1', communities: ['new'] } });
    const second = queue.request(device!, 'changed');
    assert.notEqual(second.run, first.run);
    finish(started[0]!);
    await until(() => started.length >= 2);
    queue.cancel(device!, 'the device was disabled');
    assert.equal(started[1]!.abort.signal.reason, 'the device was disabled');
    assert.notEqual(
      queue.request(device!, 'changed').run,
      second.run,
      'a request does not join a cancelled run',
    );
    await finishAll(queue, started, finish);
  });

  it('starts runs that a user requested before background runs', async () => {
    const { queue, started, finish } = build({ startsPerSecond: 1000, maxConcurrent: 1 });
    const [a, b, c] = devices(3);
    queue.request(a!, 'scheduled');
    queue.request(b!, 'scheduled');
    queue.request(c!, 'scheduled');
    assert.ok(queue.request(c!, 'requested').joined);
    finish(started[0]!);
    await until(() => started.length >= 2);
    assert.equal(started[1]?.subject, c);
    await finishAll(queue, started, finish);
  });

  it('runs few that keep a pace at the same time, and lets others pass', async () => {
    const { queue, started, finish } = build({ startsPerSecond: 1000, maxConcurrent: 100 });
    const all = devices(30);
    for (const device of all.slice(0, 20)) queue.request(device, 'reset', pace);
    queue.request(all[20]!, 'initial');
    await until(() => started.length >= 11);
    await sleep(20);
    assert.equal(started.length, 11);
    assert.equal(started.filter((run) => run.pace === pace).length, 10);
    finish(started[0]!);
    await until(() => started.length >= 12);
    assert.equal(started[11]!.pace, pace);
    queue.cancel(all[15]!);
    assert.equal(queue.runs.filter(({ state }) => state === 'waiting').length, 8);
    await finishAll(queue, started, finish);
  });

  it('lets a run keep its pace until a user waits for it', async () => {
    const { queue, started, finish } = build({ startsPerSecond: 1000, maxConcurrent: 2 });
    const [a, b, c] = devices(3);
    const [running, waiting] = [a, b].map((device) => queue.request(device!, 'reset', pace).run as QueuedRun);
    queue.request(c!, 'reset', pace);
    assert.equal(started.length, 1, 'half of the places is for others');
    assert.equal(queue.request(b!, 'scheduled').run, waiting);
    assert.equal(waiting!.pace, pace);
    for (const device of [a, b]) assert.ok(queue.request(device!, 'requested').joined);
    assert.deepEqual([running!.pace, waiting!.pace], [undefined, undefined]);
    await until(() => started.length >= 2);
    assert.equal(started[1], waiting);
    await finishAll(queue, started, finish);
  });

  it('cancels the run of a removed device, and all runs when it closes', async () => {
    const { queue, started } = build({ startsPerSecond: 1000, maxConcurrent: 1 });
    const [a, b, c] = devices(3);
    const running = queue.request(a!, 'initial').run;
    const gone = queue.request(b!, 'initial').run;
    const waiting = queue.request(c!, 'initial').run;
    queue.cancel(b!);
    assert.match(
      (await gone.ended).ok ? '' : JSON.stringify(await gone.ended),
      /was cancelled: the device was removed/,
    );
    await queue.close();
    for (const run of [running, waiting, queue.request(a!, 'requested').run]) {
      assert.equal((await run.ended).ok, false);
    }
    assert.equal(started.length, 1);
  });

  it('takes requests for 100,000 devices, and joins repeated ones', () => {
    const { queue } = build({ startsPerSecond: 20, maxConcurrent: 100 });
    const all = devices(100_000);
    for (const device of all) assert.ok(!queue.request(device, 'initial').joined);
    for (const device of all) assert.ok(queue.request(device, 'scheduled').joined);
    assert.equal(queue.runs.length, 100_000);
    void queue.close();
  });
});

const pace: PacketPace = { take: async () => {}, charge() {} };

function build(limits: { startsPerSecond: number; maxConcurrent: number }, facts = { generation: 1 }) {
  const started: QueuedRun[] = [];
  const finishers = new Map<QueuedRun, () => void>();
  const queue = new RunQueue({
    ...limits,
    now: Date.now,
    generation: () => facts.generation,
    execute: (run) => {
      started.push(run);
      return new Promise<void>((resolve) => {
        const end = () => {
          if (run.outcome === undefined) run.cancel('the test says so', Date.now());
          resolve();
        };
        finishers.set(run, end);
        run.abort.signal.addEventListener('abort', end);
      });
    },
  });
  return { queue, started, finish: (run: QueuedRun) => finishers.get(run)?.() };
}

async function finishAll(
  queue: RunQueue,
  started: readonly QueuedRun[],
  finish: (run: QueuedRun) => void,
): Promise<void> {
  for (const run of started) finish(run);
  await queue.close();
}

function devices(count: number): Device[] {
  return Array.from({ length: count }, (_, i) => ({
    ref: { name: `d${i}`, ip: '127.0.0.1', port: i + 1 },
    settings: { ip: '127.0.0.1' },
    settingOrigins: {},
    origin: { file: '', line: 0 },
    source: 'files',
    status: { state: 'unknown', sinceMs: 0, why: '', silences: 0 },
  }));
}
