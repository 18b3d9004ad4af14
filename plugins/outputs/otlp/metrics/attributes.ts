import { type Batch, type Column, valueAt } from '../../../../src/index.ts';
import { addressText } from '../../../../src/model/index.ts';
import { cutText, takeKey, wellFormed } from './attribute-text.ts';
import { conventionalKeys, isInterface } from './conventions.ts';
import { hardwareType } from './hardware-type.ts';

/** Attributes with a fixed meaning, which no field of a device may use. */
const reservedKeys = ['snmp.object', 'snmp.row'];

/** The attributes of each row: its record, and its labels under their own names. Rows with the same attributes also get their key. */
export function listRowAttributes({ record, rows }: Batch): Attribute[][] {
  const isSensor = record === 'sensor';
  const isNamedByConvention = isSensor || isInterface(record);
  const taken = new Set(isSensor ? [...reservedKeys, 'hw.type'] : reservedKeys);
  const labels = Object.entries(rows.labels).map(([field, values]) => ({
    key: takeKey(isNamedByConvention ? (conventionalKeys.get(field) ?? field) : field, taken),
    values,
  }));
  const { 'sensor.class': classes, 'sensor.part': parts } = rows.labels;
  const seen = new Set<string>();
  return Array.from({ length: rows.count }, (_, row) => {
    const attributes: Attribute[] = [['snmp.object', record]];
    for (const { key, values } of labels) {
      const value = values[row];
      if (value !== undefined) attributes.push([key, cutText(value)]);
    }
    const type = isSensor ? hardwareType(classes?.[row], parts?.[row]) : undefined;
    if (type !== undefined) attributes.push(['hw.type', cutText(type)]);
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

export type Attribute = readonly [key: string, value: string | number | boolean | readonly string[]];
