import { BatchFault, defineErrors } from '../../../src/index.ts';
import { isMissing } from '../../../src/internal.ts';
import {
  type BlockHead,
  type ColumnHead,
  type ColumnValues,
  noRow,
  type Shape,
  stream,
} from '../chunk/block.ts';
import { historyErrors } from '../errors.ts';
import type { HistoryStore } from '../history-store.ts';
import { blockKey } from '../recent/recent-file.ts';
import type { HistoryAnswer, HistoryQuestion } from '../service.ts';
import type { TierEntry } from '../tiers/tier-folder.ts';
import { hourSpanMs, minuteSpanMs, tierSpansMs } from '../tiers/tier-names.ts';
import { rateBetween } from './counter-rates.ts';
import { SeriesBuilder } from './series-builder.ts';

const failure = defineErrors(historyErrors);

/** An answer is written while polls wait. */
const maxAnswerValues = 500_000;
/** The first rate of a range compares with a reading before it. */
const rateLookBackMs = 900_000;

/** Answers one question from the files of a store. */
export async function readHistory(
  store: HistoryStore,
  question: HistoryQuestion,
  signal: AbortSignal,
): Promise<HistoryAnswer> {
  return new HistoryReading(store, question, signal).run();
}

/** A field that was asked for, and the column that has it. */
interface WantedColumn {
  readonly head: ColumnHead;
  readonly index: number;
  /** The column is a counter, and its rate is wanted. */
  readonly isRate: boolean;
}

class HistoryReading {
  readonly #store: HistoryStore;
  readonly #question: HistoryQuestion;
  readonly #signal: AbortSignal;
  readonly #series = new Map<string, SeriesBuilder>();
  readonly #rows: ReadonlySet<string> | undefined;
  readonly #fields: readonly string[] | undefined;
  readonly #spans: number;

