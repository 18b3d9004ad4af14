import type { SensorClassName } from '../../../src/definitions/index.ts';
import type { Column, Rows } from '../../../src/index.ts';
import type { PollPlan, SensorSection } from '../plan/poll-plan.ts';
import type { LatestRecord } from './record-memory.ts';
import type { ColumnTexts } from './template-texts.ts';

/** The sensors of one attribute that are rows of the record. */
export interface SensorRows {
  readonly section: SensorSection;
  /** The position of each row among the instances; undefined when all of them are rows. */
  readonly positions: Int32Array | undefined;
  readonly count: number;
  readonly classes: SensorClassName | readonly SensorClassName[];
}

/** The rows of the record `sensor`, and what does not change from poll to poll. */
export interface SensorRecord {
  readonly rows: Rows;
  readonly parts: readonly SensorRows[];
  readonly limits: readonly Column[];
  readonly hasValues: boolean;
  readonly hasStates: boolean;
}

/** What is remembered from poll to poll about the sensors of one plan of one device. */
export class SensorMemory {
  readonly sections: readonly SensorSection[];
  /** Whether names, classes or limits must be read before there are rows. */
  readonly needsTexts: boolean;
  /** Undefined before the names were read, and after a restart, when an instance may be another sensor. */
  record: SensorRecord | undefined = undefined;
  texts: ColumnTexts = new Map();
  latest: LatestRecord | undefined;

  constructor(
    { sensors, labelRequests }: Pick<PollPlan, 'sensors' | 'labelRequests'>,
    before?: SensorMemory,
  ) {
    this.sections = sensors;
    this.needsTexts = labelRequests.length > 0;
    this.latest = before?.latest;
  }

  forget(): void {
    this.record = undefined;
    this.texts = new Map();
  }
}
