import type { Oid } from '../../model/oid.ts';
import { compareOidBytes } from '../codec/oid-bytes.ts';

/** Why a subtree was not read to its end. */
export type PartialReason =
  | 'notIncreasing'
  | 'tooBig'
  | 'genErr'
  | 'emptyReplies'
  | 'unanswered'
  | 'maxVarbinds'
  | 'budget';

/** One subtree of a walk. */
export class WalkColumn {
  readonly root: Oid;
  /** Content octets of the OID after which the next request starts. */
  last: Uint8Array;
  isDone = false;
  reason: PartialReason | undefined = undefined;
  /** Whether it had a varbind. */
  isFound = false;
  readonly #root: Uint8Array;
  /** The last OID that was read, within the current datagram. */
  #bytes: Uint8Array;
  #start = 0;
  #end: number;

  constructor(root: Oid, octets: Uint8Array) {
    this.root = root;
    this.#root = octets;
    this.last = octets;
    this.#bytes = octets;
    this.#end = octets.length;
  }

  /** Whether the OID lies below the root. */
  holds(bytes: Uint8Array, start: number, end: number): boolean {
    const root = this.#root;
    if (end - start <= root.length) return false;
    for (let i = root.length - 1; i >= 0; i--) if (root[i] !== bytes[start + i]) return false;
    return true;
  }

  /** Whether the OID follows the last one that was read. */
  isBehind(bytes: Uint8Array, start: number, end: number): boolean {
    return compareOidBytes(bytes, start, end, this.#bytes, this.#start, this.#end) > 0;
  }

  advance(bytes: Uint8Array, start: number, end: number): void {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.isFound = true;
  }

  /** Continues behind this OID. */
  skipTo(octets: Uint8Array): void {
    this.last = octets;
    this.#bytes = octets;
    this.#start = 0;
    this.#end = octets.length;
  }

  /** The OID of the instance that another column has at this position, if this column has not come as far. */
  findAhead(other: WalkColumn, bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
    const index = bytes.subarray(start + other.#root.length, end);
    const own = Buffer.concat([this.#root, index]);
    return compareOidBytes(own, 0, own.length, this.last, 0, this.last.length) > 0 ? own : undefined;
  }

  /** Copies the last OID before its datagram is reused. */
  settle(): void {
    if (this.#bytes === this.last) return;
    this.last = Uint8Array.prototype.slice.call(this.#bytes, this.#start, this.#end);
    this.#bytes = this.last;
    this.#start = 0;
    this.#end = this.last.length;
  }

  stop(reason: PartialReason): void {
    this.isDone = true;
    this.reason = reason;
  }
}
