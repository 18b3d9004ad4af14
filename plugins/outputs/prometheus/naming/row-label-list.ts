import type { Batch } from '../../../../src/index.ts';
import { addressText } from '../../../../src/internal.ts';
import { labelValue } from './label-value.ts';
import { nameText, takeName } from './name-text.ts';

/** Labels of their own meaning, which no field of a device may take. */
const ownNames = ['device', 'address', 'object', 'row'];

export type Label = readonly [name: string, value: string];

export interface RowLabelList {
  /** Each row's labels: device, address, object, the row's own, the device's tags. */
  readonly rows: readonly (readonly Label[])[];
  readonly names: ReadonlySet<string>;
}

/** The labels of every row. Rows that these do not tell apart get their key as `row`. */
export function listRowLabels({ device, tags, record, rows }: Batch): RowLabelList {
  const names = new Set(ownNames);
  const head = [label('device', device.name), label('address', addressText(device)), label('object', record)];
  const columns = Object.entries(rows.labels).map(([field, values]) => ({
    name: labelName(field, names),
    values,
  }));
  const tail = Object.entries(tags).map(([tag, value]) => label(labelName(tag, names), value));
  const seen = new Set<string>();
  const list = Array.from({ length: rows.count }, (_, row) => {
    const labels = [...head];
    for (const { name, values } of columns) {
      const value = values[row];
      if (value !== undefined) labels.push(label(name, value));
    }
    labels.push(...tail);
    // An empty label is the same as none.
    const identity = labels.flatMap(([name, value]) => (value === '' ? [] : [name, value])).join('\0');
    if (seen.has(identity)) labels.push(label('row', rows.keys[row] ?? String(row)));
    else seen.add(identity);
    return labels;
  });
  return { rows: list, names };
}

/** A label name for a field that no other field of the same rows has. */
export function labelName(field: string, taken: Set<string>): string {
  const name = nameText(field);
  return takeName(/^[a-z]/.test(name) ? name : `field_${name}`, taken);
}

function label(name: string, value: string): Label {
  return [name, labelValue(value)];
}
