import type { SliceTurns } from '../../../src/timing/index.ts';
import type { Shape } from '../chunk/block.ts';
import { type WantedColumn, wantedColumns } from '../chunk/wanted-columns.ts';
import { AnswerBuilder, maxAnswerValues, rateLookBackMs } from '../reading/answer-builder.ts';
import type { SeriesBuilder } from '../reading/series-builder.ts';
import type { HistoryAnswer, HistoryQuestion } from '../service.ts';
import type { NameBook, NamedShape } from './name-book.ts';
import type { QueriedSeries, QueryClient } from './query-client.ts';

/** Of a source without a fixed one. */
const unknownIntervalMs = 60_000;
/** Servers limit how many values of an inner question they compute. */
const maxRates = 25_000;

interface ServerAccess {
  readonly names: NameBook;
  readonly client: QueryClient;
  /** Values are added in turns with other work. */
  readonly turns: SliceTurns;
}

/** Answers one question from a server with the query API of Prometheus. */
export async function readServer(
  { names, client, turns }: ServerAccess,
  question: HistoryQuestion,
  signal: AbortSignal,
): Promise<HistoryAnswer> {
  const answer = new AnswerBuilder(question, turns);
  for (const device of new Set(question.devices)) {
    for (const named of names.find(device, question.record)) {
      const reading = new ShapeReading(answer, named, question, turns);
      for (const wanted of wantedColumns(named.shape, question.fields, 0)) {
        signal.throwIfAborted();
        await reading.add(client, wanted, signal);
      }
    }
  }
  return await answer.build();
}

class ShapeReading {
  readonly #answer: AnswerBuilder;
  readonly #turns: SliceTurns;
  readonly #named: NamedShape;
  readonly #question: HistoryQuestion;
  readonly #rows: ReadonlySet<string> | undefined;

  constructor(answer: AnswerBuilder, named: NamedShape, question: HistoryQuestion, turns: SliceTurns) {
    this.#turns = turns;
    this.#answer = answer;
    this.#named = named;
    this.#question = question;
    this.#rows = question.rows && new Set(question.rows);
  }

  async add(client: QueryClient, wanted: WantedColumn, signal: AbortSignal): Promise<void> {
    const { shape, families } = this.#named;
    const family = families[wanted.index];
    if (family === undefined) return;
    const selector = selectorOf(family.sampleName, shape);
    const toUnit = (value: number) => (value * family.base.over) / family.base.times;
    const { stepMs, fromMs, toMs } = this.#question;
    const samples = ((toMs - fromMs) / (shape.intervalMs || unknownIntervalMs)) * shape.keys.length;
    if (stepMs === undefined || samples <= maxAnswerValues) {
      // Not all servers include the sample at the beginning of a range.
      const sinceMs = fromMs - 1 - (wanted.isRate ? rateLookBackMs : 0);
      const query = `${selector}[${Math.ceil(toMs - sinceMs)}ms]`;
      const found = await client.ask('query', { query, time: String(toMs / 1000) }, signal);
      await this.#addAll(found, wanted, (series, timeMs, value) => {
        const reading = { timeMs, startedMs: 0, value: toUnit(value) };
        if (wanted.isRate) series.addRate(reading);
        else series.addValue(reading);
      });
      return;
    }
    // A value belongs to the span in which it is polled, which ends just before the next one begins. A rate is asked at the end
    // of the polls that it is computed from: at the end of a span, these are the last ones of this span.
    const beforeMs = wanted.isRate ? 0 : 1;
    const [start, end] = [Math.floor(fromMs / stepMs) * stepMs + stepMs - beforeMs, toMs + stepMs - beforeMs];
    const times = { start: String(start / 1000), end: String(end / 1000), step: String(stepMs / 1000) };
    const ask = (query: string) => client.ask('query_range', { query, ...times }, signal);
    const { aggregate } = this.#question;
    const found = await ask(this.#aggregate(selector, wanted.isRate, stepMs));
    // A row has several series when one of its labels has changed: each counts by its samples.
    const counts = aggregate === 'mean' ? await ask(`count_over_time(${selector}[${stepMs}ms])`) : [];
    const weights = new Map(
      counts.flatMap(({ metric, values }) =>
        values.map(([seconds, count]) => [weightKey(metric, seconds), Number(count)] as const),
      ),
    );
    await this.#addAll(found, wanted, (series, timeMs, value, metric) => {
      const weight = weights.get(weightKey(metric, timeMs / 1000)) ?? 1;
      const [count, each] = aggregate === 'count' ? [value, 0] : [weight, toUnit(value)];
      series.add(timeMs - stepMs + beforeMs, count, each, each, each);
    });
  }

  #aggregate(selector: string, isRate: boolean, stepMs: number): string {
    const { intervalMs } = this.#named.shape;
    const { aggregate, fromMs, toMs } = this.#question;
    const over = { mean: 'avg', min: 'min', max: 'max', count: 'count' }[aggregate];
    if (!isRate) return `${over}_over_time(${selector}[${stepMs}ms])`;
    const everyMs = Math.max(intervalMs || unknownIntervalMs, Math.ceil((toMs - fromMs) / maxRates));
    // Each rate needs two samples, of which one may be late.
    const rate = `rate(${selector}[${Math.ceil(1.5 * intervalMs + everyMs)}ms])`;
    // Servers compute rates of a while after the last poll, too.
    return `${over}_over_time(${rate}[${stepMs}ms:${everyMs}ms]) and count_over_time(${selector}[${stepMs}ms])`;
  }

  async #addAll(
    found: readonly QueriedSeries[],
    { head }: WantedColumn,
    add: (series: SeriesBuilder, timeMs: number, value: number, metric: QueriedSeries['metric']) => void,
  ): Promise<void> {
    const { shape, findRow } = this.#named;
    const rows = new Map<number, [timeMs: number, value: number, metric: QueriedSeries['metric']][]>();
    for (const { metric, values } of found) {
      await this.#turns.rest();
      const row = findRow(metric);
      if (row === undefined || this.#rows?.has(shape.keys[row]!) === false) continue;
      const samples = rows.get(row) ?? [];
      rows.set(row, samples);
      for (const [seconds, text] of values) {
        const value = Number(text);
        if (Number.isFinite(value)) samples.push([Math.round(seconds * 1000), value, metric]);
      }
    }
    // A row has several series when one of its labels has changed.
    for (const [row, samples] of [...rows].sort(([a], [b]) => a - b)) {
      await this.#turns.rest();
      const series = this.#answer.seriesOf(shape, shape.keys[row]!, head);
      series.describe(shape, row, head);
      for (const [timeMs, value, metric] of samples.sort(([a], [b]) => a - b))
        add(series, timeMs, value, metric);
    }
  }
}

function selectorOf(metric: string, { device, record }: Shape): string {
  return `${metric}{device=${quote(device)},object=${quote(record)}}`;
}

/** The labels of a series and a time. Some servers keep the name of the metric in the results of some functions. */
function weightKey({ __name__: _, ...labels }: QueriedSeries['metric'], seconds: number): string {
  return JSON.stringify([Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)), seconds]);
}

function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
