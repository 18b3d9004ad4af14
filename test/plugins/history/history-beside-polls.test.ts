import assert from 'node:assert/strict';
import { it } from 'node:test';
import history from '../../../plugins/history/index.ts';
import httpApi from '../../../plugins/http-api/index.ts';
import { httpApiToken } from '../../../plugins/http-api/service.ts';
import snmpApi from '../../../plugins/snmp-api/index.ts';
import type { Batch } from '../../../src/index.ts';
import { pipelineToken } from '../../../src/index.ts';
import { createTestBatch, startReplayAgent } from '../../../src/testing/index.ts';
import { StallWatch } from '../../support/stall-watch.ts';
import { until } from '../../support/until.ts';
import { startPolling } from '../snmp-poller/support/poller-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';

const minuteMs = 60_000;
const startMs = Date.UTC(2026, 0, 31, 12);
const questions = 100;
/** One piece of work that decodes all that a question is about takes hundreds. */
const mostStallMs = 150;

/** So long that all values of all devices are more than one answer may have. */
const minutes = 150;

/** Hours of twenty switches with 48 ports, whose polls are not sorted yet. */
function* polls(): Generator<Batch> {
  const rows = Array.from({ length: 48 }, (_, row) => ({
    key: `port ${row}`,
    values: { level: row / 7, state: row, octets: BigInt(row), load: row },
  }));
  for (let i = 0; i < 20; i++) {
    const device = { name: `access-${i}`, ip: `192.0.2.${i}`, port: 161 };
    const first = createTestBatch({ device, intervalMs: minuteMs, rows });
    for (let minute = 0; minute < minutes; minute++) {
      const timeMs = startMs + minute * minuteMs;
      yield { ...first, timeMs, slotMs: timeMs };
    }
  }
}

it('a hundred large or refused questions to the history cost no poll and hold up nothing', async (t) => {
  const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t);
  folder.writeDevices([
    { name: 'polled', port: agent.port, groups: 'poll_interval: 2, device_groups: [switch]' },
  ]);
  const stack = await startPolling(t, folder, {
    more: [
      { plugin: history, options: { delivery: { group_wait_ms: 0 } } },
      { plugin: snmpApi },
      {
        plugin: httpApi,
        options: { port: 0, limits: { requests_per_second: 100_000, loop_delay_ms: 60_000 } },
      },
    ],
  });
  await stack.discovered();
  const pipeline = stack.collector.getService(pipelineToken);
  for (const batch of polls()) {
    pipeline.push(batch);
    if (pipeline.counters.outputs['history']!.queued > 100)
      await until(() => pipeline.counters.outputs['history']!.queued === 0);
  }
  await until(() => pipeline.counters.outputs['history']!.queued === 0);
  const counters = () => stack.poller.deviceCounters(stack.device('polled'))!;
  await until(() => (counters()?.polls ?? 0) > 1);

  const { baseUrl } = stack.collector.getService(httpApiToken);
  const devices = Array.from({ length: 20 }, (_, i) => `device=access-${i}`).join('&');
  const span = `record=TEST-MIB::testEntry&from=${startMs}&to=${startMs + minutes * minuteMs}`;
  const [refused, large] = [`${devices}&${span}`, `${devices}&${span}&field=level&step=600`];
  const before = { ...counters() };
  const stalls = new StallWatch();
  t.after(() => stalls.close());
  const statuses: number[] = [];
  const others: number[] = [];
  let isOver = false;
  const caller = (async () => {
    while (!isOver) {
      const answer = await fetch(`${baseUrl}/api/v1/snmp/devices`);
      others.push(answer.status);
      await answer.arrayBuffer();
    }
  })();
  await Promise.all(
    Array.from({ length: 10 }, async (_, lane) => {
      for (let i = lane; i < questions; i += 10) {
        const answer = await fetch(`${baseUrl}/api/v1/history?${i % 20 === 0 ? large : refused}`);
        statuses.push(answer.status);
        await answer.arrayBuffer();
      }
    }),
  );
  const answeredMeanwhile = others.length;
  // A slot of every other second is polled beside them.
  await until(() => counters().polls > before.polls);
  isOver = true;
  await caller;
  const stallMs = stalls.longestMs;
  assert.deepEqual(
    statuses.sort(),
    Array.from({ length: questions }, (_, i) => (i < questions / 20 ? 200 : 422)),
  );
  assert.ok(answeredMeanwhile > 0);
  assert.deepEqual([...new Set(others)], [200], 'others are answered');
  const after = counters();
  assert.ok(after.polls > before.polls, 'polls go on');
  assert.equal(after.skippedSlots - before.skippedSlots, 0, 'skipped slots');
  assert.equal(after.failedPolls - before.failedPolls, 0, 'failed polls');
  assert.ok(stallMs <= mostStallMs, `one piece of work took ${stallMs} ms`);
});
