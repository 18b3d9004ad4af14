import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { httpRoutesToken, type Metric } from '../../../plugins/http-routes/service.ts';
import type { CollectorSetup } from '../../../src/collector/index.ts';
import type { Collector, Logger } from '../../../src/kernel/index.ts';
import { MemoryStore } from '../../../src/sharding/memory-coordinator.ts';
import { systemClock } from '../../../src/timing/clock.ts';
import { releaseMemory } from './release-memory.ts';
import { WorkerPool, type WorkerStatus } from './worker-pool.ts';
import { setUpParent } from './worker-setup.ts';
import { defineWorkerShards, parentName } from './worker-shards.ts';
import { workersDirectory } from './worker-state.ts';

/** How long a worker that does not answer keeps its devices. */
const leaseMs = 10_000;

/** Then the workers have begun, and the thread that reads definitions has ended. */
const startedWithinMs = 15_000;

/** The parent's part of a collector with workers. */
export interface Workers {
  readonly names: readonly string[];
  /** The setup that the parent runs. */
  readonly setup: Pick<CollectorSetup, 'keys' | 'plugins'>;
  /** Starts the workers of a collector that runs. */
  start(collector: Collector): void;
  /** Lets the workers end their work. Resolves when all of them have ended. */
  stop(why: string): Promise<void>;
}

export interface WorkersSettings {
  readonly count: number;
  /** The path of the configuration. */
  readonly config: string;
  readonly debugPlugins: boolean;
}

/** Prepares a parent and its workers. Nothing has started yet. */
export function prepareWorkers(
  setup: CollectorSetup,
  log: Logger,
  { count, config, debugPlugins }: WorkersSettings,
): Workers {
  const store = new MemoryStore(systemClock);
  const token = randomBytes(32).toString('base64url');
  let begin = () => {};
  const shards = defineWorkerShards({
    name: parentName,
    weight: 0,
    coordinator: store.connect(),
    leaseMs,
    token,
    onReady: (run) => {
      begin = run;
    },
    isLast: () => true,
    listProblems: () => listProblems(pool?.list() ?? []),
  });
  const text = readFileSync(config, 'utf8');
  const names = Array.from({ length: count }, (_, i) => `worker-${i + 1}`);
  let pool: WorkerPool | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    names,
    setup: setUpParent(setup, shards),
    start(collector) {
      begin();
      pool = new WorkerPool({
        names,
        store,
        order: { config, text, leaseMs, token, debugPlugins },
        directory: workersDirectory(setup.keys.state_directory),
        log,
        events: collector.events,
      });
      const { list } = pool;
      if (collector.describe().plugins.some(({ provides }) => provides === httpRoutesToken.name))
        collector.getService(httpRoutesToken).addMetrics(() => listMetrics(list.call(pool)));
      pool.start();
      timer = setTimeout(releaseMemory, startedWithinMs);
    },
    async stop(why) {
      clearTimeout(timer);
      await pool?.stop(why);
      store.close();
    },
  };
}

function listProblems(workers: readonly WorkerStatus[]): string[] {
  return workers
    .filter(({ isUp }) => !isUp)
    .map(({ name, failures }) =>
      failures === 0
        ? `The worker ${name} is starting.`
        : `The worker ${name} has ended ${failures === 1 ? 'and is' : `${failures} times in a row, and is`} started again. The others ask its devices.`,
    );
}

function listMetrics(workers: readonly WorkerStatus[]): Metric[] {
  const list = (
    type: Metric['type'],
    name: string,
    help: string,
    read: (worker: WorkerStatus) => number,
  ): Metric => ({
    name: `waywiser_${name}`,
    help,
    type,
    samples: workers.map((worker) => ({ labels: { worker: worker.name }, value: read(worker) })),
  });
  return [
    list('gauge', 'worker_up', 'Whether the worker runs.', ({ isUp }) => (isUp ? 1 : 0)),
    list(
      'counter',
      'worker_restarts_total',
      'How often the worker was started again.',
      ({ restarts }) => restarts,
    ),
    list(
      'gauge',
      'worker_failures',
      'How often the worker has ended since it ran for a minute.',
      ({ failures }) => failures,
    ),
  ];
}
