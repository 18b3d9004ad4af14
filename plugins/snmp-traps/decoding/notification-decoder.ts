import {
  type CompiledDefinitions,
  type CompiledNotification,
  type DecodeOptions,
  scaleFor,
} from '../../../src/definitions/index.ts';
import type { FieldDeclaration, Value } from '../../../src/index.ts';
import type { ReceivedNotification, ReceivedVarbind } from '../receiving/wire-form.ts';
import type { ColumnFinder, FoundColumn } from './column-finder.ts';
import { NotificationFinder } from './notification-finder.ts';
import { VarbindDecoder } from './varbind-decoder.ts';

/** A row of a table, or a scalar. */
export interface NamedRow {
  readonly object: string;
  readonly table: string;
  readonly instance: string;
}

export interface DecodedRow {
  readonly labels: Record<string, string>;
  readonly values: Record<string, Value>;
  /** The labels that come from the parts of an index: what the notification is about, unless its definition says otherwise. */
  readonly identity: Record<string, string>;
}

/** What the varbinds of a notification say, by the definitions of one generation. */
export interface DecodedNotification {
  readonly definition: CompiledNotification | undefined;
  /** sysUpTime, in the unit of durations. */
  readonly uptime: number | undefined;
  readonly rows: readonly DecodedRow[];
  readonly declarations: Readonly<Record<string, FieldDeclaration>>;
  /** The rows that its varbinds name. */
  readonly named: readonly NamedRow[];
  /** The rows and scalars whose OIDs are values of it, where its definition aims at them. */
  readonly pointed: readonly NamedRow[];
  /** Varbinds that no definition has, or whose values do not fit. */
  readonly unknown: readonly ReceivedVarbind[];
}

/** What is known about the device that a notification is of. */
export interface DeviceKnowledge {
  hasObject(id: string): boolean;
  findLabels(table: string, instance: string): Readonly<Record<string, string>> | undefined;
}

/** TimeTicks are hundredths of a second. */
const ticks = { dimension: 'duration', unit: 'ms', scale: { times: 10, over: 1 } } as const;

/** Decodes notifications by the definitions of one generation. */
export class NotificationDecoder {
  readonly generation: number;
  readonly #finder: NotificationFinder;
  readonly #columns: ColumnFinder;
  readonly #varbinds: VarbindDecoder;
  readonly #tick: { readonly times: number; readonly over: number };

  constructor(
    generation: number,
    sections: Pick<CompiledDefinitions, 'notifications' | 'enums' | 'oidNames'>,
    columns: ColumnFinder,
    options: DecodeOptions,
  ) {
    this.generation = generation;
    this.#finder = new NotificationFinder(sections);
    this.#columns = columns;
    this.#varbinds = new VarbindDecoder(sections, options);
    this.#tick = scaleFor(ticks, options);
  }

