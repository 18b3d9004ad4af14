import { setTimeout as sleep } from 'node:timers/promises';
import { type Batch, type Plugin, pipelineToken } from '../../../../src/index.ts';
import { startTestCollector } from '../../../../src/testing/index.ts';

const patienceMs = 20_000;

/** A collector with one output that tries again at once, and its queue as it runs empty. */
export async function startOutput(
  plugin: Plugin,
  options: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>> = {},
) {
  const delivery = { group_wait_ms: 0, retry_from_ms: 1, retry_to_ms: 5 };
  const collector = await startTestCollector({
    plugins: [{ plugin, options: { ...options, delivery } }],
    env,
  });
  const pipeline = collector.getService(pipelineToken);
  const counters = () => pipeline.counters.outputs[plugin.name]!;
  return {
    collector,
    counters,
    /** Resolves when all of them are delivered or dropped. */
    async deliver(...batches: readonly Batch[]) {
      for (const batch of batches) pipeline.push(batch);
      for (const end = Date.now() + patienceMs; counters().queued > 0; await sleep(1)) {
        if (Date.now() > end) throw new Error(`not delivered: ${JSON.stringify(collector.logLines.at(-1))}`);
      }
      return counters();
    },
    [Symbol.asyncDispose]: () => collector.stop(),
  };
}
