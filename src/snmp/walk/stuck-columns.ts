import type { Oid } from '../../model/oid.ts';
import { decodeOid } from '../codec/oid-bytes.ts';
import { encodeValidOid } from '../request/split-request.ts';
import type { WalkColumn } from './walk-column.ts';

/** Instances of other columns behind which a column is tried again. */
const maxAhead = 3;
/** Subtrees that are left out one after the other before the rest of a column is given up. */
const maxSkips = 6;
const maxArc = 4_294_967_295;

/** A column whose next varbind the device does not answer for. */
interface Stuck {
  readonly column: WalkColumn;
  /** OIDs of the column by the instances that other columns have there. */
  readonly ahead: Uint8Array[];
  /** Where it may continue; undefined before the first attempt. */
  targets: Uint8Array[] | undefined;
}

/**
 * Columns that wait until the others have ended. Then each continues behind what is not answered: at the next instance that another
 * column has, or, in a walk of one subtree, behind ever larger parts of it.
 */
export class StuckColumns {
  #all: Stuck[] = [];

  get size(): number {
    return this.#all.length;
  }

  get columns(): readonly WalkColumn[] {
    return this.#all.map(({ column }) => column);
  }

  has(column: WalkColumn): boolean {
    return this.#all.some((stuck) => stuck.column === column);
  }

  add(column: WalkColumn, others: readonly WalkColumn[]): void {
    this.#all.push({ column, ahead: [], targets: undefined });
    for (const other of others) if (other.isFound) this.noteInstance(other, other.last, 0, other.last.length);
  }

  /** Another column has this varbind. */
  noteInstance(other: WalkColumn, bytes: Uint8Array, start: number, end: number): void {
    for (const { column, ahead } of this.#all) {
      if (column === other || ahead.length >= maxAhead) continue;
      const target = column.findAhead(other, bytes, start, end);
      if (target !== undefined && !ahead.some((known) => Buffer.compare(known, target) === 0))
        ahead.push(target);
    }
  }

  remove(column: WalkColumn): void {
    this.#all = this.#all.filter((stuck) => stuck.column !== column);
  }

  /**
   * Moves the first column behind what it is stuck at. Undefined when nothing is left to try: then `isAtEnd` says whether it has most
   * likely ended, because what follows in the MIB is not answered either.
   */
  skip(isOnly: boolean): {
    readonly column: WalkColumn;
    readonly isAtEnd: boolean;
    readonly hasTarget: boolean;
  } {
    const stuck = this.#all[0]!;
    const { column, ahead } = stuck;
    const isFirst = stuck.targets === undefined;
    stuck.targets ??= isOnly ? listBehind(column) : ahead.slice(0, column.isFound ? maxAhead : 1);
    const target = stuck.targets.shift();
    if (target !== undefined) column.skipTo(target);
    const isAtEnd = column.isFound && (isOnly || isFirst);
    return { column, isAtEnd, hasTarget: target !== undefined };
  }
}

/** OIDs behind the last one: first behind the next instance, then behind larger and larger subtrees, at last behind the root. */
function listBehind({ root, last, isFound }: WalkColumn): Uint8Array[] {
  const base = root.split('.').length;
  const arcs = decodeOid(last)!.split('.').map(Number);
  const behind: Oid[] = [];
  if (!isFound) behind.push(`${root}.1.1.${maxArc}`);
  else {
    for (let depth = arcs.length - 1; depth >= base && behind.length < maxSkips; depth--) {
      const next = [...arcs.slice(0, depth), Math.min(arcs[depth]! + 1, maxArc)];
      behind.push(depth === arcs.length - 1 ? next.join('.') : [...next, maxArc].join('.'));
    }
    behind.push(`${root}.${maxArc}`);
  }
  return behind.map(encodeValidOid);
}
