import { compareOids } from '../../../src/model/oid.ts';

/** A value with its type, as a line of `.snmprec` ends: `TAG|VALUE`. */
export type Cell = string;

export const int = (value: number): Cell => `2|${value}`;
export const oid = (value: string): Cell => `6|${value}`;
export const ip = (value: string): Cell => `64|${value}`;
export const counter32 = (value: number): Cell => `65|${value}`;
export const gauge = (value: number): Cell => `66|${value}`;
export const ticks = (value: number): Cell => `67|${value}`;
export const counter64 = (value: bigint): Cell => `70|${value}`;
export const hex = (octets: string): Cell => `4x|${octets.replace(/[ :]/g, '').toLowerCase()}`;
export const text = (value: string): Cell =>
  /^$|^[!-~]([ -~]*[!-~])?$/.test(value) ? `4|${value}` : hex(Buffer.from(value, 'latin1').toString('hex'));
/** net-snmp's Float inside an Opaque. */
export function float(value: number): Cell {
  const octets = Buffer.from('9f780400000000', 'hex');
  octets.writeFloatBE(value, 3);
  return `68x|${octets.toString('hex')}`;
}

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
