import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { assembleCollector, type CollectorSetup, loadSetup } from '../../src/collector/index.ts';
import type { Collector, ConfiguredPlugin } from '../../src/kernel/index.ts';
import { createLogger } from '../../src/kernel/index.ts';
import type { Batch } from '../../src/model/index.ts';
import { suggestName } from '../../src/nearest-name.ts';
import { pipelineToken } from '../../src/pipeline/index.ts';
import { cliFailure } from '../cli-errors.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';

/** Delivery options for a single attempt, without waiting for more rows. */
const once = {
  group_wait_ms: 0,
  attempt_timeout_ms: 15_000,
  retry_from_ms: 600_000,
  retry_to_ms: 600_000,
  stall_after_ms: 0,
  drain_timeout_ms: 0,
  dead_letter_bytes: 0,
};

/** `waywiser output test NAME`: starts only this output, sends one row and prints the result. */
export async function testOutput(name: string, { config }: { readonly config: string }): Promise<number> {
  const { keys, plugins } = await loadSetup(config, { env, only: [name] });
  const output = findOutput(name, keys, plugins);
  const stateDirectory = mkdtempSync(join(tmpdir(), 'waywiser-test-'));
  const log = new OutputLog(output.name, (message) => console.log(message));
  const collector = assembleCollector(
    {
      keys: { ...keys, state_directory: stateDirectory },
      plugins: plugins.map((plugin) => (plugin === output ? deliverOnce(plugin) : plugin)),
    },
    createLogger({ level: 'info', instance: keys.instance, destination: log }),
  );
  try {
    await collector.start();
    return report(await sendSample(collector, output.name, keys.instance), log);
  } finally {
    await collector.stop('the test ended');
    rmSync(stateDirectory, { recursive: true, force: true });
  }
}

function findOutput(name: string, keys: CollectorSetup['keys'], plugins: CollectorSetup['plugins']) {
  const output = plugins.find((plugin) => plugin.key === name);
  if (output === undefined) {
    const known = Object.keys(keys.plugins);
    const suggestion = suggestName(name, known);
    throw cliFailure('OUTPUT_NOT_CONFIGURED', {
      output: name,
      suggestion,
      known: known.join(', ') || 'none',
    });
  }
  const { kind } = output.plugin;
  if (kind !== 'output') throw cliFailure('PLUGIN_IS_NO_OUTPUT', { output: name, kind });
  return output;
}

/** With a queue in memory, so that the test does not touch the queue of a running collector. */
function deliverOnce(output: ConfiguredPlugin): ConfiguredPlugin {
  const options = output.options as Readonly<Record<string, unknown>>;
  const delivery = { ...(options['delivery'] as object | undefined), ...once };
  return { ...output, options: { ...options, ...('queue' in options ? { queue: 'memory' } : {}), delivery } };
}

interface Outcome {
  readonly what: 'accepted' | 'refused' | 'failed';
  readonly tookMs: number;
}

async function sendSample(collector: Collector, output: string, instance: string): Promise<Outcome> {
  const pipeline = collector.getService(pipelineToken);
  let hasFailed = false;
  collector.events.on('output.stalled', () => {
    hasFailed = true;
  });
  const begunMs = performance.now();
  pipeline.push(createSampleBatch(instance, Date.now()));
  for (;;) {
    const { delivered, dropped } = pipeline.counters.outputs[output]!;
    const tookMs = Math.round(performance.now() - begunMs);
    if (delivered > 0) return { what: 'accepted', tookMs };
    if (dropped > 0) return { what: 'refused', tookMs };
    if (hasFailed) return { what: 'failed', tookMs };
    await sleep(1);
  }
}

const sentences = {
  accepted:
    'The output accepted the sample after {ms} ms: record waywiser::test of the device waywiser-test.',
  refused:
    'The output rejected the sample permanently after {ms} ms. A collector would drop and count such rows.',
  failed:
    'The output could not deliver the sample within {ms} ms. A collector would queue such rows and try again.',
};

function report({ what, tookMs }: Outcome, { lastError }: OutputLog): number {
  console.log(sentences[what].replace('{ms}', String(tookMs)));
  if (what === 'accepted') return exitCodes.done;
  if (lastError !== undefined) {
    const code = lastError.code === undefined ? '' : colours.dim(` [${lastError.code}]`);
    console.error(`${colours.red('error:')} ${lastError.message}${code}`);
    for (const cause of listLoggedCauses(lastError)) console.error(`  because: ${cause}`);
  }
  return exitCodes.failed;
}

/** One row with a counter, a number and a text, under names that no device has. */
function createSampleBatch(instance: string, nowMs: number): Batch {
  const rows = { count: 1, keys: ['1'], labels: { 'test.index': ['1'] } };
  return {
    device: { name: 'waywiser-test', ip: 'localhost', port: 0 },
    tags: { test: 'true' },
    record: 'waywiser::test',
    plan: 'waywiser::test',
    generation: 0,
    sequence: 1,
    slotMs: nowMs,
    timeMs: nowMs,
    rows,
    columns: [
      { field: 'test.counter', kind: 'counter', metric: 'counter', words: Uint32Array.of(1, 0) },
      { field: 'test.number', kind: 'number', metric: 'gauge', values: Float64Array.of(1.5) },
      { field: 'test.text', kind: 'text', values: [`a test from ${instance}`] },
    ],
  };
}

/** An error in a line of the log. */
interface LoggedError {
  readonly message: string;
  readonly code?: string;
  readonly cause?: LoggedError | string | readonly (LoggedError | string)[];
}

/** Passes on the messages of one plugin and keeps its last error. */
class OutputLog {
  readonly #plugin: string;
  readonly #onMessage: (text: string) => void;
  lastError: LoggedError | undefined;

  constructor(plugin: string, onMessage: (text: string) => void) {
    this.#plugin = plugin;
    this.#onMessage = onMessage;
  }

  /** Called by the logger with each line. */
  write(line: string): void {
    const { plugin, level, message, error } = JSON.parse(line);
    if (plugin !== this.#plugin) return;
    if (error !== undefined) this.lastError = error;
    else if (level === 'info') this.#onMessage(message);
  }
}

/** The causes of an error, the outermost first. */
function listLoggedCauses({ cause }: LoggedError): string[] {
  return [cause ?? []]
    .flat()
    .flatMap((each) => (typeof each === 'string' ? [each] : [each.message, ...listLoggedCauses(each)]));
}
