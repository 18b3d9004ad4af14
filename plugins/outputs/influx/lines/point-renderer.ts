import type { Batch, Column } from '../../../../src/index.ts';
import { addressText } from '../../../../src/model/index.ts';
import { RowCache, SensorSplitter, TextBuffer } from '../../../../src/output-kit/index.ts';
import { type FieldForm, writeField } from './field-value.ts';
import { keyText, quotedText } from './line-text.ts';

export interface PointSettings extends FieldForm {
  /** How many time units a millisecond has. Below 1 for seconds. */
  readonly unitsPerMs: number;
}

/** Tags with a fixed meaning, which no field of a device may use. */
const reservedTags = ['device', 'address', 'key'];

/** Renders batches in line protocol, one point per row, directly from the columns. */
export class PointRenderer {
  readonly #settings: PointSettings;
  /** Measurement and tags of each row, with the space after them. */
  readonly #heads: RowCache<readonly Uint8Array[]>;

  readonly #sensors = new SensorSplitter();

  constructor(settings: PointSettings, now?: () => number) {
    this.#settings = settings;
    this.#heads = new RowCache(now);
  }

  /** Returns an empty buffer when no row has a value. */
  render(batches: readonly Batch[]): Buffer {
    const { unitsPerMs } = this.#settings;
    const out = new TextBuffer();
    for (const batch of batches.map((each) => this.#sensors.split(each))) {
      const heads = this.#heads.get(batch, listHeads);
      const keys = batch.columns.map(({ field }) => Buffer.from(`${keyText(field)}=`));
      const end = Buffer.from(`${trapField(batch)} ${timeOf(batch, unitsPerMs)}\n`);
      for (const [row, head] of heads.entries()) {
        const begin = out.length;
        out.copy(head);
        if (this.#writeFields(out, batch.columns, keys, row)) out.copy(end);
        else out.length = begin;
      }
    }
    return out.take();
  }

  /** Returns false when the row has no value. */
  #writeFields(
    out: TextBuffer,
    columns: readonly Column[],
    keys: readonly Uint8Array[],
    row: number,
  ): boolean {
    let hasWritten = false;
    for (let i = 0; i < keys.length; i++) {
      const begin = out.length;
      if (hasWritten) out.octet(comma);
      out.copy(keys[i]!);
      if (writeField(out, columns[i]!, row, this.#settings)) hasWritten = true;
      else out.length = begin;
    }
    return hasWritten;
  }
}

/** Two events of a row in one millisecond are two points: the sequence fills the digits below it, where the precision has some. */
function timeOf({ kind, slotMs, sequence }: Batch, unitsPerMs: number): number | bigint {
  if (unitsPerMs < 1) return Math.floor(slotMs / 1000);
  return BigInt(slotMs) * BigInt(unitsPerMs) + BigInt(kind === 'event' ? sequence % unitsPerMs : 0);
}

function trapField({ trapId }: Batch): string {
  return trapId === undefined ? '' : `,trap_id=${quotedText(trapId, false)}`;
}

const comma = 0x2c;

/** Rows with the same tags would overwrite each other, so they also get their key as a tag. */
function listHeads({ record, device, tags, rows }: Batch): Uint8Array[] {
  const taken = new Set(reservedTags);
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
    let head = `${measurement}${tagsText([...fixed, ...own])} `;
    if (seen.has(head)) {
      head = `${measurement}${tagsText([...fixed, ...own, ['key', rows.keys[row] ?? String(row)]])} `;
    }
    seen.add(head);
    return Buffer.from(head);
  });
}

/** Sorted in the order that InfluxDB stores them, so that it need not sort. */
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
