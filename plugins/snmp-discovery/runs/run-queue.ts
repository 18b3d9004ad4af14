import { randomUUID } from 'node:crypto';
import type { DiscoveryCause } from '../../../src/index.ts';
import { StartPace } from '../../../src/internal.ts';
import type { Device } from '../../device-registry/service.ts';
import type { RequestedRun } from '../service.ts';
import { QueuedRun } from './queued-run.ts';

export interface QueueSettings {
  readonly startsPerSecond: number;
  readonly maxConcurrent: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The number of the definitions that run now. */
  readonly generation: () => number;
  /** Does the work and ends the run; never rejects. */
  readonly execute: (run: QueuedRun) => Promise<void>;
}

/** Ended runs that are kept: whoever looks every second misses none. */
const leastKept = 500;
const removed = 'the device was removed';
const stopping = 'the collector stops';

/** One discovery a device at a time, so many starts a second and so many at once, whoever asks. */
export class RunQueue {
  readonly #settings: QueueSettings;
  /** Both in the order of their requests: a person who waits comes before what can wait. */
  readonly #urgent = new Map<Device, QueuedRun>();
  readonly #patient = new Map<Device, QueuedRun>();
  readonly #running = new Map<Device, QueuedRun>();
  readonly #ended: QueuedRun[] = [];
  readonly #pace: StartPace;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(settings: QueueSettings) {
    this.#settings = settings;
    this.#pace = new StartPace(settings.startsPerSecond);
  }

  /** Those that run or wait, then those that ended, newest first. */
  get runs(): readonly QueuedRun[] {
    const open = [this.#running, this.#urgent, this.#patient].flatMap((runs) => [...runs.values()]);
    return [...open, ...this.#ended.toReversed()];
  }

  request(device: Device, cause: DiscoveryCause): RequestedRun {
    const current = this.#findCurrent(device);
    const run = current ?? new QueuedRun(randomUUID(), device, cause, this.#settings.now());
    if (this.#isClosed) this.#giveUp(run, stopping);
    else if (run.state === 'waiting') this.#enqueue(run, cause);
    this.#startSome();
    return { run, joined: current !== undefined };
  }

  /** Answers with a run that was given up, for a device that is gone. */
  refuse(device: Device, cause: DiscoveryCause): RequestedRun {
    const run = new QueuedRun(randomUUID(), device, cause, this.#settings.now());
    this.#giveUp(run, removed);
    return { run, joined: false };
  }

  /** Ends what runs or waits for a device that is gone, or not to be asked any more. */
  cancel(device: Device, reason = removed): void {
    this.#running.get(device)?.abort.abort(reason);
    const waiting = this.#urgent.get(device) ?? this.#patient.get(device);
    if (waiting !== undefined) this.#giveUp(waiting, reason);
  }

  /** Aborts what runs, gives up what waits, and resolves when all have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const run of [...this.#urgent.values(), ...this.#patient.values()]) this.#giveUp(run, stopping);
    const left = [...this.#running.values()];
    for (const run of left) run.abort.abort(stopping);
    await Promise.all(left.map(({ ended }) => ended));
  }

  /** One that waits, or one that runs by the definitions and settings of now: what it finds is as good as what another would. */
  #findCurrent(device: Device): QueuedRun | undefined {
    const running = this.#running.get(device);
    const isUpToDate =
      running?.state === 'running' &&
      !running.abort.signal.aborted &&
      running.settings === device.settings &&
      running.generation === this.#settings.generation();
    return this.#urgent.get(device) ?? this.#patient.get(device) ?? (isUpToDate ? running : undefined);
  }

  #enqueue(run: QueuedRun, cause: DiscoveryCause): void {
    if (cause === 'requested' && this.#patient.delete(run.subject)) this.#urgent.set(run.subject, run);
    else if (!this.#urgent.has(run.subject))
      (cause === 'requested' ? this.#urgent : this.#patient).set(run.subject, run);
  }

  #startSome(): void {
    while (
      this.#timer === undefined &&
      !this.#isClosed &&
      this.#running.size < this.#settings.maxConcurrent
    ) {
      const run = this.#findStartable(this.#urgent) ?? this.#findStartable(this.#patient);
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
    this.#startSome();
  }

  /** The first one whose device has no run under way. */
  #findStartable(waiting: ReadonlyMap<Device, QueuedRun>): QueuedRun | undefined {
    for (const [device, run] of waiting) if (!this.#running.has(device)) return run;
    return undefined;
  }

  async #execute(run: QueuedRun): Promise<void> {
    const device = run.subject;
    this.#urgent.delete(device);
    this.#patient.delete(device);
    this.#running.set(device, run);
    run.begin(this.#settings.now(), this.#settings.generation());
    await this.#settings.execute(run);
    this.#running.delete(device);
    this.#keep(run);
    this.#startSome();
  }

  #giveUp(run: QueuedRun, reason: string): void {
    this.#urgent.delete(run.subject);
    this.#patient.delete(run.subject);
    run.giveUp(reason, this.#settings.now());
    this.#keep(run);
  }

  #keep(run: QueuedRun): void {
    this.#ended.push(run);
    const kept = Math.max(leastKept, 2 * this.#settings.startsPerSecond);
    if (this.#ended.length > kept) this.#ended.shift();
  }
}
