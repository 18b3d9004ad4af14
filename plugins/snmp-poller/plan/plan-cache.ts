import type { DeviceShape } from './device-shape.ts';
import type { PollPlan } from './poll-plan.ts';

/** The plans of all devices of one shape. */
export interface SharedPlans {
  readonly key: string;
  readonly plans: readonly PollPlan[];
}

interface Shelf extends SharedPlans {
  users: number;
}

/** Keeps each shape's plans as long as a device uses them: ten thousand equal devices share one. */
export class PlanCache {
  readonly #shelves = new Map<string, Shelf>();
  readonly #compile: (shape: DeviceShape) => readonly PollPlan[];

  constructor(compile: (shape: DeviceShape) => readonly PollPlan[]) {
    this.#compile = compile;
  }

  get size(): number {
    return this.#shelves.size;
  }

  /** Every `acquire` wants its `release`. */
  acquire(shape: DeviceShape): SharedPlans {
    let shelf = this.#shelves.get(shape.key);
    if (shelf === undefined) {
      shelf = { key: shape.key, plans: this.#compile(shape), users: 0 };
      this.#shelves.set(shape.key, shelf);
    }
    shelf.users++;
    return shelf;
  }

  release({ key }: SharedPlans): void {
    const shelf = this.#shelves.get(key);
    if (shelf !== undefined && --shelf.users === 0) this.#shelves.delete(key);
  }
}
