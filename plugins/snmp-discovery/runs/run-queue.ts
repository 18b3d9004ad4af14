import { randomUUID } from 'node:crypto';
import type { DiscoveryCause } from '../../../src/index.ts';
import { StartPace } from '../../../src/timing/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { PacketPace, RequestedRun } from '../service.ts';
import { QueuedRun } from './queued-run.ts';

export interface QueueSettings {
  readonly startsPerSecond: number;
  readonly maxConcurrent: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The number of the current definitions. */
  readonly generation: () => number;
  /** Executes and ends the run. Must never reject. */
  readonly execute: (run: QueuedRun) => Promise<void>;
}

/** Ended runs that are kept at least. A client that reads the runs every second sees all of them. */
const minKept = 500;
/** Runs that keep a pace, at the same time: enough that slow devices leave no turn unused, and few enough that other runs find room. */
const maxPaced = 10;
const removed = 'the device was removed';
const stopping = 'the collector is stopping';

/** Runs one discovery per device at a time, and limits the starts per second and the runs at the same time. */
export class RunQueue {
  readonly #settings: QueueSettings;
  /** Runs that a user waits for start first, then those that keep a pace, then the others. All are in the order of their requests. */
  readonly #urgent = new Map<Device, QueuedRun>();
  readonly #paced = new Map<Device, QueuedRun>();
  readonly #background = new Map<Device, QueuedRun>();
  readonly #running = new Map<Device, QueuedRun>();
  readonly #ended: QueuedRun[] = [];
  readonly #pace: StartPace;
  #runningPaced = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(settings: QueueSettings) {
    this.#settings = settings;
    this.#pace = new StartPace(settings.startsPerSecond);
  }

  /** Runs that are running or waiting, then runs that ended, newest first. */
  get runs(): readonly QueuedRun[] {
    const open = [this.#running, ...this.#waiting].flatMap((runs) => [...runs.values()]);
    return [...open, ...this.#ended.toReversed()];
  }

  /** A run keeps its pace until a user waits for it. */
  request(device: Device, cause: DiscoveryCause, pace?: PacketPace): RequestedRun {
    const current = this.#findCurrent(device);
    const joins = current !== undefined && (cause === 'forced' || !current.isPartial);
    const run = joins ? current : new QueuedRun(randomUUID(), device, cause, this.#settings.now(), pace);
    if (cause === 'requested') run.pace = undefined;
    run.isOnlyForced &&= cause === 'forced';
    if (this.#isClosed) this.#cancel(run, stopping);
    else if (run.state === 'waiting') this.#enqueue(run, cause);
    this.#startRuns();
    return { run, joined: joins };
  }

  /** Returns a cancelled run, for a device that was removed or that another collector owns. */
  refuse(device: Device, cause: DiscoveryCause, reason = removed): RequestedRun {
    const run = new QueuedRun(randomUUID(), device, cause, this.#settings.now());
    this.#cancel(run, reason);
    return { run, joined: false };
  }

  /** Cancels the runs of a device that was removed or disabled. */
  cancel(device: Device, reason = removed): void {
    this.#running.get(device)?.abort.abort(reason);
    const waiting = this.#findWaiting(device);
    if (waiting !== undefined) this.#cancel(waiting, reason);
  }

  /** Cancels the runs of these devices, and resolves when they have ended. */
  async cancelAll(devices: Iterable<Device>, reason: string): Promise<void> {
    const left: QueuedRun[] = [];
    for (const device of devices) {
      const running = this.#running.get(device);
      if (running !== undefined) left.push(running);
      this.cancel(device, reason);
    }
    await Promise.all(left.map(({ ended }) => ended));
  }

  /** Cancels all runs, and resolves when they have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const run of this.#waiting.flatMap((runs) => [...runs.values()])) this.#cancel(run, stopping);
    const left = [...this.#running.values()];
    for (const run of left) run.abort.abort(stopping);
    await Promise.all(left.map(({ ended }) => ended));
  }

  /** A run that a request can join: one that waits, or one that runs with the current definitions and settings. */
  #findCurrent(device: Device): QueuedRun | undefined {
    const running = this.#running.get(device);
    const isUpToDate =
      running?.state === 'running' &&
      !running.abort.signal.aborted &&
      running.settings === device.settings &&
      running.generation === this.#settings.generation();
    return this.#findWaiting(device) ?? (isUpToDate ? running : undefined);
  }

  get #waiting(): readonly Map<Device, QueuedRun>[] {
    return [this.#urgent, this.#paced, this.#background];
  }

  #findWaiting(device: Device): QueuedRun | undefined {
    return this.#urgent.get(device) ?? this.#paced.get(device) ?? this.#background.get(device);
  }

  #enqueue(run: QueuedRun, cause: DiscoveryCause): void {
    const { subject, pace } = run;
    if (this.#urgent.has(subject)) return;
    if (cause === 'requested') {
      this.#dequeue(subject);
      this.#urgent.set(subject, run);
    } else (pace === undefined ? this.#background : this.#paced).set(subject, run);
  }

  #dequeue(device: Device): void {
    for (const runs of this.#waiting) runs.delete(device);
  }

  #startRuns(): void {
    while (
      this.#timer === undefined &&
      !this.#isClosed &&
      this.#running.size < this.#settings.maxConcurrent
    ) {
      const run =
        this.#findStartable(this.#urgent) ?? this.#findPaced() ?? this.#findStartable(this.#background);
      if (run === undefined) return;
      const pauseMs = this.#pace.take(performance.now());
      if (pauseMs > 0) {
        this.#timer = setTimeout(() => this.#onTimer(), pauseMs);
        return;
      }
      void this.#execute(run);
    }
  }

  #onTimer(): void {
    this.#timer = undefined;
    this.#startRuns();
  }

  /** The first run whose device has no other run under way. */
  #findStartable(waiting: ReadonlyMap<Device, QueuedRun>): QueuedRun | undefined {
    for (const [device, run] of waiting) if (!this.#running.has(device)) return run;
    return undefined;
  }

  #findPaced(): QueuedRun | undefined {
    const most = Math.min(maxPaced, Math.ceil(this.#settings.maxConcurrent / 2));
    return this.#runningPaced < most ? this.#findStartable(this.#paced) : undefined;
  }

  async #execute(run: QueuedRun): Promise<void> {
    const device = run.subject;
    this.#dequeue(device);
    this.#running.set(device, run);
    const isPaced = run.pace !== undefined;
    if (isPaced) this.#runningPaced++;
    run.begin(this.#settings.now(), this.#settings.generation());
    await this.#settings.execute(run);
    if (isPaced) this.#runningPaced--;
    this.#running.delete(device);
    this.#keep(run);
    this.#startRuns();
  }

  #cancel(run: QueuedRun, reason: string): void {
    this.#dequeue(run.subject);
    run.cancel(reason, this.#settings.now());
    this.#keep(run);
  }

  #keep(run: QueuedRun): void {
    this.#ended.push(run);
    const kept = Math.max(minKept, 2 * this.#settings.startsPerSecond);
    if (this.#ended.length > kept) this.#ended.shift();
  }
}
