import type { Oid } from '../../../src/model/index.ts';
import type { PackedOids } from './packed-oids.ts';

/** OIDs that belong together: a table, a single column, or neighbouring scalars. */
export interface Subtree {
  /** The entry of a table, a column, or the parent of scalars. */
  readonly oid: Oid;
  readonly values: number;
  /** The columns of a table. Scalars count as columns of one row. */
  readonly columns: number;
}

/**
 * Groups OIDs that no definition covers into tables. Without a MIB only their shape helps: the OID of an entry ends with 1
 * (RFC 2578 §7.1.12), and its columns have the same instances.
 */
export function cutSubtrees(oids: PackedOids): Subtree[] {
  return cutByKind(oids).map(({ kind: _, ...subtree }) => subtree);
}

/** The same with what each subtree seems to be. */
export function cutByKind(oids: PackedOids): KnownSubtree[] {
  const all = { from: 0, to: oids.size, count: oids.size };
  return new SubtreeCutter(oids).cut(all, 0);
}

/** The OIDs `from` to `to`, which share their first arcs. Scalars that were cut off do not count. */
interface Branch {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface KnownSubtree extends Subtree {
  readonly kind: 'table' | 'column' | 'scalars';
}

class SubtreeCutter {
  readonly #oids: PackedOids;
  /** 1 for a scalar that was cut off. */
  readonly #isCut: Uint8Array;
  /** The arcs that all OIDs of the current branch share. */
  readonly #path = new Float64Array(129);

  constructor(oids: PackedOids) {
    this.#oids = oids;
    this.#isCut = new Uint8Array(oids.size);
  }

  /** Cuts a branch whose first `depth` arcs are in the path. */
  cut({ from, to, count }: Branch, depth: number): KnownSubtree[] {
    if (count === 0) return [];
    const scalars = this.#cutScalars(from, to, depth);
    const others = { from, to, count: count - scalars };
    const oid = this.#nameOf(depth);
    const cuts = others.count === 0 ? [] : this.#cutTables(others, depth);
    return scalars === 0 ? cuts : [{ kind: 'scalars', oid, values: scalars, columns: scalars }, ...cuts];
  }

  #cutTables(branch: Branch, depth: number): KnownSubtree[] {
    const { count } = branch;
    const oid = this.#nameOf(depth);
    if (this.#hasLeaf(branch, depth)) return [{ kind: 'column', oid, values: count, columns: 1 }];
    const children = this.#childrenOf(branch, depth);
    if (this.#isEntry(children, depth)) {
      return [{ kind: 'table', oid, values: count, columns: children.length }];
    }
    const isColumn = this.#path[depth - 2] === 1;
    const cuts = children.flatMap((child) => {
      this.#oids.readArcs(child.from, this.#path);
      return this.cut(child, depth + 1);
    });
    const isOneColumn = isColumn && cuts.length > 1 && cuts.every(({ kind }) => kind === 'column');
    return isOneColumn ? [{ kind: 'column', oid, values: count, columns: 1 }] : cuts;
  }

  /** Cuts off the OIDs that are one arc below the branch, and instance 0. Returns how many. */
  #cutScalars(from: number, to: number, depth: number): number {
    const arcs = new Float64Array(this.#path.length);
    let count = 0;
    for (let at = from; at < to; at++) {
      if (this.#isCut[at] === 1 || this.#oids.lengthOf(at) !== depth + 2) continue;
      // No two OIDs are equal, so the last arc is never shared.
      this.#oids.readArcs(at, arcs);
      if (arcs[depth + 1] !== 0) continue;
      this.#isCut[at] = 1;
      count++;
    }
    return count;
  }

  #hasLeaf({ from, to }: Branch, depth: number): boolean {
    for (let at = from; at < to; at++) {
      if (this.#isCut[at] === 0 && this.#oids.lengthOf(at) <= depth + 1) return true;
    }
    return false;
  }

  #childrenOf({ from, to }: Branch, depth: number): Branch[] {
    const children: Branch[] = [];
    let start = from;
    let count = 0;
    for (let at = from; at < to; at++) {
      if (at > start && this.#oids.sharedOf(at) <= depth) {
        if (count > 0) children.push({ from: start, to: at, count });
        start = at;
        count = 0;
      }
      if (this.#isCut[at] === 0) count++;
    }
    if (count > 0) children.push({ from: start, to, count });
    return children;
  }

  /** Whether at least half of the columns have half of the instances of the longest one. */
  #isEntry(columns: readonly Branch[], depth: number): boolean {
    if (depth === 0 || this.#path[depth - 1] !== 1 || columns.length < 2) return false;
    const longest = columns.reduce((most, column) => (column.count > most.count ? column : most));
    const instances = new Uint32Array(longest.count);
    let next = 0;
    this.#hashInstances(longest, depth, (hash) => {
      instances[next++] = hash;
    });
    instances.sort();
    const alike = columns.filter((column) => {
      if (column === longest) return false;
      let common = 0;
      this.#hashInstances(column, depth, (hash) => {
        if (contains(instances, hash)) common++;
      });
      return 2 * common >= column.count;
    });
    return 2 * alike.length >= columns.length - 1;
  }

  /** Calls `use` with a hash of what follows the column in each OID. Two instances with the same hash are too rare to matter. */
  #hashInstances({ from, to }: Branch, depth: number, use: (hash: number) => void): void {
    const arcs = new Float64Array(this.#path.length);
    const hashes = new Uint32Array(this.#path.length);
    for (let at = from; at < to; at++) {
      const length = this.#oids.lengthOf(at);
      this.#oids.readArcs(at, arcs);
      const known = at === from ? 0 : this.#oids.sharedOf(at);
      for (let arc = Math.max(known, depth + 1); arc < length; arc++) {
        hashes[arc] = mix(arc === depth + 1 ? 0 : hashes[arc - 1]!, arcs[arc]!);
      }
      if (this.#isCut[at] === 0) use(length > depth + 1 ? hashes[length - 1]! : 0);
    }
  }

  #nameOf(depth: number): Oid {
    return this.#path.subarray(0, depth).join('.');
  }
}

/** Adds an arc to a hash. */
function mix(hash: number, arc: number): number {
  let mixed = Math.imul((hash ^ arc) >>> 0, 0x85ebca6b) + 0x9e3779b9;
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

function contains(sorted: Uint32Array, wanted: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted;
}
