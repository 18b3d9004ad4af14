import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Batch, explainError, type Plugin, pipelineToken } from '../../../../src/index.ts';
import { startTestCollector } from '../../../../src/testing/index.ts';

/** Longer than any machine needs: how long a test waits is no claim about the product. */
const patienceMs = 20_000;
const quick = { group_wait_ms: 0, retry_from_ms: 1, retry_to_ms: 20, drain_timeout_ms: 200 };

/** One output in a collector, with quick groups and retries. */
export async function runOutput(
  plugin: Plugin,
  options: Readonly<Record<string, unknown>>,
  {
    env = {},
    delivery = {},
  }: {
    readonly env?: Readonly<Record<string, string>>;
    readonly delivery?: Readonly<Record<string, unknown>>;
  } = {},
) {
  const collector = await startTestCollector({
    plugins: [{ plugin, options: { ...options, delivery: { ...quick, ...delivery } } }],
    env,
  });
  const pipeline = collector.getService(pipelineToken);
  const stalls: string[] = [];
  collector.events.on('output.stalled', ({ why }) => void stalls.push(why));
  const running = {
    collector,
    /** Why it says that it takes nothing. */
    stalls,
    get counters() {
      return pipeline.counters.outputs[plugin.name]!;
    },
    get logText() {
      return JSON.stringify(collector.logLines);
    },
    push: (...batches: readonly Batch[]) => {
      for (const batch of batches) pipeline.push(batch);
    },
    /** Pushes, and waits until nothing is queued; rejects when that never comes. */
    async deliver(...batches: readonly Batch[]) {
      running.push(...batches);
      await running.until(() => running.counters.queued === 0);
    },
    async until(holds: () => boolean) {
      for (const end = Date.now() + patienceMs; !holds(); await sleep(2)) {
        if (Date.now() < end) continue;
        const last = collector.logLines.slice(-4);
        throw new Error(JSON.stringify({ counters: running.counters, stalls, last }, undefined, 1));
      }
    },
    [Symbol.asyncDispose]: () => collector.stop(),
  };
  return running;
}

/** What a start fails with, its cause included; the start must fail. */
export async function startFailure(
  plugin: Plugin,
  options: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    await startTestCollector({ plugins: [{ plugin, options }], env }).then((collector) => collector.stop());
  } catch (error) {
    return explainError(error);
  }
  throw new Error('it started');
}

/** A stop must not wait for the other side, and must leave no connection. */
export async function assertEndsSoon(output: Awaited<ReturnType<typeof runOutput>>): Promise<void> {
  const countSockets = () =>
    process.getActiveResourcesInfo().filter((each) => each === 'TCPSocketWrap').length;
  const before = countSockets();
  const begunMs = performance.now();
  await output[Symbol.asyncDispose]();
  const tookMs = performance.now() - begunMs;
  assert.ok(tookMs < 3_000, `the stop took ${tookMs} ms`);
  for (const end = Date.now() + patienceMs; countSockets() >= before; await sleep(5)) {
    assert.ok(Date.now() < end, 'its connection is still there');
  }
}
