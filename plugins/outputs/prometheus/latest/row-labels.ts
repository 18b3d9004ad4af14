import type { Batch } from '../../../../src/index.ts';
import { labelText } from '../exposition/label-text.ts';
import { nameText, takeName } from '../naming/name-text.ts';

/** Labels of their own meaning, which no field of a device may take. */
const ownNames = ['device', 'address', 'object', 'row'];

export interface RowLabels {
  /** Each row's labels with their braces: `{device="a",netif_index="1"} `. */
  readonly texts: readonly string[];
  readonly names: ReadonlySet<string>;
}

/**
 * The labels of every row: device, address, object, the row's own, the device's tags. Rows that these do not tell apart get
 * their key as `row`.
 */
export function buildRowLabels({ device, tags, record, rows }: Batch): RowLabels {
  const names = new Set(ownNames);
  const { name, ip, port } = device;
  const address = ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
  const head = [labelText('device', name), labelText('address', address), labelText('object', record)];
  const columns = Object.entries(rows.labels).map(([field, values]) => ({
    name: labelName(field, names),
    values,
  }));
  const tail = Object.entries(tags).map(([tag, value]) => labelText(labelName(tag, names), value));
  const seen = new Set<string>();
  const texts = Array.from({ length: rows.count }, (_, row) => {
    const parts = [...head];
    for (const { name, values } of columns) {
      const value = values[row];
      if (value !== undefined) parts.push(labelText(name, value));
    }
    parts.push(...tail);
    const text = `{${parts.join(',')}} `;
    if (!seen.has(text)) {
      seen.add(text);
      return text;
    }
    return `{${parts.join(',')},${labelText('row', rows.keys[row] ?? String(row))}} `;
  });
  return { texts, names };
}

/** A label name for a field that no other field of the same rows has. */
export function labelName(field: string, taken: Set<string>): string {
  const name = nameText(field);
  return takeName(/^[a-z]/.test(name) ? name : `field_${name}`, taken);
}
