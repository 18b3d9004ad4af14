import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { CollectorProcess } from '../cli/support/collector-process.ts';
import { copyExample } from './support/example-copy.ts';

describe('hello-collector', () => {
  it('prints what its source measures', async (t) => {
    const collector = new CollectorProcess(t);
    copyExample('hello-collector', collector, (text) => text.replace('every_ms: 1000', 'every_ms: 100'));
    collector.run(['start']);
    await collector.reads('The collector is ready.');
    while (!collector.stdout.includes('\n')) await once(collector.output, 'data');
    assert.match(
      collector.stdout,
      /^\S+Z this-machine machine \{"load\.1m":[\d.]+,"memory\.free\.bytes":\d+\}$/m,
    );
    collector.kill('SIGINT');
    assert.equal(await collector.exit, 0, collector.stderr);
  });
});
