import { cpuUsage } from 'node:process';
import { definePlugin } from '../../../src/kernel/plugin.ts';
import { createCollector } from './collector.ts';

/** For a test of a busy host: starts a plugin that needs 400 ms of a processor and has 1,000; sends what the start said. */
const plugin = definePlugin({
  name: 'subject',
  kind: 'service',
  summary: 'S.',
  startTimeoutMs: 1_000,
  async start() {
    const before = cpuUsage();
    const spent = () => cpuUsage(before).user + cpuUsage(before).system;
    while (spent() < 400_000) await new Promise(setImmediate);
  },
});

process.once('message', async () => {
  const begun = performance.now();
  const { collector } = createCollector(plugin);
  const outcome = await collector.start().then(
    () => 'started',
    (error: unknown) => String(error),
  );
  process.send!({ outcome, tookMs: performance.now() - begun }, () => process.disconnect());
});
process.send!('loaded');
