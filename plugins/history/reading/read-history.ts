import { BatchFault } from '../../../src/index.ts';
import { isMissing } from '../../../src/internal.ts';
import { type ColumnValues, noRow, type Shape, stream } from '../chunk/block.ts';
import type { HistoryStore } from '../history-store.ts';
import { blockKey } from '../recent/recent-file.ts';
import type { HistoryAnswer, HistoryQuestion } from '../service.ts';
import type { TierFile } from '../tiers/tier-file.ts';
import type { TierEntry } from '../tiers/tier-folder.ts';
import { hourSpanMs, minuteSpanMs, tierSpansMs } from '../tiers/tier-names.ts';
import { AnswerBuilder, rateLookBackMs } from './answer-builder.ts';
import { markAt } from './counter-rates.ts';
import type { SeriesBuilder } from './series-builder.ts';
import { markIndexOf, type WantedColumn, wantedColumns } from './wanted-columns.ts';

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

/** So many files are read side by side. They are added in their order. */
const readsAtOnce = 8;
/** A question about several devices opens each file once, if it reads no more files than these. */
const mostOpenFiles = 32;

interface FilePart {
  readonly entry: TierEntry;
  /** Later values come from another tier. */
  readonly untilMs: number;
}

/** What is wanted of a shape, and where it is added. */
interface Selection {
  readonly columns: readonly WantedColumn[];
  /** The column that is needed to compute rates. */
  readonly markIndex: number | undefined;
  /** Ascending. */
  readonly rows: readonly number[];
  /** For each column, those of the rows. */
  readonly series: readonly (readonly SeriesBuilder[])[];
}

