import type { Oid } from '../../model/oid.ts';
import { compareOidBytes } from '../codec/oid-bytes.ts';

/** Why a subtree was not read to its end. */
export type PartialReason = 'notIncreasing' | 'tooBig' | 'genErr' | 'emptyReplies' | 'maxVarbinds' | 'budget';

/** One subtree on its way through a walk. */
export class WalkColumn {
  readonly root: Oid;
  /** Content octets of the OID that the next request starts behind. */
  last: Uint8Array;
  isDone = false;
  reason: PartialReason | undefined = undefined;
  readonly #root: Uint8Array;
  /** The OID read last, within the datagram that is being read. */
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

  /** Whether the OID comes behind the one read last. */
  isBehind(bytes: Uint8Array, start: number, end: number): boolean {
    return compareOidBytes(bytes, start, end, this.#bytes, this.#start, this.#end) > 0;
  }

  advance(bytes: Uint8Array, start: number, end: number): void {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  /** Keeps the OID read last when its datagram goes. */
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
