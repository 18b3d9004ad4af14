import { runToEnd, type SliceTurns } from '../../../src/timing/index.ts';
import type { DeviceShape } from './device-shape.ts';
import type { PollPlan } from './poll-plan.ts';

/** The plans that all devices of one shape share. */
export interface SharedPlans {
  readonly key: string;
  readonly plans: readonly PollPlan[];
}

/** Compiles the plans of a shape by the current definitions, in steps. */
export type PlanCompiler = (shape: DeviceShape) => Generator<void, readonly PollPlan[]>;

/** More values than this take too long to compile in one step: the event loop would be busy. */
const maxValuesPerStep = 2_048;

interface CachedPlans extends SharedPlans {
  users: number;
}

/** Keeps the plans of each shape while a device uses them. Ten thousand equal devices share one set of plans. */
export class PlanCache {
  readonly #cached = new Map<string, CachedPlans>();
  readonly #compile: PlanCompiler;
  readonly #slices: SliceTurns;

  constructor(compile: PlanCompiler, slices: SliceTurns) {
    this.#compile = compile;
    this.#slices = slices;
  }

  get size(): number {
    return this.#cached.size;
  }

  /** Returns plans that exist or compile quickly; undefined for a shape that needs `prepare`. */
  acquire(shape: DeviceShape): SharedPlans | undefined {
    if (this.#cached.has(shape.key)) return this.#take(shape.key);
    const values = shape.objects.reduce(
      (sum, { object, known }) => sum + known.instances.length * object.attributes.size,
      0,
    );
    return values > maxValuesPerStep ? undefined : this.#put(shape.key, runToEnd(this.#compile(shape)));
  }

  /** As `acquire`, between other work. Call `release` for all plans that were returned. */
  async prepare(shape: DeviceShape): Promise<SharedPlans> {
    const plans = await this.#slices.run(this.#compile(shape));
    return this.#cached.has(shape.key) ? this.#take(shape.key) : this.#put(shape.key, plans);
  }

  release({ key }: SharedPlans): void {
    const entry = this.#cached.get(key);
    if (entry !== undefined && --entry.users === 0) this.#cached.delete(key);
  }

  #put(key: string, plans: readonly PollPlan[]): SharedPlans {
    this.#cached.set(key, { key, plans, users: 0 });
    return this.#take(key);
  }

  #take(key: string): SharedPlans {
    const entry = this.#cached.get(key)!;
    entry.users++;
    return entry;
  }
}
