import { type Batch, type Column, type GapReason, gapAt, type Rows } from '../../../../src/index.ts';
import { type Member, placeFlat, placeNested } from './field-tree.ts';
import { valueText } from './value-text.ts';

export interface LineSettings {
  /** Objects by the dots of the field names, instead of one level with dotted names. */
  readonly nested: boolean;
  /** Whether a line lists the fields that are missing, by reason. */
  readonly gaps: boolean;
}

/** Lines are handed out in blocks of about this size, so that no group makes a string that is too long. */
const blockLength = 4 << 20;
const maxLayouts = 1000;

/** Turns batches into lines, one JSON document a row, straight from the columns. */
export class LineRenderer {
  readonly #settings: LineSettings;
  /** By the names of the fields: batches of one record have the same ones. */
  readonly #layouts = new Map<string, readonly Member[]>();
  /** What every line of a row has in common, as long as its rows stay. */
  readonly #rowTexts = new WeakMap<Rows, readonly string[]>();

  constructor(settings: LineSettings) {
    this.#settings = settings;
  }

  render(batches: readonly Batch[]): Buffer[] {
    const blocks: Buffer[] = [];
    let text = '';
    for (const batch of batches) {
      const head = renderHead(batch);
      const rowTexts = this.#findRowTexts(batch.rows);
      const members = this.#findLayout(batch.columns.map(({ field }) => field));
      for (const [row, rowText] of rowTexts.entries()) {
        const values = renderMembers(members, batch.columns, row);
        const gaps = this.#settings.gaps ? renderGaps(batch.columns, row) : '';
        text += `${head}${rowText}${values}}${gaps}}\n`;
        if (text.length < blockLength) continue;
        blocks.push(Buffer.from(text));
        text = '';
      }
    }
    if (text !== '') blocks.push(Buffer.from(text));
    return blocks;
  }

  #findRowTexts(rows: Rows): readonly string[] {
    let texts = this.#rowTexts.get(rows);
    if (texts === undefined) {
      const labels = Object.entries(rows.labels);
      const columns = labels.map(([field, values]): Column => ({ field, kind: 'text', values }));
      const members = this.#findLayout(labels.map(([field]) => field));
      texts = Array.from({ length: rows.count }, (_, row) => {
        const key = JSON.stringify(rows.keys[row] ?? '');
        return `,"key":${key},"labels":{${renderMembers(members, columns, row)}},"values":{`;
      });
      this.#rowTexts.set(rows, texts);
    }
    return texts;
  }

  #findLayout(fields: readonly string[]): readonly Member[] {
    const name = fields.join('\n');
    let members = this.#layouts.get(name);
    if (members === undefined) {
      if (this.#layouts.size >= maxLayouts) this.#layouts.clear();
      members = this.#settings.nested ? placeNested(fields) : placeFlat(fields);
      this.#layouts.set(name, members);
    }
    return members;
  }
}

function renderHead({ device, tags, record, plan, generation, sequence, slotMs, timeMs }: Batch): string {
  const { name, ip, port } = device;
  const slot = new Date(slotMs).toISOString();
  const time = new Date(timeMs).toISOString();
  const head = { device: { name, ip, port }, tags, record, plan, generation, sequence, slot, time };
  return JSON.stringify(head).slice(0, -1);
}

/** The members that have a value, without the braces around them. */
function renderMembers(members: readonly Member[], columns: readonly Column[], row: number): string {
  let text = '';
  for (const member of members) {
    let value: string | undefined;
    if ('column' in member) value = valueText(columns[member.column]!, row);
    else {
      const inner = renderMembers(member.members, columns, row);
      if (inner !== '') value = `{${inner}}`;
    }
    if (value !== undefined) text += (text === '' ? '' : ',') + member.key + value;
  }
  return text;
}

function renderGaps(columns: readonly Column[], row: number): string {
  const gaps: Partial<Record<GapReason, string[]>> = {};
  for (const column of columns) {
    const reason = gapAt(column, row);
    if (reason === undefined) continue;
    gaps[reason] ??= [];
    gaps[reason].push(column.field);
  }
  return `,"gaps":${JSON.stringify(gaps)}`;
}
