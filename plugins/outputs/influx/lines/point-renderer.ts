import { addressText, type Batch } from '../../../../src/index.ts';
import { RowMemory } from '../../http/service.ts';
import { type FieldForm, fieldText } from './field-text.ts';
import { keyText } from './line-text.ts';

export interface PointSettings extends FieldForm {
  /** Nanoseconds, milliseconds and so on in a millisecond; below 1 for seconds. */
  readonly unitsPerMs: number;
}

/** Tags of their own meaning, which no field of a device may take. */
const ownTags = ['device', 'address', 'key'];

/** Turns batches into line protocol, a point a row, straight from the columns. */
export class PointRenderer {
  readonly #settings: PointSettings;
  /** Measurement and tags of each row, with the space behind them. */
  readonly #heads: RowMemory<readonly string[]>;

  constructor(settings: PointSettings, now?: () => number) {
    this.#settings = settings;
    this.#heads = new RowMemory(now);
  }

  /** Empty when no row has a value. */
  render(batches: readonly Batch[]): string {
    const { unitsPerMs } = this.#settings;
    let text = '';
    for (const batch of batches) {
      const heads = this.#heads.get(batch, listHeads);
      const keys = batch.columns.map(({ field }) => `${keyText(field)}=`);
      const time =
        unitsPerMs < 1 ? Math.floor(batch.slotMs / 1000) : BigInt(batch.slotMs) * BigInt(unitsPerMs);
      const end = ` ${time}\n`;
      for (let row = 0; row < heads.length; row++) {
        let fields = '';
        for (let i = 0; i < keys.length; i++) {
          const value = fieldText(batch.columns[i]!, row, this.#settings);
          if (value !== undefined) fields += (fields === '' ? '' : ',') + keys[i] + value;
        }
        if (fields !== '') text += heads[row] + fields + end;
      }
    }
    return text;
  }
}

/** Rows that their tags do not tell apart would overwrite each other, so they get their key as a tag. */
function listHeads({ record, device, tags, rows }: Batch): string[] {
  const taken = new Set(ownTags);
  const labels = Object.entries(rows.labels).map(([field, values]) => ({
    tag: takeTag(field, taken),
    values,
  }));
  const fixed: [string, string][] = [
    ['device', device.name],
    ['address', addressText(device)],
  ];
  for (const [tag, value] of Object.entries(tags)) fixed.push([takeTag(tag, taken), value]);
  const measurement = keyText(record);
  const seen = new Set<string>();
  return Array.from({ length: rows.count }, (_, row) => {
    const own = labels.map(({ tag, values }): [string, string] => [tag, values[row] ?? '']);
    const head = `${measurement}${tagsText([...fixed, ...own])} `;
    if (!seen.has(head)) {
      seen.add(head);
      return head;
    }
    return `${measurement}${tagsText([...fixed, ...own, ['key', rows.keys[row] ?? String(row)]])} `;
  });
}

/** Sorted, as InfluxDB keeps them, so that it need not. */
function tagsText(tags: readonly (readonly [string, string])[]): string {
  return tags
    .filter(([, value]) => value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([tag, value]) => `,${keyText(tag)}=${keyText(value)}`)
    .join('');
}

function takeTag(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
  taken.add(free);
  return free;
}
