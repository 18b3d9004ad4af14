import { defineErrors } from '../../../src/index.ts';
import type { SliceTurns } from '../../../src/timing/index.ts';
import type { ColumnHead, Shape } from '../chunk/block.ts';
import { historyErrors } from '../errors.ts';
import type { HistoryAnswer, HistoryQuestion, HistorySeries } from '../service.ts';
import { SeriesBuilder } from './series-builder.ts';

const failure = defineErrors(historyErrors);

export const maxAnswerValues = 500_000;
/** A series takes memory also when it has one value. */
const maxAnswerSeries = 50_000;
/** The first rate of a range compares with a reading before it. */
export const rateLookBackMs = 900_000;

/** Collects the series of an answer. Throws when it would become too large. */
export class AnswerBuilder {
  readonly #question: HistoryQuestion;
  readonly #turns: SliceTurns;
  readonly #series = new Map<string, SeriesBuilder>();
  readonly #spans: number;
  /** Without a step: at which times there are values. */
  readonly #expected = new Set<number>();
  #cells = 0;

  constructor(question: HistoryQuestion, turns: SliceTurns) {
    this.#question = question;
    this.#turns = turns;
    const { fromMs, toMs, stepMs } = question;
    this.#spans = stepMs === undefined ? 0 : Math.ceil((toMs - fromMs) / stepMs) + 1;
    if (this.#spans > maxAnswerValues) throw tooMany();
  }

  seriesOf({ device, record }: Shape, row: string, head: ColumnHead): SeriesBuilder {
    const key = `${device}\n${row}\n${head.field}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      this.expectSeries(this.#series.size + 1);
      series = new SeriesBuilder(
        { device, record, row, field: head.field },
        head,
        this.#question,
        this.#count,
      );
      this.#series.set(key, series);
    }
    return series;
  }

  /** Throws when an answer with so many series would be too large. */
  expectSeries(count: number): void {
    if (count > maxAnswerSeries || count * Math.max(this.#spans, this.#expected.size) > maxAnswerValues)
      throw tooMany();
  }

  /** Throws when an answer with these times would be too large. Values are read after that. */
  expectTimes(times: Iterable<number>): void {
    const { fromMs, toMs, stepMs } = this.#question;
    if (stepMs !== undefined) return;
    for (const timeMs of times) {
      if (timeMs >= fromMs && timeMs <= toMs) this.#expected.add(timeMs);
    }
    this.expectSeries(this.#series.size);
  }

  async build(): Promise<HistoryAnswer> {
    const places = new Map(this.#question.devices.map((device, place) => [device, place]));
    const all = [...this.#series.values()]
      .filter(({ isEmpty }) => !isEmpty)
      .sort((a, b) => places.get(a.device)! - places.get(b.device)!);
    const steps = this.#listSteps();
    const own: (readonly number[])[] = [];
    let joined: readonly number[] = steps ?? [];
    for (const series of all) {
      await this.#turns.rest();
      own.push(steps ?? series.times());
      joined = joinTimes(joined, own.at(-1)!);
      if (all.length * joined.length > maxAnswerValues) throw tooMany();
    }
    const times = all.length === 0 ? [] : joined;
    const series: HistorySeries[] = [];
    for (const [i, each] of all.entries()) {
      await this.#turns.rest();
      series.push(each.build(times, own[i]!));
    }
    return { times, series };
  }

  /** Undefined when values are as they were polled. */
  #listSteps(): number[] | undefined {
    const { stepMs, fromMs, toMs } = this.#question;
    if (stepMs === undefined) return undefined;
    const times: number[] = [];
    for (let timeMs = Math.floor(fromMs / stepMs) * stepMs; timeMs < toMs; timeMs += stepMs)
      times.push(timeMs);
    return times;
  }

  readonly #count = (): void => {
    if (++this.#cells > maxAnswerValues) throw tooMany();
  };
}

/** All times of two ascending lists, ascending, each once. */
function joinTimes(left: readonly number[], right: readonly number[]): readonly number[] {
  // The fields of a record are polled together.
  if (left === right || isSame(left, right)) return left;
  const joined: number[] = [];
  for (let [i, j] = [0, 0]; i < left.length || j < right.length; ) {
    const [a, b] = [left[i] ?? Number.POSITIVE_INFINITY, right[j] ?? Number.POSITIVE_INFINITY];
    joined.push(Math.min(a, b));
    if (a <= b) i++;
    if (b <= a) j++;
  }
  return joined;
}

function isSame(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((timeMs, i) => timeMs === right[i]);
}

function tooMany(): Error {
  return failure('HISTORY_TOO_MANY_VALUES', { max: maxAnswerValues, series: maxAnswerSeries });
}
