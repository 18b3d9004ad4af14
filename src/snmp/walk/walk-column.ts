import type { Oid } from '../../model/oid.ts';
import { compareOidBytes } from '../codec/oid-bytes.ts';
import type { OidStem } from '../codec/oid-text-cache.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import type { OidRanges } from '../codec/varbind-codec.ts';
import { partArcs } from './walk-proof.ts';

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
  /** The varbind of the current reply that was taken last; -1 before the first one. */
  #taken = -1;
  /** Of the OID that was taken last. */
  #stem: OidStem | undefined = undefined;
  #lastArc = 0;

  constructor(root: Oid, octets: Uint8Array) {
    this.root = root;
    this.#root = octets;
    this.last = octets;
  }

  /** Takes a varbind of the current reply. Returns false when it is not part of the column: then the column is done. */
  take(varbind: Varbind, index: number, bytes: Uint8Array, ranges: OidRanges): boolean {
    const stem = ranges.stems[index];
    const lastArc = ranges.lastArcs[index]!;
    const isEnd = varbind.type === 'endOfMibView';
    // Most neighbours differ in the last arc only. The root holds all OIDs of a stem when it holds one of them.
    const isNext = stem !== undefined && stem === this.#stem && lastArc > this.#lastArc;
    if (isEnd || !(isNext || this.holds(bytes, ranges.starts[index]!, ranges.ends[index]!))) {
      this.isDone = true;
      return false;
    }
    if (!isNext && !this.#isBehind(bytes, ranges, index)) {
      this.stop('notIncreasing');
      return false;
    }
    this.isFound = true;
    this.#taken = index;
    this.#stem = stem;
    this.#lastArc = lastArc;
    return true;
  }

  /** Continues behind this OID. */
  skipTo(octets: Uint8Array): void {
    this.last = octets;
    this.#taken = -1;
    this.#stem = undefined;
  }

  /** The OID of the instance that another column has at this position, if this column has not come as far. */
  findAhead(other: WalkColumn, bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
    const index = bytes.subarray(start + other.#root.length, end);
    const own = Buffer.concat([this.#root, index]);
    return compareOidBytes(own, 0, own.length, this.last, 0, this.last.length) > 0 ? own : undefined;
  }

  /** Keeps a copy of the last OID before its datagram is reused. Returns whether a part of the tree has ended. */
  settle(bytes: Uint8Array, ranges: OidRanges): boolean {
    if (this.#taken < 0) return false;
    const before = this.last;
    this.last = Uint8Array.prototype.slice.call(bytes, ranges.starts[this.#taken], ranges.ends[this.#taken]);
    this.#taken = -1;
    return isNextPart(this.last, before);
  }

  stop(reason: PartialReason): void {
    this.isDone = true;
    this.reason = reason;
  }

  /** Whether the OID lies below the root. */
  holds(bytes: Uint8Array, start: number, end: number): boolean {
    const root = this.#root;
    if (end - start <= root.length) return false;
    for (let i = root.length - 1; i >= 0; i--) if (root[i] !== bytes[start + i]) return false;
    return true;
  }

  /** Whether the OID follows the last one that was taken. */
  #isBehind(bytes: Uint8Array, { starts, ends }: OidRanges, index: number): boolean {
    const [start, end, taken] = [starts[index]!, ends[index]!, this.#taken];
    return taken < 0
      ? compareOidBytes(bytes, start, end, this.last, 0, this.last.length) > 0
      : compareOidBytes(bytes, start, end, bytes, starts[taken]!, ends[taken]!) > 0;
  }
}

/** Whether the first arcs of the OIDs differ. The last arc of an OID never counts: it may be all that an endless row of OIDs changes. */
function isNextPart(oid: Uint8Array, before: Uint8Array): boolean {
  // The first octet stands for two arcs.
  let arcs = 1;
  let at = 0;
  for (; at < oid.length && oid[at] === before[at]; at++)
    if (oid[at]! < 0x80 && ++arcs === partArcs) return false;
  while (at < oid.length && oid[at]! >= 0x80) at++;
  return at < oid.length - 1;
}
