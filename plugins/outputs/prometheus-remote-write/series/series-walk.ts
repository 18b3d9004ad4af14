import type { Column } from '../../../../src/index.ts';
import {
  type Family,
  type Label,
  listRowLabels,
  listStates,
  type Naming,
  type NamingSettings,
  nameColumns,
  RowCache,
  type TrackedBatch,
} from '../../../../src/output-kit/index.ts';
import { sortLabels } from '../wire/label-bytes.ts';
import type { RequestWriter } from './request-writer.ts';

interface PreparedRows {
  readonly labels: readonly (readonly Label[])[];
  readonly names: ReadonlySet<string>;
  /** By row: its last texts, and all labels of its info metric with them. */
  readonly texted: ({ readonly texts: readonly Label[]; readonly all: readonly Label[] } | undefined)[];
}

/** Passes every sample of batches to a writer: numbers, the info metric of the texts, state sets. */
export class SeriesWalk {
  readonly #settings: NamingSettings;
  readonly #prepared: RowCache<PreparedRows>;

  constructor(settings: NamingSettings, now?: () => number) {
    this.#settings = settings;
    this.#prepared = new RowCache(now);
  }

  /** Returns the number of samples. */
  walk(batches: readonly TrackedBatch[], writer: RequestWriter): number {
    return batches.reduce((samples, batch) => samples + this.#walkBatch(batch, writer), 0);
  }

  #walkBatch(batch: TrackedBatch, writer: RequestWriter): number {
    const { labels, names, texted } = this.#prepared.get(batch, (each) =>
      prepareRows(each, this.#settings.naming),
    );
    const { columns, info, textLabels } = nameColumns(batch, names, this.#settings);
    const numbers = columns.filter(({ family }) => !isTextual(family));
    const states = columns.filter(({ family }) => isTextual(family));
    writer.beginBatch(
      batch,
      numbers.map(({ family }) => family),
    );
    let samples = 0;
    for (let row = 0; row < batch.rows.count; row++) {
      const own = labels[row]!;
      writer.beginRow(own);
      for (let i = 0; i < numbers.length; i++) {
        const { column } = numbers[i]!;
        if (column.gaps !== undefined && column.gaps[row] !== 0) continue;
        writer.sample(i, batch.ends ? Number.NaN : numberAt(column, row));
        samples++;
      }
      const texts = textLabels(row);
      if (texts.length > 0) {
        if (!isSame(texts, texted[row]?.texts)) texted[row] = { texts, all: sortLabels([...own, ...texts]) };
        writer.textSample(info, texted[row]!.all, batch.ends ? Number.NaN : 1);
        samples++;
      }
      for (const { family, column } of states) {
        for (const [state, value] of listStates(family, column, row)) {
          writer.textSample(family, sortLabels([...own, state]), batch.ends ? Number.NaN : value);
          samples++;
        }
      }
    }
    return samples;
  }
}

function prepareRows(batch: TrackedBatch, naming?: Naming): PreparedRows {
  const { rows, names } = listRowLabels(batch, naming);
  return { labels: rows.map(sortLabels), names, texted: [] };
}

function isTextual({ kind }: Family): boolean {
  return kind === 'stateset' || kind === 'text' || kind === 'info';
}

/** The value of a number column. A counter beyond 2^53 is rounded, because receivers store doubles. */
function numberAt(column: Column, row: number): number {
  switch (column.kind) {
    case 'counter':
      return column.words[2 * row + 1]! * 0x1_0000_0000 + column.words[2 * row]!;
    case 'number':
      return column.values[row]!;
    default:
      return Number(column.values[row]);
  }
}

function isSame(labels: readonly Label[], others: readonly Label[] | undefined): boolean {
  if (labels.length !== others?.length) return false;
  return labels.every(([name, value], i) => name === others[i]![0] && value === others[i]![1]);
}
