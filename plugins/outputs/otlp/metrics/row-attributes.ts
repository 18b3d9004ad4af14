import { type Batch, type Column, valueAt } from '../../../../src/index.ts';
import { type Attribute, cutText, takeKey, wellFormed } from './attribute.ts';

/** Attributes of their own meaning, which no field of a device may take. */
const ownKeys = ['snmp.object', 'snmp.row'];

/** Each row's attributes: its record and its labels under their own names. Rows that these do not tell apart get their key. */
export function listRowAttributes({ record, rows }: Batch): Attribute[][] {
  const taken = new Set(ownKeys);
  const labels = Object.entries(rows.labels).map(([field, values]) => ({
    key: takeKey(field, taken),
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

/** The texts of a row as attributes behind its own. */
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
