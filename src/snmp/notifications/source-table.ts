import { parseAddress } from '../../model/address-range.ts';
import { findRights, type NotificationRights, type SourceRights } from './sender-rights.ts';

const maxAllowed = 65_536;
const maxRefused = 8_192;

/** How many notifications a source may send, and how many replies it gets. */
export interface SourceLimits {
  readonly sourcePerSecond: number;
  readonly sourceBurst: number;
}

/** Counts within the current second. */
export class SecondCount {
  #second = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** Whether one more is allowed in this second; if so, it is counted. */
  take(nowMs: number, limit: number): boolean {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#count = 0;
    }
    if (this.#count >= limit) return false;
    this.#count++;
    return true;
  }
}

/** Allows a burst, and a steady rate after it. */
class TokenBucket {
  #tokens: number;
  #atMs: number;

  constructor(burst: number, nowMs: number) {
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  take(nowMs: number, { sourcePerSecond, sourceBurst }: SourceLimits): boolean {
    this.#tokens = Math.min(sourceBurst, this.#tokens + ((nowMs - this.#atMs) * sourcePerSecond) / 1000);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}

/** A source address that may send. */
export interface Source {
  readonly address: string;
  readonly rights: SourceRights;
  /** Those of one IPv6 /64 share it. */
  readonly limits: {
    readonly bucket: TokenBucket;
    readonly replies: SecondCount;
    readonly tries: SecondCount;
  };
}

/** What is known of each source address. Bounded: invented addresses push out invented ones only. */
export class SourceTable {
  readonly #limits: SourceLimits;
  #rights: NotificationRights;
  readonly #allowed = new Map<string, Source>();
  readonly #refused = new Set<string>();
  readonly #shared = new Map<string, Source['limits']>();

  constructor(rights: NotificationRights, limits: SourceLimits) {
    this.#rights = rights;
    this.#limits = limits;
  }

  /** Other rights apply from now on; limits stay as used up as they are. */
  setRights(rights: NotificationRights): void {
    this.#rights = rights;
    this.#allowed.clear();
    this.#refused.clear();
  }

  /** Undefined for an address that may not send. */
  find(address: string, nowMs: number): Source | undefined {
    const known = this.#allowed.get(address);
    if (known !== undefined) return known;
    if (this.#refused.has(address)) return undefined;
    const rights = findRights(this.#rights, address);
    if (rights === undefined) {
      if (this.#refused.size >= maxRefused) this.#refused.delete(this.#refused.values().next().value!);
      this.#refused.add(address);
      return undefined;
    }
    const source = { address, rights, limits: this.#limitsOf(address, nowMs) };
    if (this.#allowed.size >= maxAllowed) this.#allowed.delete(this.#allowed.keys().next().value!);
    this.#allowed.set(address, source);
    return source;
  }

  mayReceive(source: Source, nowMs: number): boolean {
    return source.limits.bucket.take(nowMs, this.#limits);
  }

  #limitsOf(address: string, nowMs: number): Source['limits'] {
    const key = networkOf(address);
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const limits = {
      bucket: new TokenBucket(this.#limits.sourceBurst, nowMs),
      replies: new SecondCount(),
      tries: new SecondCount(),
    };
    if (this.#shared.size >= maxAllowed) this.#shared.delete(this.#shared.keys().next().value!);
    this.#shared.set(key, limits);
    return limits;
  }
}

/** The address itself, or the /64 of an IPv6 address: a host has all of it to choose from. */
function networkOf(address: string): string {
  const range = address.includes(':') ? parseAddress(address.split('%')[0]!) : undefined;
  return range?.family === 6 ? `${range.first >> 64n}::` : address;
}
