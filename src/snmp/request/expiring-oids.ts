import type { Oid } from '../../model/oid.ts';

/** After this time, what a device did not answer, or answered wrongly, is asked again. */
export const askAgainMs = 3_600_000;
const maxOids = 256;

/** What was learned about some objects of a device, each for a while. */
export class ExpiringOids {
  // Created when needed: most devices answer everything, and there are many thousands.
  #untilMs: Map<Oid, number> | undefined = undefined;

  get size(): number {
    return this.#untilMs?.size ?? 0;
  }

  /** Until when each is known, in milliseconds since 1970. */
  get entries(): readonly (readonly [oid: Oid, untilMs: number])[] {
    return [...(this.#untilMs ?? [])];
  }

  add(oid: Oid, untilMs: number): void {
    this.#untilMs ??= new Map();
    if (this.#untilMs.size < maxOids || this.#untilMs.has(oid)) this.#untilMs.set(oid, untilMs);
  }

  /** Until when it is known. When its time is over, it is forgotten. */
  until(oid: Oid, nowMs: number): number | undefined {
    const untilMs = this.#untilMs?.get(oid);
    if (untilMs === undefined || nowMs < untilMs) return untilMs;
    this.#untilMs!.delete(oid);
    return undefined;
  }
}