  decode(
    { oid, uptime: sent, varbinds }: ReceivedNotification,
    device: DeviceKnowledge,
  ): DecodedNotification {
    const definition = this.#finder.find(oid);
    const rows: DecodedRow[] = [];
    const declarations: Record<string, FieldDeclaration> = {};
    const named: NamedRow[] = [];
    const unknown: ReceivedVarbind[] = [];
    const sensors: DecodedRow[] = [];
    const into = { rows, sensors, declarations, named, device };
    for (const varbind of varbinds) {
      const found = this.#columns.find(varbind.oid, definition, (id) => device.hasObject(id));
      if (found === undefined || !this.#decodeOne(varbind, found, into)) unknown.push(varbind);
    }
    rows.push(...sensors);
    if (rows.length === 0) rows.push(newRow());
    const [first] = rows;
    const { 'trap.instance': instance } = first!.labels;
    if (instance !== undefined && Object.keys(first!.identity).length === 0)
      first!.identity['trap.instance'] = instance;
    const pointed = this.#followOids(definition, first!, device);
    const uptime = sent && (sent * this.#tick.times) / this.#tick.over;
    return { definition, uptime, rows, declarations, named, pointed, unknown };
  }

  #followOids(
    definition: CompiledNotification | undefined,
    { values, labels }: DecodedRow,
    device: DeviceKnowledge,
  ): NamedRow[] {
    return (definition?.aim?.pollNamedBy ?? []).flatMap((field) => {
      const oid = String(values[field] ?? labels[field] ?? '').replace(/^\./, '');
      const found = this.#columns.find(oid, undefined, (id) => device.hasObject(id));
      if (found?.object === undefined) return [];
      const { id: object, table } = found.object;
      return [{ object, table, instance: oid.slice(found.column.length + 1) }];
    });
  }

  /** Returns whether the value has a field. */
  #decodeOne(
    varbind: ReceivedVarbind,
    { column, object, attribute, part }: FoundColumn,
    into: Pick<DecodedNotification, 'declarations'> & {
      readonly declarations: Record<string, FieldDeclaration>;
      readonly rows: DecodedRow[];
      readonly sensors: DecodedRow[];
      readonly named: NamedRow[];
      readonly device: DeviceKnowledge;
    },
  ): boolean {
    let instance = varbind.oid.slice(column.length + 1);
    const isTable = object !== undefined && object.index.length > 0;
    // Agents send an index column without an instance, or with .0: its value is the instance.
    if (part !== undefined && object!.index.length === 1 && typeof varbind.value === 'number')
      instance = String(varbind.value);
    let row = isTable
      ? this.#rowOf({ object: object.id, table: object.table, instance }, into)
      : firstRow(into.rows);
    if (object === undefined && instance !== '' && instance !== '0') row.labels['trap.instance'] ??= instance;
    if (isTable) this.#identify(row, object, instance, into.device);
    if (attribute === undefined) return true;
    const fields = this.#varbinds.decode(attribute, varbind);
    const { sensor } = attribute;
    if (sensor !== undefined && fields.length > 0) {
      if (isSensor(row)) {
        row = { ...row, labels: { ...row.labels }, values: {} };
        into.sensors.push(row);
      }
      if (typeof sensor.class === 'string') row.labels['sensor.class'] = sensor.class;
    }
    for (const { field, value, declaration, isLabel } of fields) {
      if (isLabel) row.labels[field] = String(value);
      else {
        row.values[field] = value;
        into.declarations[field] = declaration;
      }
    }
    return fields.length > 0;
  }

  /** Adds the index parts of a row, and below the notification's own labels what a poll has read. */
  #identify(
    row: DecodedRow,
    object: NonNullable<FoundColumn['object']>,
    instance: string,
    device: DeviceKnowledge,
  ): void {
    const index = this.#varbinds.decodeIndex(object, instance);
    let isNew = false;
    for (const field in index) {
      if (row.identity[field] === index[field]) continue;
      isNew = true;
      row.identity[field] = index[field]!;
      row.labels[field] ??= index[field]!;
    }
    // Without parts in its index, a row has only what a poll has read.
    if (!isNew && Object.keys(index).length > 0) return;
    const polled = device.findLabels(object.table, instance);
    for (const field in polled) row.labels[field] ??= polled[field]!;
  }

  /** The nth instance of a table is in the nth row. */
  #rowOf(
    row: NamedRow,
    { rows, named }: { readonly rows: DecodedRow[]; readonly named: NamedRow[] },
  ): DecodedRow {
    let position = 0;
    for (const { table, instance } of named) {
      if (table !== row.table) continue;
      if (instance === row.instance) return rows[position]!;
      position++;
    }
    named.push(row);
    rows[position] ??= newRow();
    return rows[position]!;
  }
}

function firstRow(rows: DecodedRow[]): DecodedRow {
  rows[0] ??= newRow();
  return rows[0];
}

/** All sensors have the same fields, so each has a row of its own. */
function isSensor({ values }: DecodedRow): boolean {
  return values['sensor.value'] !== undefined || values['sensor.state.raw'] !== undefined;
}

function newRow(): DecodedRow {
  return { labels: {}, values: {}, identity: {} };
}
