import type { Oid } from '../../model/oid.ts';

/** A column, or a scalar, that the device does not answer for, although it answers other requests. */
export interface SilentColumn {
  readonly column: Oid;
  /** When it is asked again, in milliseconds since 1970. */
  readonly untilMs: number;
}

/** After this time, what was not answered is asked again. */
export const askAgainMs = 3_600_000;
const maxSilent = 256;

/** What a device is not asked for now, because it did not answer for it. */
export class SilentColumns {
  // Created when needed: most devices answer everything, and there are many thousands.
  #untilMs: Map<Oid, number> | undefined = undefined;

  get size(): number {
    return this.#untilMs?.size ?? 0;
  }

  get list(): readonly SilentColumn[] {
    return Array.from(this.#untilMs ?? [], ([column, untilMs]) => ({ column, untilMs }));
  }

  add(column: Oid, untilMs: number): void {
    this.#untilMs ??= new Map();
    if (this.#untilMs.size < maxSilent || this.#untilMs.has(column)) this.#untilMs.set(column, untilMs);
  }

  /** Until when the column is left out. When its time is over, it is forgotten, and so asked again. */
  until(column: Oid, nowMs: number): number | undefined {
    const untilMs = this.#untilMs?.get(column);
    if (untilMs === undefined || nowMs < untilMs) return untilMs;
    this.#untilMs!.delete(column);
    return undefined;
  }
}
