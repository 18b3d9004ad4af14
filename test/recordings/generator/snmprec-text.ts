import { compareOids } from '../../../src/model/oid.ts';
import type { Cell } from './cell.ts';

/** One device in the making. */
export class SnmprecText {
  readonly #title: string;
  readonly #lines: { readonly oid: string; readonly cell: Cell }[] = [];

  constructor(title: string) {
    this.#title = title;
  }

  /** Objects with one instance: `{ 1: … }` below `group` becomes `group.1.0`. */
  scalars(group: string, cells: Readonly<Record<string, Cell>>): this {
    for (const [object, cell] of Object.entries(cells))
      this.#lines.push({ oid: `${group}.${object}.0`, cell });
    return this;
  }

  /** A row of a table: `{ 2: … }` below `entry` becomes `entry.2.index`. */
  row(entry: string, index: number | string, cells: Readonly<Record<number, Cell>>): this {
    for (const [column, cell] of Object.entries(cells))
      this.#lines.push({ oid: `${entry}.${column}.${index}`, cell });
    return this;
  }

  toString(): string {
    const lines = this.#lines.toSorted((a, b) => compareOids(a.oid, b.oid));
    return [`#${this.#title}`, ...lines.map((line) => `${line.oid}|${line.cell}`), ''].join('\n');
  }
}
