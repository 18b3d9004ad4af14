import { BatchFault } from '../../../src/index.ts';
import { isMissing } from '../../../src/internal.ts';
import { type BlockHead, type ColumnValues, noRow, type Shape, stream } from '../chunk/block.ts';
import type { HistoryStore } from '../history-store.ts';
import { blockKey } from '../recent/recent-file.ts';
import type { HistoryAnswer, HistoryQuestion } from '../service.ts';
import type { TierEntry } from '../tiers/tier-folder.ts';
import { hourSpanMs, minuteSpanMs, tierSpansMs } from '../tiers/tier-names.ts';
import { AnswerBuilder, rateLookBackMs } from './answer-builder.ts';
import type { SeriesBuilder } from './series-builder.ts';
import { type WantedColumn, wantedColumns } from './wanted-columns.ts';

/** Answers one question from the files of a store. */
export async function readHistory(
  store: HistoryStore,
  question: HistoryQuestion,
  signal: AbortSignal,
): Promise<HistoryAnswer> {
  for (;;) {
    const answer = await new HistoryReading(store, question, signal).run();
    if (answer !== undefined) return answer;
  }
}

/** Files are read side by side, and added in their order. */
const filesAtOnce = 8;

interface FilePart {
  readonly entry: TierEntry;
  /** Later values come from another tier. */
  readonly untilMs: number;
}

/** What is wanted of a shape. */
interface Selection {
  readonly wanted: readonly WantedColumn[];
  readonly rows: readonly (readonly [row: number, key: string])[];
  /** The positions of the wanted columns. */
  readonly columns: ReadonlySet<number>;
}

/** The wanted columns of a block, by their position. */
interface ReadBlock {
  readonly head: BlockHead;
  readonly columns: ReadonlyMap<number, ColumnValues>;
  readonly spanMs: number;
  readonly untilMs: number;
}

class HistoryReading {
  readonly #store: HistoryStore;
  readonly #question: HistoryQuestion;
  readonly #signal: AbortSignal;
  readonly #answer: AnswerBuilder;
  readonly #rows: ReadonlySet<string> | undefined;
  readonly #selections = new Map<Shape, Selection>();
  #isOutdated = false;

  constructor(store: HistoryStore, question: HistoryQuestion, signal: AbortSignal) {
    this.#store = store;
    this.#question = question;
    this.#signal = signal;
    this.#rows = question.rows && new Set(question.rows);
    this.#answer = new AnswerBuilder(question);
  }

