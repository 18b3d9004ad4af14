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
      series = new SeriesBuilder({ device, record, row, field: head.field }, head, this.#question);
      this.#series.set(key, series);
    }
    return series;
  }

  build(): HistoryAnswer {
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
