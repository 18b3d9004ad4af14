import type { Batch } from '../../model/batch.ts';
import { addressText } from '../../model/device.ts';
import { physAddress } from './mib-columns.ts';
import { labelValue, type Naming, nameText, reserveName, validName } from './name-text.ts';

/** Labels with a fixed meaning, which no field of a device may use. */
const reservedNames = ['device', 'address', 'object', 'row'];

export type Label = readonly [name: string, value: string];

export interface RowLabelList {
  /** By row: device, address, object unless the names are those of the MIB, the labels of the row, the tags of the device. */
  readonly rows: readonly (readonly Label[])[];
  readonly names: ReadonlySet<string>;
}

/** Lists the labels of every row. Rows that would have the same labels also get their key, as the label `row`. */
export function listRowLabels(batch: Batch, naming: Naming = 'fields'): RowLabelList {
  const { device, tags, record, rows } = batch;
  const mib = naming === 'mib' ? batch.mib : undefined;
  const names = new Set(reservedNames);
  const head = [label('device', device.name), label('address', addressText(device))];
  if (mib === undefined) head.push(label('object', record));
  const columns = Object.entries(rows.labels).map(([field, values]) => {
    const original = mib?.labels[field];
    const name =
      original === undefined ? labelName(field, names) : reserveName(validName(original.name), names);
    return { name, values, isMac: original?.isMac === true };
  });
  const tail = Object.entries(tags).map(([tag, value]) => label(labelName(tag, names), value));
  const told = mib === undefined ? undefined : onlyText(batch);
  const seen = new Set<string>();
  const list = Array.from({ length: rows.count }, (_, row) => {
    const labels = [...head];
    for (const { name, values, isMac } of columns) {
      const value = values[row];
      if (value !== undefined) labels.push(label(name, isMac ? physAddress(value) : value));
    }
    labels.push(...tail);
    // For Prometheus, an empty label is the same as no label.
    const known = labels.flatMap(([name, value]) => (value === '' ? [] : [name, value]));
    const identity = [...known, told?.[row] ?? ''].join('\0');
    if (seen.has(identity)) labels.push(label('row', rows.keys[row] ?? String(row)));
    else seen.add(identity);
    return labels;
  });
  return { rows: list, names };
}

/** The texts of a record that has nothing else. Under its name in the MIB, each is a label of its own series. */
function onlyText({ columns }: Batch): readonly (string | undefined)[] | undefined {
  const [column] = columns;
  if (columns.length !== 1 || column?.kind !== 'text') return undefined;
  return column.about?.names === undefined && column.about?.isTime !== true ? column.values : undefined;
}

/** A label name for a field, different from those of the other fields of the same rows. */
export function labelName(field: string, taken: Set<string>): string {
  const name = nameText(field);
  return reserveName(/^[a-z]/.test(name) && !histogramLabels.has(name) ? name : `field_${name}`, taken);
}

/** Prometheus gives them a meaning in histograms and summaries. */
const histogramLabels = new Set(['le', 'quantile']);

function label(name: string, value: string): Label {
  return [name, labelValue(value)];
}
