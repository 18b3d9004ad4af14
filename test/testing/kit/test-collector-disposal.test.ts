import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { it } from 'node:test';
import { definePlugin } from '../../../src/index.ts';
import { startTestCollector } from '../../../src/testing/index.ts';

it('`await using` stops a test collector and removes its directory', async () => {
  const done: string[] = [];
  const plugin = definePlugin({
    name: 'traced',
    kind: 'service',
    summary: 'Traces.',
    start({ onStop }) {
      onStop(() => void done.push('stopped'));
    },
  });
  let directory: string;
  {
    await using collector = await startTestCollector({ plugins: [{ plugin }] });
    directory = collector.stateDirectory;
    assert.ok(existsSync(directory));
  }
  assert.deepEqual(done, ['stopped']);
  assert.ok(!existsSync(directory));
});
