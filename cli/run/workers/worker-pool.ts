import { type ChildProcess, fork } from 'node:child_process';
import { extname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { waitedMs } from '../../../src/kernel/granted-time.ts';
import type { EventBus, Logger } from '../../../src/kernel/index.ts';
import type { MemoryStore } from '../../../src/sharding/index.ts';
import { forwardLines } from './forward-lines.ts';
import { MessageBatch } from './message-batch.ts';
import { type ServedStore, serveStore } from './serve-store.ts';
import type { ToParent, ToWorker, WorkerOrder } from './worker-messages.ts';

export interface PoolSettings {
  readonly names: readonly string[];
  readonly store: MemoryStore;
  readonly order: Omit<WorkerOrder, 'name' | 'stateDirectory'>;
  /** Each worker has a directory of its own below it. */
  readonly directory: string;
  readonly log: Logger;
  readonly events: EventBus;
}

/** What the parent knows of a worker. */
export interface WorkerStatus {
  readonly name: string;
  readonly pid: number | undefined;
  /** Whether it runs and may claim shards. */
  readonly isUp: boolean;
  /** How often it was started again. */
  readonly restarts: number;
  /** How often it has ended since it ran for a minute. */
  readonly failures: number;
}

const firstPauseMs = 250;
const longestPauseMs = 30_000;
/** After this time, an end is not the consequence of the start any more. */
const steadyMs = 60_000;
/** From so many ends in a row on, the operator has to do something. */
const crashLoop = 5;
/** How long the workers that are ready wait for the others before they claim shards. */
const waitForOthersMs = 30_000;
const startWithinMs = 120_000;
const stopWithinMs = 40_000;
const lookEveryMs = 500;

const modulePath = fileURLToPath(
  new URL(`./collector-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url),
);

/**
 * What polls allocate is garbage when the next poll begins. In a small young generation it is found sooner: that saves the memory of each
 * worker, and stays in the caches of its core. A person's own setting wins.
 */
function workerFlags(): string[] {
  const isSet = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((each) =>
    each.includes('semi-space-size'),
  );
  return isSet ? process.execArgv : [...process.execArgv, '--max-semi-space-size=2'];
}

/** Runs the workers: starts them, finds out when one has ended or hangs, and replaces it. */
export class WorkerPool {
  readonly #settings: PoolSettings;
  readonly #workers: readonly Worker[];
  #mayJoin = false;
  #isStopping = false;
  #looked = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #othersTimer: NodeJS.Timeout | undefined;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#workers = settings.names.map((name) => new Worker(name));
  }

  list(): readonly WorkerStatus[] {
    return this.#workers.map(({ name, child, isUp, restarts, failures }) => ({
      name,
      pid: child?.pid,
      isUp,
      restarts,
      failures,
    }));
  }

  start(): void {
    for (const worker of this.#workers) this.#launch(worker);
    this.#timer = setInterval(() => this.#look(), lookEveryMs);
    this.#othersTimer = setTimeout(() => this.#joinAll(), waitForOthersMs);
  }

  /** Lets every worker end its work. Resolves when all processes have ended. */
  async stop(why: string): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    clearTimeout(this.#othersTimer);
    await Promise.all(this.#workers.map((worker) => this.#stopOne(worker, why)));
  }

  #launch(worker: Worker): void {
    const { store, order, directory, log } = this.#settings;
    const { name } = worker;
    const child = fork(modulePath, {
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      execArgv: workerFlags(),
      env: { MALLOC_ARENA_MAX: '2', ...process.env },
    });
    const toWorker = new MessageBatch<ToWorker>((messages) => {
      if (child.connected) child.send(messages, () => {});
    });
    const send = (message: ToWorker) => toWorker.add(message);
    const served = serveStore({
      store,
      send,
      address: () => worker.address,
      allRegistered: () => this.#allRegistered(),
    });
    worker.begin(child, served, send);
    forwardLines(child.stdout!, process.stdout);
    child.on('message', (messages: readonly ToParent[]) => {
      for (const message of messages) {
        if (message.kind === 'ready') this.#onReady(worker, message.address);
        else served.take(message);
      }
    });
    let hasEnded = false;
    const onEnd = (why: string) => {
      if (hasEnded) return;
      hasEnded = true;
      served.end();
      this.#onEnd(worker, why);
    };
    child.on('error', (error) => onEnd(error.message));
    child.on('exit', (code, signal) =>
      onEnd(signal === null ? `it exited with ${code}` : `it was ended by ${signal}`),
    );
    send({ kind: 'begin', order: { ...order, name, stateDirectory: join(directory, name) } });
    log.debug({ worker: name, pid: child.pid }, 'A worker was started.');
  }

  #onReady(worker: Worker, address: string): void {
    worker.address = address;
    worker.isReady = true;
    if (this.#mayJoin) this.#join(worker);
    else if (this.#workers.every(({ isReady }) => isReady)) this.#joinAll();
  }

  #joinAll(): void {
    clearTimeout(this.#othersTimer);
    this.#mayJoin = true;
    for (const worker of this.#workers) if (worker.isReady && !worker.isUp) this.#join(worker);
  }

  #join(worker: Worker): void {
    const { events, log } = this.#settings;
    worker.isUp = true;
    worker.send({ kind: 'join' });
    events.emit('worker.started', { worker: worker.name, restarts: worker.restarts });
    log.info({ worker: worker.name, pid: worker.child?.pid }, 'A worker has begun.');
  }

  /** A moment for those that were told to join at the same time. */
  async #allRegistered(): Promise<void> {
    const { store } = this.#settings;
    for (let turn = 0; turn < 25; turn++) {
      const { members } = store.snapshot();
      if (this.#workers.every(({ name, isUp }) => !isUp || members.has(name))) return;
      await pause(20);
    }
  }

  #onEnd(worker: Worker, why: string): void {
    const { events, log } = this.#settings;
    const ranMs = worker.end();
    if (this.#isStopping) return;
    const failures = ranMs > steadyMs ? 1 : worker.failures + 1;
    worker.failures = failures;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
    const facts = { worker: worker.name, why, failures, restartMs: pauseMs };
    if (failures >= crashLoop)
      log.error(facts, 'A worker ends again and again. Its devices are asked by the others.');
    else log.warn(facts, 'A worker has ended. The others ask its devices until it runs again.');
    events.emit('worker.ended', facts);
    worker.timer = setTimeout(() => {
      worker.restarts++;
      this.#launch(worker);
    }, pauseMs);
  }

  /** Ends workers that hang. After a pause of this process nothing is known about them, so it looks again. */
  #look(): void {
    const nowMs = performance.now();
    const wasPaused = nowMs - this.#looked > 2 * lookEveryMs;
    this.#looked = nowMs;
    if (wasPaused) return;
    const { leaseMs } = this.#settings.order;
    for (const worker of this.#workers) {
      const { child, served, isReady, startedMs } = worker;
      const isLate = isReady
        ? served?.renewedMs !== undefined && nowMs - served.renewedMs > leaseMs
        : nowMs - startedMs - waitedMs(child?.pid ?? 0) > startWithinMs;
      if (child === undefined || !isLate) continue;
      this.#settings.log.error(
        { worker: worker.name, pid: child.pid },
        'A worker does not respond. It is replaced.',
      );
      child.kill('SIGKILL');
    }
  }

  async #stopOne(worker: Worker, why: string): Promise<void> {
    clearTimeout(worker.timer);
    const { child } = worker;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
    worker.send({ kind: 'stop', why });
    const cut = setTimeout(() => {
      this.#settings.log.error({ worker: worker.name }, 'A worker did not stop in time. It is ended.');
      child.kill('SIGKILL');
    }, stopWithinMs);
    await ended;
    clearTimeout(cut);
  }
}

/** One worker over all its processes. */
class Worker {
  readonly name: string;
  child: ChildProcess | undefined;
  served: ServedStore | undefined;
  send: (message: ToWorker) => void = () => {};
  address: string | undefined;
  isReady = false;
  isUp = false;
  restarts = 0;
  failures = 0;
  startedMs = 0;
  timer: NodeJS.Timeout | undefined;

  constructor(name: string) {
    this.name = name;
  }

  begin(child: ChildProcess, served: ServedStore, send: (message: ToWorker) => void): void {
    this.child = child;
    this.served = served;
    this.send = send;
    this.startedMs = performance.now();
  }

  /** Returns for how long it ran. */
  end(): number {
    this.child = undefined;
    this.served = undefined;
    this.send = () => {};
    this.isReady = false;
    this.isUp = false;
    return performance.now() - this.startedMs;
  }
}
