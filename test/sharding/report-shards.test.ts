import assert from 'node:assert/strict';
import { it } from 'node:test';
import { reportShards } from '../../src/sharding/report-shards.ts';
import { startTestCollector } from '../../src/testing/index.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

it('reports once per second how many shards have moved, and the rest at the end', async (t) => {
  const collector = await startTestCollector({ plugins: [] });
  t.after(() => collector.stop());
  const { events } = collector;
  const heard: object[] = [];
  events.on('shard.gained', (event) => void heard.push(event));
  events.on('shard.lost', (event) => void heard.push(event));
  const log: object[] = [];
  const clock = new SimulatedClock();
  const reports = reportShards({
    log: { info: (facts: object) => log.push(facts) } as never,
    events,
    keepsPolling: false,
    clock,
  });
  for (let turn = 0; turn < 25; turn++) {
    reports.onGained(10);
    if (turn < 3) reports.onLost(1, 'the lease has ended');
    if (turn === 4) reports.onLost(7, 'other members own them now');
    clock.pass(100);
  }
  const first = [
    { shards: 100 },
    { shards: 3, why: 'the lease has ended' },
    { shards: 7, why: 'other members own them now' },
  ];
  assert.deepEqual(heard, [...first, { shards: 100 }]);
  reports.close();
  clock.pass(10_000);
  assert.deepEqual(heard, [...first, { shards: 100 }, { shards: 50 }]);
  assert.deepEqual(log, heard);
});
