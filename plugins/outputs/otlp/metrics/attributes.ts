import { type Batch, type Column, valueAt } from '../../../../src/index.ts';
import { addressText } from '../../../../src/internal.ts';
import { conventionalKeys } from './conventions.ts';

/** Attributes with a fixed meaning, which no field of a device may use. */
const reservedKeys = ['snmp.object', 'snmp.row'];

/** The attributes of each row: its record, and its labels under their own names. Rows with the same attributes also get their key. */
export function listRowAttributes({ record, rows }: Batch): Attribute[][] {
  const taken = new Set(reservedKeys);
  const labels = Object.entries(rows.labels).map(([field, values]) => ({
    key: takeKey(record === 'sensor' ? (conventionalKeys.get(field) ?? field) : field, taken),
    values,
  }));
  const seen = new Set<string>();
  return Array.from({ length: rows.count }, (_, row) => {
    const attributes: Attribute[] = [['snmp.object', record]];
    for (const { key, values } of labels) {
      const value = values[row];
      if (value !== undefined) attributes.push([key, cutText(value)]);
    }
    const identity = JSON.stringify(attributes);
    if (seen.has(identity)) attributes.push(['snmp.row', cutText(rows.keys[row] ?? String(row))]);
    else seen.add(identity);
    return attributes;
  });
}

/** The texts of a row as attributes in addition to its own. */
export function textAttributes(
  own: readonly Attribute[],
  texts: readonly Column[],
  row: number,
): Attribute[] {
  const taken = new Set(own.map(([key]) => key));
  const attributes: Attribute[] = [];
  for (const column of texts) {
    const value = valueAt(column, row);
    if (typeof value === 'string') attributes.push([takeKey(column.field, taken), wellFormed(value)]);
    else if (Array.isArray(value)) attributes.push([takeKey(column.field, taken), value.map(wellFormed)]);
  }
  return attributes;
}

/** The attributes of a device: those of OpenTelemetry's conventions, and its tags under their own names. */
export function resourceAttributes({ device, tags }: Batch, serviceName: string): Attribute[] {
  const { name, ip, port } = device;
  const attributes: Attribute[] = [
    ['service.name', serviceName],
    ['service.instance.id', addressText(device)],
    ['host.name', wellFormed(name)],
    ['host.ip', [ip]],
    ['server.address', ip],
    ['server.port', port],
  ];
  const taken = new Set(attributes.map(([key]) => key));
  for (const [tag, value] of Object.entries(tags)) attributes.push([takeKey(tag, taken), wellFormed(value)]);
  return attributes;
}

export type Attribute = readonly [key: string, value: string | number | readonly string[]];

/** A device may send 64 KiB for a name, and an attribute of a row is repeated in each of its points. */
const maxLength = 1024;

function cutText(text: string): string {
  return wellFormed(text.length > maxLength ? text.slice(0, maxLength) : text);
}

/** A lone surrogate has no UTF-8 form, and strict JSON readers refuse it. */
function wellFormed(text: string): string {
  return /\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text;
}

/** Returns `name`, with a number appended if it is taken, and adds the result to `taken`. */
function takeKey(name: string, taken: Set<string>): string {
  const base = name === '' ? 'attribute' : wellFormed(name);
  let free = base;
  for (let number = 2; taken.has(free); number++) free = `${base}.${number}`;
  taken.add(free);
  return free;
}