  constructor(store: HistoryStore, question: HistoryQuestion, signal: AbortSignal) {
    this.#store = store;
    this.#question = question;
    this.#signal = signal;
    this.#rows = question.rows && new Set(question.rows);
    this.#fields = question.fields && [...new Set(question.fields)];
    const { fromMs, toMs, stepMs } = question;
    this.#spans = stepMs === undefined ? 0 : Math.ceil((toMs - fromMs) / stepMs) + 1;
    if (this.#spans > maxAnswerValues) throw tooMany();
  }

  async run(): Promise<HistoryAnswer> {
    const parts = this.#chooseParts();
    for (const device of new Set(this.#question.devices)) {
      for (const part of parts) {
        this.#signal.throwIfAborted();
        await this.#readFile(part, device);
      }
      await this.#readRecent(device);
    }
    return this.#build();
  }

  /**
   * The files to read, the oldest first. A step needs no finer tier than its own; what that tier does not have yet is in a finer
   * one, and what it does not have any more in a coarser one.
   */
  #chooseParts(): { readonly entry: TierEntry; readonly untilMs: number }[] {
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

  async #readFile(
    { entry, untilMs }: { readonly entry: TierEntry; readonly untilMs: number },
    device: string,
  ): Promise<void> {
    try {
      const file = await this.#store.openFile(entry);
      try {
        for (const block of await file.find(blockKey(device, this.#question.record))) {
          const spanMs = tierSpansMs[entry.tier];
          await this.#addBlock(block.head, (index) => file.column(block, index), spanMs, untilMs);
        }
      } finally {
        file.close();
      }
    } catch (error) {
      if (error instanceof BatchFault) this.#store.reportDamage(entry.path);
      else if (!isMissing(error)) throw error;
    }
  }

  async #readRecent(device: string): Promise<void> {
    const { fromMs, toMs, record } = this.#question;
    const columnsOf = new Map<Shape, ReadonlySet<number>>();
    for (const file of this.#store.recentFiles()) {
      const samples = file
        .samplesOf(blockKey(device, record))
        .filter(({ timeMs }) => timeMs >= fromMs - rateLookBackMs && timeMs <= toMs)
        .sort((a, b) => a.timeMs - b.timeMs);
      for (const sample of samples) {
        const { shape } = sample;
        let columns = columnsOf.get(shape);
        if (columns === undefined) {
          columns = new Set(this.#wantedOf(shape, 0).map(({ index }) => index));
          columnsOf.set(shape, columns);
        }
        const read = await file.read(sample, columns);
        if (read === undefined) this.#store.reportDamage(file.path);
        else {
          const head = {
            shape,
            times: Float64Array.of(read.timeMs),
            started: Float64Array.of(read.startedMs),
          };
          await this.#addBlock(head, (index) => read.columns[index]!, 0, Number.POSITIVE_INFINITY);
        }
      }
    }
  }

  async #addBlock(
    { shape, times, started }: BlockHead,
    columnAt: (index: number) => ColumnValues | Promise<ColumnValues>,
    spanMs: number,
    untilMs: number,
  ): Promise<void> {
    const wanted = this.#wantedOf(shape, spanMs);
    const rows = [...shape.keys.entries()].filter(([, key]) => this.#rows?.has(key) ?? true);
    for (const { head, index, isRate } of rows.length === 0 ? [] : wanted) {
      const { streams, gaps } = await columnAt(index);
      for (const [row, key] of rows) {
        const series = this.#seriesOf(shape, key, head);
        series.describe(head, labelsOf(shape, row), shape.intervalMs);
        series.spanMs = spanMs;
        for (let t = 0, at = row * times.length; t < times.length; t++, at++) {
          const timeMs = times[t]!;
          const gap = gaps?.[at] ?? 0;
          if (timeMs + spanMs > untilMs) continue;
          if (gap !== 0) {
            series.addGap(timeMs, gap);
            if (gap === noRow) series.last = undefined;
          } else if (spanMs > 0) addSpan(series, timeMs, streams, at);
          else if (isRate) addRate(series, { timeMs, startedMs: started[t]!, value: streams[0]![at]! });
          else {
            const value = streams[0]![at]!;
            series.add(timeMs, 1, value, value, value);
          }
        }
      }
    }
  }

  #wantedOf({ columns }: Shape, spanMs: number): WantedColumn[] {
    const places = new Map(columns.map(({ field }, index) => [field, index]));
    const fields =
      this.#fields ??
      columns.map(({ field, metric }) => (spanMs === 0 && metric === 'counter' ? `${field}_rate` : field));
    return fields.flatMap((field): WantedColumn[] => {
      const index = places.get(field);
      if (index !== undefined) return [{ head: columns[index]!, index, isRate: false }];
      const counter = field.endsWith('_rate') ? places.get(field.slice(0, -'_rate'.length)) : undefined;
      if (counter === undefined || columns[counter]!.metric !== 'counter') return [];
      const { unit } = columns[counter]!;
      const head = { field, metric: 'gauge' as const, unit: unit && `${unit}/s` };
      return [{ head, index: counter, isRate: true }];
    });
  }

  #seriesOf({ device, record }: Shape, row: string, head: ColumnHead): SeriesBuilder {
    const key = `${device}\n${row}\n${head.field}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      if ((this.#series.size + 1) * this.#spans > maxAnswerValues) throw tooMany();
      series = new SeriesBuilder({ device, record, row, field: head.field }, head, this.#question);
      this.#series.set(key, series);
    }
    return series;
  }

  #build(): HistoryAnswer {
    const all = [...this.#series.values()].filter(({ size }) => size > 0);
    const times = this.#listTimes(all);
    if (all.length * times.length > maxAnswerValues) throw tooMany();
    return { times, series: all.map((series) => series.build(times)) };
  }

  #listTimes(all: readonly SeriesBuilder[]): number[] {
    const { stepMs, fromMs, toMs } = this.#question;
    if (all.length === 0) return [];
    if (stepMs === undefined) {
      return [...new Set(all.flatMap((series) => series.times()))].sort((a, b) => a - b);
    }
    const times: number[] = [];
    for (let timeMs = Math.floor(fromMs / stepMs) * stepMs; timeMs < toMs; timeMs += stepMs)
      times.push(timeMs);
    return times;
  }
}

function tooMany(): Error {
  return failure('HISTORY_TOO_MANY_VALUES', { max: maxAnswerValues });
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

function addRate(series: SeriesBuilder, now: NonNullable<SeriesBuilder['last']>): void {
  const rate = rateBetween(series.last, now);
  series.last = now;
  if ('gap' in rate) series.addGap(now.timeMs, rate.gap);
  else series.add(now.timeMs, 1, rate.value, rate.value, rate.value);
}

function labelsOf({ labels }: Shape, row: number): Record<string, string> {
  const own: Record<string, string> = {};
  for (const [field, texts] of Object.entries(labels)) {
    const text = texts[row];
    if (text !== undefined) own[field] = text;
  }
  return own;
}
