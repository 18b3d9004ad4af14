import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Batch, explainError, type Plugin, pipelineToken } from '../../../../src/index.ts';
import { startTestCollector } from '../../../../src/testing/index.ts';

/** Longer than any machine needs. It only ends a hung test. */
const patienceMs = 20_000;
const quick = { group_wait_ms: 0, retry_from_ms: 1, retry_to_ms: 20, drain_timeout_ms: 200 };

/** Runs one output in a collector, with short pauses. */
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
    /** The reasons of its output.stalled events. */
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
    /** Pushes batches and waits until the queue is empty. */
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

/** Returns the error of a start that must fail, including its cause. */
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

/** The outputs wait 10 s or longer for an answer of a server. `npm run bench -- outputs/stop` measures how long a stop takes. */
const shortestAnswerMs = 10_000;

/** Stops an output whose server does not answer. The stop must not wait for the answer. */
export async function stopBeforeTimeouts(output: { [Symbol.asyncDispose](): Promise<void> }): Promise<void> {
  const ending = new AbortController();
  const isLate = sleep(shortestAnswerMs - 1_000, true, { signal: ending.signal }).catch(() => false);
  const isStopped = output[Symbol.asyncDispose]().then(() => false);
  assert.equal(await Promise.race([isLate, isStopped]), false, 'the stop waits for the server');
  ending.abort();
}

/** A stop must not wait for the server, and must leave no connection. */
export async function assertStopsCleanly(output: Awaited<ReturnType<typeof runOutput>>): Promise<void> {
  const countSockets = () =>
    process.getActiveResourcesInfo().filter((each) => each === 'TCPSocketWrap').length;
  const before = countSockets();
  await stopBeforeTimeouts(output);
  for (const end = Date.now() + patienceMs; countSockets() >= before; await sleep(5)) {
    assert.ok(Date.now() < end, 'its connection is still open');
  }
}
