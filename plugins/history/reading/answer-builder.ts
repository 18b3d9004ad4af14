import { defineErrors } from '../../../src/index.ts';
import type { ColumnHead, Shape } from '../chunk/block.ts';
import { historyErrors } from '../errors.ts';
import type { HistoryAnswer, HistoryQuestion } from '../service.ts';
import { SeriesBuilder } from './series-builder.ts';

const failure = defineErrors(historyErrors);

/** An answer is written while polls wait. */
export const maxAnswerValues = 500_000;
/** The first rate of a range compares with a reading before it. */
export const rateLookBackMs = 900_000;

/** Collects the series of an answer. Throws when it would become too large. */
export class AnswerBuilder {
  readonly #question: HistoryQuestion;
  readonly #series = new Map<string, SeriesBuilder>();
  readonly #spans: number;
  #cells = 0;

  constructor(question: HistoryQuestion) {
    this.#question = question;
    const { fromMs, toMs, stepMs } = question;
    this.#spans = stepMs === undefined ? 0 : Math.ceil((toMs - fromMs) / stepMs) + 1;
    if (this.#spans > maxAnswerValues) throw tooMany();
  }

  seriesOf({ device, record }: Shape, row: string, head: ColumnHead): SeriesBuilder {
    const key = `${device}\n${row}\n${head.field}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      if ((this.#series.size + 1) * this.#spans > maxAnswerValues) throw tooMany();
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

  build(): HistoryAnswer {
    const places = new Map(this.#question.devices.map((device, place) => [device, place]));
    const all = [...this.#series.values()]
      .filter(({ isEmpty }) => !isEmpty)
      .sort((a, b) => places.get(a.device)! - places.get(b.device)!);
    const own = all.map((series) => series.times());
    const steps = this.#listSteps();
    const times = all.length === 0 ? [] : (steps ?? joinTimes(own));
    if (all.length * times.length > maxAnswerValues) throw tooMany();
    return { times, series: all.map((series, i) => series.build(times, steps ?? own[i]!)) };
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

/** All times, ascending, each once. */
function joinTimes([first = [], ...others]: readonly (readonly number[])[]): readonly number[] {
  // The fields of a record are polled together.
  const differing = others.filter((list) => !isSame(list, first));
  if (differing.length === 0) return first;
  return [...new Set([first, ...differing].flat())].sort((a, b) => a - b);
}

function isSame(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((timeMs, i) => timeMs === right[i]);
}

function tooMany(): Error {
  return failure('HISTORY_TOO_MANY_VALUES', { max: maxAnswerValues });
}
