import { ColumnMemory } from '../../../src/definitions/index.ts';
import type { Batch, Rows } from '../../../src/index.ts';
import type { DeviceTime } from '../counter/device-time.ts';
import type { CounterValues } from '../counter/subtract-counters.ts';
import type { ColumnPlan, ColumnSource, RecordPlan } from '../plan/poll-plan.ts';
import type { ColumnTexts } from './template-texts.ts';

/** The counters of a record as they were last read. */
export interface CounterState extends CounterValues {
  readonly plan: CounterLayout;
  readonly keys: readonly string[];
  readonly at: DeviceTime;
}

/** Where the counters of a record are: its plan, or a part of the plan of another collector. */
export interface CounterLayout extends Pick<RecordPlan, 'discontinuity'> {
  readonly columns: readonly (Pick<ColumnPlan, 'isCounter'> & {
    readonly head: Pick<ColumnPlan['head'], 'field'>;
    readonly sources: readonly Pick<ColumnSource, 'column' | 'firstSlot' | 'slots'>[];
  })[];
}

/** The key of each instance of a record. */
export interface RowPlaces {
  readonly keys: readonly string[];
  readonly instances: readonly string[];
}

/** Makes the batch of the last poll. Its texts are those of the newest reply, also while the next poll is under way. */
export type LatestRecord = () => Batch;

/** What is remembered from poll to poll about one record of one device. */
export class RecordMemory {
  readonly plan: RecordPlan;
  rows: Rows | undefined = undefined;
  /** The lists that `rows` was made from, by label. */
  labels: (readonly (string | undefined)[] | undefined)[] = [];
  /** The names of the record's rows that only other plans have. */
  otherNames: readonly (string | undefined)[] | undefined = undefined;
  /** The labels that are made of other texts, and these texts. */
  templates: readonly (readonly (string | undefined)[])[] | undefined = undefined;
  texts: ColumnTexts = new Map();
  counters: CounterState | undefined = undefined;
  latest: LatestRecord | undefined = undefined;
  /** The instances of the rows when their names were last read. */
  places: RowPlaces | undefined = undefined;
  readonly #columns: (ColumnMemory | undefined)[];

  constructor(plan: RecordPlan, before?: RecordMemory) {
    this.plan = plan;
    this.#columns = new Array(plan.columns.length + plan.labels.length).fill(undefined);
    this.inherit(before);
  }

  inherit(before: RecordMemory | undefined): void {
    this.counters = before?.counters ?? this.counters;
    this.latest = before?.latest ?? this.latest;
    this.places = before?.places ?? this.places;
  }

  forgetForeign(): void {
    for (const [position, { isForeign }] of this.plan.labels.entries()) {
      if (!isForeign || this.labels[position] === undefined) continue;
      this.labels[position] = undefined;
      this.rows = undefined;
    }
    if (this.plan.templates.length === 0) return;
    this.templates = undefined;
    this.texts = new Map();
    this.rows = undefined;
  }

  /** The values of a poll move to `kept`, which has those of an earlier poll so far: they stay where this poll brought none. */
  moveCounters(poll: CounterValues, kept: CounterValues): void {
    const { counters } = this;
    if (counters?.words === poll.words) this.counters = withValues(counters, kept);
    else if (counters?.words === kept.words)
      this.counters = withValues(counters, { words: kept.words.slice(), status: kept.status.slice() });
  }

  /** Takes an equal list of another device in place of its own. */
  shareLabel(position: number, label: readonly (string | undefined)[]): void {
    this.labels[position] = label;
    this.#columns[this.plan.columns.length + position]?.share(label);
  }

  /** The memory of a text column. `position` counts the value columns first, then the labels. */
  columnMemory(position: number): ColumnMemory {
    this.#columns[position] ??= new ColumnMemory();
    return this.#columns[position];
  }
}

function withValues({ plan, keys, at }: CounterState, { words, status }: CounterValues): CounterState {
  return { plan, keys, words, status, at };
}