/** The wanted columns of a block. */
interface ReadBlock {
  readonly shape: Shape;
  readonly times: ArrayLike<number>;
  readonly started: ArrayLike<number>;
  readonly selection: Selection;
  /** In the order of the selection; undefined for a damaged one. */
  readonly columns: readonly (ColumnValues | undefined)[];
  /** Changes when the counters of a row are reset. */
  readonly marks: ColumnValues | undefined;
  /** Whether `columns` have the wanted rows only. */
  readonly isNarrow: boolean;
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
  /** Files that stay open until the answer is complete. */
  readonly #opened = new Map<string, Promise<TierFile>>();
  #keepsOpen = false;
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
    this.#keepsOpen = devices.length > 1 && parts.length <= mostOpenFiles;
    // Read at the moment at which the files are chosen: later, the recent polls may be in another file.
    const recent = this.#readRecent(devices);
    const reading: Promise<readonly ReadBlock[]>[] = [];
    const addNext = async () => {
      for (const block of await reading.shift()!) this.#addBlock(block);
    };
    try {
      for (const device of devices) {
        for (const part of parts) {
          this.#signal.throwIfAborted();
          const blocks = this.#readFile(part, device);
          // It is awaited later.
          blocks.catch(() => {});
          reading.push(blocks);
          if (reading.length === readsAtOnce) await addNext();
        }
        reading.push(Promise.resolve(recent.get(device) ?? []));
      }
      while (reading.length > 0) await addNext();
    } finally {
      await Promise.allSettled(reading);
      for (const opened of this.#opened.values()) (await opened.catch(() => undefined))?.close();
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
    const file = await this.#unlessDamaged(entry, this.#open(entry));
    if (file === undefined) return read;
    try {
      const key = blockKey(device, this.#question.record);
      for (const block of (await this.#unlessDamaged(entry, file.find(key))) ?? []) {
        const selection = this.#selectionOf(block.head.shape, spanMs);
        const { rows, markIndex } = selection;
        if (rows.length === 0) continue;
        const columns: (ColumnValues | undefined)[] = [];
        const readColumn = (index: number) => this.#unlessDamaged(entry, file.column(block, index, rows));
        for (const { index } of selection.columns) columns.push(await readColumn(index));
        const marks = markIndex === undefined ? undefined : await readColumn(markIndex);
        read.push({ ...block.head, selection, columns, marks, isNarrow: true, spanMs, untilMs });
      }
    } finally {
      if (!this.#opened.has(entry.path)) file.close();
    }
    return read;
  }

  #open(entry: TierEntry): Promise<TierFile> {
    const opened = this.#opened.get(entry.path) ?? this.#store.openFile(entry);
    if (this.#keepsOpen) this.#opened.set(entry.path, opened);
    return opened;
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

  /** By device, in the order of their times. */
  #readRecent(devices: readonly string[]): ReadonlyMap<string, readonly ReadBlock[]> {
    const { fromMs, toMs, record } = this.#question;
    const blocks = new Map(devices.map((device): [string, ReadBlock[]] => [device, []]));
    for (const file of this.#store.recentFiles()) {
      const samples = devices.flatMap((device) =>
        file
          .samplesOf(blockKey(device, record))
          .filter(({ timeMs }) => timeMs >= fromMs - rateLookBackMs && timeMs <= toMs),
      );
      const columnsOf = (shape: Shape) => {
        const { rows, columns, markIndex = [] } = this.#selectionOf(shape, 0);
        return rows.length === 0 ? [] : columns.map(({ index }) => index).concat(markIndex);
      };
      for (const sample of file.readMany(samples, columnsOf)) {
        if (sample === undefined) {
          this.#store.reportDamage(file.path);
          continue;
        }
        const { shape, timeMs, startedMs, columns } = sample;
        const selection = this.#selectionOf(shape, 0);
        if (selection.rows.length > 0)
          blocks.get(shape.device)!.push({
            shape,
            times: [timeMs],
            started: [startedMs],
            selection,
            columns: selection.columns.map(({ index }) => columns[index]),
            marks: columns[selection.markIndex ?? -1],
            isNarrow: false,
            spanMs: 0,
            untilMs: Number.POSITIVE_INFINITY,
          });
      }
    }
    for (const list of blocks.values()) list.sort((a, b) => a.times[0]! - b.times[0]!);
    return blocks;
  }

  /** The same for every poll with this shape. */
  #selectionOf(shape: Shape, spanMs: number): Selection {
    let selection = this.#selections.get(shape);
    if (selection === undefined) {
      const columns = wantedColumns(shape, this.#question.fields, spanMs);
      const rows = [...shape.keys.keys()].filter((row) => this.#rows?.has(shape.keys[row]!) ?? true);
      const series = columns.map(({ head }) =>
        rows.map((row) => this.#answer.seriesOf(shape, shape.keys[row]!, head)),
      );
      const markIndex = columns.some(({ isRate }) => isRate) ? markIndexOf(shape.columns) : undefined;
      selection = { columns, markIndex, rows, series };
      this.#selections.set(shape, selection);
    }
    return selection;
  }

  #addBlock(block: ReadBlock): void {
    const { shape, times, started, selection, columns, marks, isNarrow, spanMs, untilMs } = block;
    for (const [i, { head, isRate }] of selection.columns.entries()) {
      const column = columns[i];
      if (column === undefined) continue;
      const { streams, gaps } = column;
      for (const [place, row] of selection.rows.entries()) {
        const series = selection.series[i]![place]!;
        series.describe(shape, row, head);
        series.spanMs = spanMs;
        for (let t = 0, at = (isNarrow ? place : row) * times.length; t < times.length; t++, at++) {
          const timeMs = times[t]!;
          const gap = gaps?.[at] ?? 0;
          if (timeMs + spanMs > untilMs) continue;
          if (gap !== 0) {
            series.addGap(timeMs, gap);
            if (gap === noRow) series.last = undefined;
          } else if (spanMs > 0) addSpan(series, timeMs, streams, at);
          else {
            const [startedMs, value] = [started[t]!, streams[0]![at]!];
            if (isRate) series.addRate({ timeMs, startedMs, value, mark: markAt(marks, at) });
            else series.addValue({ timeMs, startedMs, value });
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
