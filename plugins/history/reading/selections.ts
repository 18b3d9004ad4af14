import type { SliceTurns } from '../../../src/timing/index.ts';
import type { Shape } from '../chunk/block.ts';
import { markIndexOf, type WantedColumn, wantedColumns } from '../chunk/wanted-columns.ts';
import type { HistoryQuestion } from '../service.ts';
import type { AnswerBuilder } from './answer-builder.ts';
import type { SeriesBuilder } from './series-builder.ts';

/** What is wanted of a shape, and where it is added. */
export interface Selection {
  readonly columns: readonly WantedColumn[];
  /** The column that is needed to compute rates. */
  readonly markIndex: number | undefined;
  /** Ascending. */
  readonly rows: readonly number[];
  /** For each column, those of the rows. */
  readonly series: readonly (readonly SeriesBuilder[])[];
}

/** Finds out what a question wants of each shape. The same for every poll with this shape. */
export class Selections {
  readonly #question: HistoryQuestion;
  readonly #answer: AnswerBuilder;
  readonly #turns: SliceTurns;
  readonly #rows: ReadonlySet<string> | undefined;
  readonly #known = new Map<Shape, Selection>();

  constructor(question: HistoryQuestion, answer: AnswerBuilder, turns: SliceTurns) {
    this.#question = question;
    this.#answer = answer;
    this.#turns = turns;
    this.#rows = question.rows && new Set(question.rows);
  }

  /** Throws when the answer would become too large. */
  of(shape: Shape, spanMs: number): Selection | Promise<Selection> {
    return this.#known.get(shape) ?? this.#select(shape, spanMs);
  }

  async #select(shape: Shape, spanMs: number): Promise<Selection> {
    const columns = wantedColumns(shape, this.#question.fields, spanMs);
    const rows = [...shape.keys.keys()].filter((row) => this.#rows?.has(shape.keys[row]!) ?? true);
    this.#answer.expectSeries(rows.length * columns.length);
    const series: SeriesBuilder[][] = [];
    for (const { head } of columns) {
      const own: SeriesBuilder[] = [];
      for (const row of rows) {
        own.push(this.#answer.seriesOf(shape, shape.keys[row]!, head));
        const pause = this.#turns.rest();
        if (pause !== undefined) await pause;
      }
      series.push(own);
    }
    const markIndex = columns.some(({ isRate }) => isRate) ? markIndexOf(shape.columns) : undefined;
    const selection = { columns, markIndex, rows, series };
    this.#known.set(shape, selection);
    return selection;
  }
}
