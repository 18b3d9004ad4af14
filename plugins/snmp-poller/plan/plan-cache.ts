import { type Clock, workAtOnce, workInSlices } from '../../../src/internal.ts';
import type { DeviceShape } from './device-shape.ts';
import type { PollPlan } from './poll-plan.ts';

/** The plans of all devices of one shape. */
export interface SharedPlans {
  readonly key: string;
  readonly plans: readonly PollPlan[];
}

/** Compiles the plans of a shape by the definitions as they are when it is called, in steps. */
export type PlanCompiler = (shape: DeviceShape) => Generator<void, readonly PollPlan[]>;

/** More values than this take longer to compile than the event loop may be kept busy. */
const maxValuesAtOnce = 4_096;

interface Shelf extends SharedPlans {
  users: number;
}

/** Keeps each shape's plans as long as a device uses them: ten thousand equal devices share one. */
export class PlanCache {
  readonly #shelves = new Map<string, Shelf>();
  readonly #compile: PlanCompiler;
  readonly #clock: Clock;

  constructor(compile: PlanCompiler, clock: Clock) {
    this.#compile = compile;
    this.#clock = clock;
  }

  get size(): number {
    return this.#shelves.size;
  }

  /** The plans of a shape that are there, or quickly made; undefined for one that wants `prepare`. */
  acquire(shape: DeviceShape): SharedPlans | undefined {
    if (this.#shelves.has(shape.key)) return this.#take(shape.key);
    const values = shape.objects.reduce(
      (sum, { object, known }) => sum + known.instances.length * object.attributes.size,
      0,
    );
    return values > maxValuesAtOnce ? undefined : this.#put(shape.key, workAtOnce(this.#compile(shape)));
  }

  /** As `acquire`, between other work. Every plan that was taken wants its `release`. */
  async prepare(shape: DeviceShape): Promise<SharedPlans> {
    const plans = await workInSlices(this.#compile(shape), this.#clock);
    return this.#shelves.has(shape.key) ? this.#take(shape.key) : this.#put(shape.key, plans);
  }

  release({ key }: SharedPlans): void {
    const shelf = this.#shelves.get(key);
    if (shelf !== undefined && --shelf.users === 0) this.#shelves.delete(key);
  }

  #put(key: string, plans: readonly PollPlan[]): SharedPlans {
    this.#shelves.set(key, { key, plans, users: 0 });
    return this.#take(key);
  }

  #take(key: string): SharedPlans {
    const shelf = this.#shelves.get(key)!;
    shelf.users++;
    return shelf;
  }
}
