import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { pipelineToken } from '../../../src/index.ts';
import { createRecordingOutput, createTestBatch } from '../../../src/testing/index.ts';
import { missingTool } from '../../support/needs.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startApi } from './support/api-stack.ts';

async function start(test: Parameters<typeof startApi>[0]) {
  const output = createRecordingOutput('kept');
  const stack = await startApi(test, new DefinitionFolder(test), { more: [{ plugin: output.plugin }] });
  const { events, getService } = stack.collector;
  const device = { name: 'a', ip: '192.0.2.1', port: 161 };
  const poll = { device, plan: '60 s', slotMs: 0, durationMs: 40, packets: 3, gaps: {} };
  events.emit('poll.completed', { ...poll, values: 42 });
  events.emit('poll.completed', { ...poll, values: 1, gaps: { noSuchInstance: 2 } });
  events.emit('poll.failed', { ...poll, durationMs: 3000, gaps: { timeout: 44 }, reason: 'timeout' });
  events.emit('device.misordered', { device, table: '1.3.6.1.2.1.2.2.1' });
  getService(pipelineToken).push(createTestBatch());
  await output.waitFor(({ length }) => length === 1);
  await stack.call('GET', '/nothing');
  return stack;
}

describe('GET /metrics', () => {
  it('exposes the state of the collector to Prometheus, by outcome', async (t) => {
    const { call } = await start(t);
    const { status, type, text } = await call('GET', '/metrics');
    assert.equal(status, 200);
    assert.match(type, /^text\/plain; version=0\.0\.4/);
    const wanted = [
      'waywiser_polls_total{outcome="completed"} 2',
      'waywiser_polls_total{outcome="failed"} 1',
      'waywiser_poll_values_total 43',
      'waywiser_poll_packets_total 9',
      'waywiser_poll_gaps_total{reason="timeout"} 44',
      'waywiser_poll_misordered_tables_total 1',
      'waywiser_poll_duration_seconds_bucket{le="0.05"} 2',
      'waywiser_poll_duration_seconds_bucket{le="+Inf"} 3',
      'waywiser_poll_duration_seconds_count 3',
      'waywiser_output_accepted_total{output="kept"} 1',
      'waywiser_output_queued{output="kept"} 0',
      'waywiser_http_requests_total{code="404"} 1',
      'waywiser_devices{state="up"} 0',
      'waywiser_discoveries_open 0',
    ];
    const lines = new Set(text.split('\n'));
    assert.deepEqual(
      wanted.filter((line) => !lines.has(line)),
      [],
      text,
    );
    for (const name of [
      'nodejs_gc_duration_seconds',
      'nodejs_eventloop_delay_p99_seconds',
      'nodejs_memory_bytes',
    ]) {
      assert.ok(text.includes(`# TYPE ${name} `), name);
    }
  });

  it('passes promtool without a warning', { skip: missingTool('promtool') }, async (t) => {
    const { call } = await start(t);
    const { text } = await call('GET', '/metrics');
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout, stderr], [0, '', '']);
  });

  it('shows the pipeline counters in the state of the collector, too', async (t) => {
    const { call } = await start(t);
    const { status, body } = await call('GET', '/api/v1/collector');
    assert.equal(status, 200);
    const { accepted, delivered, droppedBy, queued } = body.pipeline.outputs.kept;
    assert.deepEqual([body.pipeline.pushed, accepted, delivered, queued], [1, 1, 1, 0]);
    assert.ok(Object.values(droppedBy).every((count) => count === 0));
  });
});
