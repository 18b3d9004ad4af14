import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineOutput, pipelineToken } from '../../../src/index.ts';
import { createTestBatch, startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

describe('polling while an output is paused', () => {
  it('skips and counts slots, and continues when the output has room', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([
      { name: 'sw', port: agent.port, groups: 'device_groups: [switch], poll_interval: 1' },
    ]);
    let isDown = true;
    const plugin = defineOutput({
      name: 'full',
      summary: 'Takes nothing for a while.',
      open: () => ({
        write() {
          if (isDown) throw new Error('down');
        },
      }),
    });
    const options = {
      queue: 'disk',
      disk_queue: { max_bytes: 1 << 20, when_full: 'pause' },
      delivery: { retry_to_ms: 50, group_wait_ms: 0 },
    };
    const { collector, output, poller } = await startPolling(t, folder, { more: [{ plugin, options }] });
    await output.waitFor((batches) => batches.length >= 1);
    const pipeline = collector.getService(pipelineToken);
    const filler = createTestBatch({ rows: [{ values: { text: randomBytes(9_000).toString('base64') } }] });
    while (!pipeline.isPaused) pipeline.push(filler);
    while (poller.counters().skippedSlots < 1) await sleep(20);
    const polled = () => output.batches.filter(({ record }) => record.startsWith('IF')).length;
    const before = polled();
    while (poller.counters().skippedSlots < 2) await sleep(20);
    assert.equal(polled(), before);
    assert.equal(pipeline.counters.outputs['full']?.dropped, 0);
    isDown = false;
    await output.waitFor(() => polled() > before);
  });
});
