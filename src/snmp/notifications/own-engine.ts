/** RFC 3414 §2.2.3. */
const timeWindowSeconds = 150;
/** At this number no message is timely any more: the engine needs another ID. */
const lastBoots = 0x7fffffff;

/** Our engine, whose clock is authoritative for informs. `nowMs` is monotonic. */
export class OwnEngine {
  /** Hexadecimal. */
  readonly id: string;
  readonly octets: Buffer;
  readonly boots: number;
  readonly #startedMs: number;

  /** @param engineId 5 to 32 octets */
  constructor(engineId: Uint8Array, boots: number, nowMs: number) {
    this.octets = Buffer.from(engineId);
    this.id = this.octets.toString('hex');
    this.boots = boots;
    this.#startedMs = nowMs;
  }

  clock(nowMs: number): { readonly boots: number; readonly time: number } {
    return { boots: this.boots, time: Math.floor((nowMs - this.#startedMs) / 1000) };
  }

  isTimely(boots: number, time: number, nowMs: number): boolean {
    if (boots !== this.boots || boots === lastBoots) return false;
    return Math.abs(time - this.clock(nowMs).time) <= timeWindowSeconds;
  }
}
