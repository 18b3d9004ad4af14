import { BatchFault } from '../../../src/index.ts';
import type { SliceTurns } from '../../../src/timing/index.ts';
import { type ColumnValues, noRow } from '../chunk/block.ts';
import { markAt, type Reading, ratesOf } from '../chunk/counter-rates.ts';
import { markIndexOf } from '../chunk/wanted-columns.ts';
import type { RecentFile } from '../recent/recent-file.ts';
import type { Sample, SampleValues } from '../recent/sample-form.ts';
import { type FilledBlock, joinSamples } from './join-samples.ts';
import { joinSpans, spanShape, spansOfPolled } from './spans.ts';
import type { TierFile, TierFileWriter } from './tier-file.ts';
import { hourSpanMs, minuteSpanMs } from './tier-names.ts';

/** So many numbers are in memory at once. */
const maxCells = 1 << 21;

export interface Compaction {
  readonly recent: RecentFile;
  /** The file before it: the first rates compare with its last values. */
  readonly before: RecentFile | undefined;
  readonly polled: TierFileWriter;
  readonly minutes: TierFileWriter;
  readonly onDamage: (path: string, error?: unknown) => void;
  readonly turns: SliceTurns;
  readonly signal: AbortSignal;
}

/** Writes the polls of a file by record: all times of a row next to each other, and its spans of five minutes. */
export async function compactRecent({
  recent,
  before,
  polled,
  minutes,
  onDamage,
  turns,
  signal,
}: Compaction): Promise<void> {
  for (const key of recent.blocks()) {
    for (const samples of byPlan(recent.samplesOf(key))) {
      let last = readLast(before, key, samples[0]!);
      for (const part of cutParts(samples)) {
        signal.throwIfAborted();
        const values: SampleValues[] = [];
        for (const sample of part) {
          const read = recent.read(sample);
          if (read === undefined) onDamage(recent.path);
          else values.push(read);
        }
        if (values.length === 0) continue;
        const block = joinSamples(values);
        polled.add(key, block.head, block.columns);
        const shown = withRates(block, last);
        const spans = spansOfPolled(shown.head, shown.columns, minuteSpanMs);
        minutes.add(key, spans.head, spans.columns);
        last = values.at(-1);
        await turns.rest();
      }
    }
  }
}

export interface Merge {
  readonly paths: readonly string[];
  readonly open: (path: string) => Promise<TierFile>;
  readonly minutes: TierFileWriter;
  readonly hours: TierFileWriter;
  readonly onDamage: (path: string, error?: unknown) => void;
  readonly turns: SliceTurns;
  readonly signal: AbortSignal;
}

/** Joins files of five-minute spans to one, and makes the spans of an hour of them. */
export async function mergeMinutes({
  paths,
  open,
  minutes,
  hours,
  onDamage,
  turns,
  signal,
}: Merge): Promise<void> {
  const files: { path: string; file: TierFile }[] = [];
  try {
    for (const path of paths) {
      try {
        files.push({ path, file: await open(path) });
      } catch (error) {
        if (!(error instanceof BatchFault)) throw error;
        onDamage(path, error);
      }
    }
    const keys = await listKeys(files, onDamage);
    for (const key of keys) {
      signal.throwIfAborted();
      const blocks: FilledBlock[] = [];
      for (const { path, file } of files) {
        try {
          for (const block of await file.find(key)) {
            const columns: ColumnValues[] = [];
            for (const index of block.head.shape.columns.keys())
              columns.push(await file.column(block, index));
            blocks.push({ head: block.head, columns });
          }
        } catch (error) {
          if (!(error instanceof BatchFault)) throw error;
          onDamage(path);
        }
      }
      for (const same of groupByPlan(blocks, ({ head }) => head.shape.plan)) {
        const joined = joinSpans(same, minuteSpanMs);
        minutes.add(key, joined.head, joined.columns);
        const long = joinSpans([joined], hourSpanMs);
        hours.add(key, long.head, long.columns);
      }
      await turns.rest();
    }
  } finally {
    for (const { file } of files) file.close();
  }
}

async function listKeys(
  files: readonly { readonly path: string; readonly file: TierFile }[],
  onDamage: (path: string, error?: unknown) => void,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const { path, file } of files) {
    for await (const { block } of file.blocks(() => onDamage(path))) {
      const { device, record } = block.head.shape;
      keys.add(`${device}\n${record}`);
    }
  }
  return keys;
}

function groupByPlan<Item>(items: readonly Item[], planOf: (item: Item) => string): Item[][] {
  const plans = new Map<string, Item[]>();
  for (const item of items) {
    const list = plans.get(planOf(item));
    if (list === undefined) plans.set(planOf(item), [item]);
    else list.push(item);
  }
  return [...plans.values()];
}

/** By plan, in the order of their times, each time once. */
function byPlan(samples: readonly Sample[]): Sample[][] {
  return groupByPlan(samples, ({ shape }) => shape.plan).map((list) =>
    list.sort((a, b) => a.timeMs - b.timeMs).filter((each, i) => each.timeMs !== list[i - 1]?.timeMs),
  );
}

/** A block has one interval, and not more numbers than fit in memory. */
function* cutParts(samples: readonly Sample[]): Generator<readonly Sample[]> {
  let start = 0;
  let cells = 0;
  for (const [i, { shape }] of samples.entries()) {
    const own = shape.keys.length * shape.columns.length;
    const isOther = shape.intervalMs !== samples[start]!.shape.intervalMs;
    if (isOther || (cells > 0 && cells + own > maxCells)) {
      yield samples.slice(start, i);
      start = i;
      cells = 0;
    }
    cells += own;
  }
  yield samples.slice(start);
}

function readLast(
  before: RecentFile | undefined,
  key: string,
  { shape: { plan } }: Sample,
): SampleValues | undefined {
  const last = before?.samplesOf(key).findLast((sample) => sample.shape.plan === plan);
  return last === undefined ? undefined : before!.read(last);
}

/** Counters become rates. */
function withRates({ head, columns }: FilledBlock, last: SampleValues | undefined): FilledBlock {
  const { shape } = head;
  const lastRows = new Map(last?.shape.keys.map((key, row) => [key, row]));
  const marks = columnAt(columns, markIndexOf(shape.columns));
  const lastMarks = last && columnAt(last.columns, markIndexOf(last.shape.columns));
  return {
    head: { ...head, shape: spanShape(shape) },
    columns: columns.map((column, index) => {
      const { metric, field, wrapsAt } = shape.columns[index]!;
      if (metric !== 'counter') return column;
      const place = last?.shape.columns.findIndex((each) => each.field === field) ?? -1;
      const lastValues = last?.columns[place];
      const readingOf = (row: number): Reading | undefined => {
        const at = lastRows.get(shape.keys[row]!);
        if (last === undefined || lastValues === undefined || at === undefined) return undefined;
        const gap = lastValues.gaps?.[at] ?? 0;
        if (gap !== 0 && gap !== noRow) return undefined;
        const { timeMs, startedMs } = last;
        return { timeMs, startedMs, value: lastValues.streams[0]![at]!, mark: markAt(lastMarks, at) };
      };
      const { times, started } = head;
      const { streams, gaps } = column;
      const rates = ratesOf({ times, started, values: streams[0]!, gaps, marks, wrapsAt }, readingOf);
      return { streams: [rates.values], gaps: rates.gaps };
    }),
  };
}

function columnAt(
  columns: readonly (ColumnValues | undefined)[],
  index: number | undefined,
): ColumnValues | undefined {
  return index === undefined ? undefined : columns[index];
}