  /** Undefined when files were merged or removed meanwhile, so that something may be missing. */
  async run(): Promise<HistoryAnswer | undefined> {
    const parts = this.#chooseParts();
    const devices = [...new Set(this.#question.devices)];
    // Read at the moment at which the files are chosen: later, the recent polls may be in another file.
    const recent = devices.map((device) => this.#readRecent(device));
    for (const [index, device] of devices.entries()) {
      for (let i = 0; i < parts.length; i += filesAtOnce) {
        this.#signal.throwIfAborted();
        const some = parts.slice(i, i + filesAtOnce);
        const blocks = await Promise.all(some.map((part) => this.#readFile(part, device)));
        for (const block of blocks.flat()) this.#addBlock(block);
      }
      for (const block of recent[index]!) this.#addBlock(block);
    }
    return this.#isOutdated ? undefined : this.#answer.build();
  }

  /**
   * The files to read, the oldest first. A step needs no finer tier than its own; what that tier does not have yet is in a finer
   * one, and what it does not have any more in a coarser one.
   */
  #chooseParts(): FilePart[] {
    const { stepMs = 0, fromMs, toMs } = this.#question;
    const store = this.#store;
    const minutes = store.entries('five_minutes');
    const unmerged = minutes.filter(({ first, last }) => first === last);
    const polledFromMs =
      stepMs < minuteSpanMs ? (store.tier('polled').fromMs ?? Number.POSITIVE_INFINITY) : 0;
    const always = Number.POSITIVE_INFINITY;
    const until = (entries: readonly TierEntry[], untilMs: number) =>
      entries.map((entry) => ({ entry, untilMs }));
    const parts = [];
    if (stepMs >= hourSpanMs) parts.push(...until([...store.entries('hours'), ...unmerged], always));
    else {
      const minutesFromMs = minutes[0]?.fromMs ?? Number.POSITIVE_INFINITY;
      const finerFromMs = stepMs >= minuteSpanMs ? minutesFromMs : Math.min(minutesFromMs, polledFromMs);
      parts.push(...until(store.entries('hours'), finerFromMs));
      parts.push(...until(minutes, stepMs >= minuteSpanMs ? always : polledFromMs));
      if (stepMs < minuteSpanMs) parts.push(...until(store.entries('polled'), always));
    }
    return parts.filter(
      ({ entry, untilMs }) =>
        entry.fromMs < Math.min(untilMs, toMs + 1) &&
        entry.toMs + tierSpansMs[entry.tier] >= fromMs - (entry.tier === 'polled' ? rateLookBackMs : 0),
    );
  }

  /** Reads what is wanted of a file. Nothing of a file that has been removed meanwhile. */
  async #readFile({ entry, untilMs }: FilePart, device: string): Promise<readonly ReadBlock[]> {
    const spanMs = tierSpansMs[entry.tier];
    const read: ReadBlock[] = [];
    const file = await this.#unlessDamaged(entry, this.#store.openFile(entry));
    try {
      const key = blockKey(device, this.#question.record);
      for (const block of (file && (await this.#unlessDamaged(entry, file.find(key)))) ?? []) {
        if (!block.head.shape.keys.some((key) => this.#rows?.has(key) ?? true)) continue;
        const columns = new Map<number, ColumnValues>();
        for (const index of this.#selectionOf(block.head.shape, spanMs).columns) {
          const column = await this.#unlessDamaged(entry, file!.column(block, index));
          if (column !== undefined) columns.set(index, column);
        }
        read.push({ head: block.head, columns, spanMs, untilMs });
      }
    } finally {
      file?.close();
    }
    return read;
  }

  async #unlessDamaged<Part>(entry: TierEntry, part: Promise<Part>): Promise<Part | undefined> {
    try {
      return await part;
    } catch (error) {
      if (error instanceof BatchFault) this.#store.reportDamage(entry.path);
      else if (isMissing(error)) {
        this.#store.forget(entry);
        this.#isOutdated = true;
      } else throw error;
      return undefined;
    }
  }

  #readRecent(device: string): ReadBlock[] {
    const { fromMs, toMs, record } = this.#question;
    const blocks: ReadBlock[] = [];
    for (const file of this.#store.recentFiles()) {
      const samples = file
        .samplesOf(blockKey(device, record))
        .filter(({ timeMs }) => timeMs >= fromMs - rateLookBackMs && timeMs <= toMs)
        .sort((a, b) => a.timeMs - b.timeMs);
      for (const sample of samples) {
        const { shape } = sample;
        const { columns } = this.#selectionOf(shape, 0);
        const read = file.read(sample, columns);
        if (read === undefined) this.#store.reportDamage(file.path);
        else {
          const times = Float64Array.of(read.timeMs);
          const head = { shape, times, started: Float64Array.of(read.startedMs) };
          const values = new Map([...columns].map((index) => [index, read.columns[index]!]));
          blocks.push({ head, columns: values, spanMs: 0, untilMs: Number.POSITIVE_INFINITY });
        }
      }
    }
    return blocks;
  }

  /** The same for every poll with this shape. */
  #selectionOf(shape: Shape, spanMs: number): Selection {
    let selection = this.#selections.get(shape);
    if (selection === undefined) {
      const wanted = wantedColumns(shape, this.#question.fields, spanMs);
      const rows = [...shape.keys.entries()].filter(([, key]) => this.#rows?.has(key) ?? true);
      const columns = new Set(rows.length === 0 ? [] : wanted.map(({ index }) => index));
      selection = { wanted, rows, columns };
      this.#selections.set(shape, selection);
    }
    return selection;
  }

  #addBlock({ head: { shape, times, started }, columns, spanMs, untilMs }: ReadBlock): void {
    const { wanted, rows } = this.#selectionOf(shape, spanMs);
    for (const { head, index, isRate } of wanted) {
      const column = columns.get(index);
      if (column === undefined) continue;
      const { streams, gaps } = column;
      for (const [row, key] of rows) {
        const series = this.#answer.seriesOf(shape, key, head);
        series.describe(shape, row, head);
        series.spanMs = spanMs;
        for (let t = 0, at = row * times.length; t < times.length; t++, at++) {
          const timeMs = times[t]!;
          const gap = gaps?.[at] ?? 0;
          if (timeMs + spanMs > untilMs) continue;
          if (gap !== 0) {
            series.addGap(timeMs, gap);
            if (gap === noRow) series.last = undefined;
          } else if (spanMs > 0) addSpan(series, timeMs, streams, at);
          else {
            const reading = { timeMs, startedMs: started[t]!, value: streams[0]![at]! };
            if (isRate) series.addRate(reading);
            else series.addValue(reading);
          }
        }
      }
    }
  }
}

function addSpan(series: SeriesBuilder, timeMs: number, streams: readonly Float64Array[], at: number): void {
  const [count, minimum, mean, maximum] = [stream.count, stream.minimum, stream.mean, stream.maximum];
  series.add(
    timeMs,
    streams[count]![at]!,
    streams[minimum]![at]!,
    streams[mean]![at]!,
    streams[maximum]![at]!,
  );
}
