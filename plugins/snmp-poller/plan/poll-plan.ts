import type {
  AttributeRef,
  ColumnDecoder,
  CompiledSensor,
  RowUnit,
  Scale,
  SensorClassName,
  SensorLimit,
  SensorState,
  Syntax,
} from '../../../src/definitions/index.ts';
import type { ColumnFacts, Metric, MibNames, Oid, Rows } from '../../../src/index.ts';
import type { CompiledRequest } from '../../../src/snmp/index.ts';

/** The requests to a device at one interval, and the slot of every value. Shared by all devices of one shape. */
export interface PollPlan {
  /** Such as `every-60s`. */
  readonly name: string;
  readonly everyMs: number;
  readonly requests: readonly CompiledRequest[];
  /** Requests for labels of these rows that are polled at another interval. They are sent until the labels are known. */
  readonly labelRequests: readonly CompiledRequest[];
  /** The same reads as OIDs, `requests` first: for engines without compiled requests, and for explanations. */
  readonly reads: readonly Read[];
  readonly slots: number;
  /** All texts have slots below this one. */
  readonly textSlots: number;
  readonly records: readonly RecordPlan[];
  /** The positions of the records that share a batch: usually one each, several for a record of the vocabulary. */
  readonly batches: readonly (readonly number[])[];
  /** The rows of the record `sensor`; empty without sensors. */
  readonly sensors: readonly SensorSection[];
  readonly watches: readonly Watch[];
  /** Whether `engineBootsSlot` holds the engine's boots. */
  readonly readsBoots: boolean;
}

/** The value of column c at row r goes to slot `firstSlot + c * instances.length + r`. */
export interface Read {
  readonly columns: readonly Oid[];
  readonly instances: readonly string[];
  readonly firstSlot: number;
  /** Read with `labelRequests` only. */
  readonly isForeign: boolean;
}

/** In every plan: sysUpTime, in hundredths of a second. */
export const sysUpTimeSlot = 0;
/** How often the SNMP engine has started. Plans for SNMPv1 use this slot for another value. */
export const engineBootsSlot = 1;

/** One table of the plan. Each poll makes a batch of it, or a part of one for a record of the vocabulary. */
export interface RecordPlan {
  readonly record: string;
  readonly table: string;
  /** What identifies the rows, in a record of the vocabulary. Undefined in others: the instance or a name does. */
  readonly rowIds: readonly string[] | undefined;
  /** Labels that are made of other texts. */
  readonly templates: readonly { readonly field: string; readonly plan: TemplatePlan }[];
  /** In a pool of the vocabulary: the heads of its size, used and free part, and usage. */
  readonly pool: PoolPlan | undefined;
  /** The rows. */
  readonly instances: readonly string[];
  readonly mib: MibNames | undefined;
  /** Labels that are decoded from the instances. */
  readonly indexLabels: Rows['labels'];
  /** Rows whose instance cannot be decoded. They have the label `index.raw`, and each poll counts a gap for each of them. */
  readonly undecoded: number;
  readonly columns: readonly ColumnPlan[];
  /** The number of counter columns. */
  readonly counters: number;
  readonly labels: readonly LabelPlan[];
  /** The slot of the discontinuity time of each row, −1 for none; undefined when none is polled. */
  readonly discontinuity: Int32Array | undefined;
}

/** The parts of a text: itself, a column, or the texts of the rows. */
export type TemplatePlan = readonly (string | ColumnSource | readonly (string | undefined)[])[];

/** Size, used part, free part and usage of a pool, in this order. */
export interface PoolPlan {
  readonly heads: readonly [ColumnHead, ColumnHead, ColumnHead, ColumnHead];
  /** What stands for the whole in the usage: 100 or 1. */
  readonly whole: number;
}

/** The sensors of one attribute. */
export interface SensorSection extends AttributeRef, Pick<CompiledSensor, 'part' | 'direction'> {
  readonly instances: readonly string[];
  /** The label `sensor.id` of each. */
  readonly ids: readonly string[];
  /** Undefined for sensors that have only a state. */
  readonly value: ColumnSource | undefined;
  readonly class:
    | SensorClassName
    | { readonly source: ColumnSource; readonly find: (value: string) => SensorClassName | undefined };
  readonly unitOf: (name: SensorClassName) => string | undefined;
  readonly name: TemplatePlan;
  readonly location: TemplatePlan | undefined;
  readonly state: SensorStatePlan | undefined;
  readonly limits: readonly (readonly [SensorLimit, number | ColumnSource])[];
}

export interface SensorStatePlan {
  readonly source: ColumnSource;
  /** The states by the number or the text from the device, in lower case. */
  readonly values: Readonly<Record<string, SensorState>>;
  /** The words of the vendor. */
  readonly names: ReadonlyMap<number, string> | undefined;
}

export interface ColumnPlan {
  /** The parts of a column that stay the same. */
  readonly head: ColumnHead;
  readonly isCounter: boolean;
  /** Of the columns that are derived from a counter: the increase, and the increase per second. */
  readonly deltaHead: ColumnHead;
  readonly rateHead: ColumnHead;
  /** Usually one. Several when different attributes write the field, the best first. */
  readonly sources: readonly ColumnSource[];
  /** Whether several sources may write the same row. Then `settleSources` decides at each poll. */
  readonly isShared: boolean;
  /** The gap code of each row that no source writes; undefined when there are none. */
  readonly holes: Uint8Array | undefined;
}

export interface ColumnHead {
  readonly field: string;
  readonly metric?: Metric;
  readonly unit?: string;
  readonly about: ColumnFacts;
}

/** One attribute that writes one field, for some rows. */
export interface ColumnSource {
  readonly object: string;
  readonly attribute: string;
  readonly column: Oid;
  readonly decoder: ColumnDecoder;
  readonly scale: Scale;
  readonly reading: Syntax['reading'];
  /** When the slots of all rows are consecutive: the slot of row 0, and `slots` is undefined. */
  readonly firstSlot: number;
  /** Otherwise the slot of each row; −1 for rows that this source does not write. */
  readonly slots: Int32Array | undefined;
  /** When other columns of the row scale the value. */
  readonly rowScale: RowScale | undefined;
  /** Numbers and texts from the device that mean that there is no value. */
  readonly missing: ReadonlySet<string> | undefined;
  /** Whether another plan emits its values. This plan reads it only to know where they exist, and leaves these rows to it. */
  readonly isElsewhere: boolean;
}

/** The scaling columns are read at the same instances, so their slots have the same offsets as those of the source. */
export interface RowScale {
  readonly factor: number;
  readonly offset: number;
  readonly prefixSlot: number | undefined;
  readonly precisionSlot: number | undefined;
  /** Undefined where the definition does not use them, which is the usual case. */
  readonly more: FurtherScale | undefined;
}

export interface FurtherScale {
  readonly divisorSlot: number | undefined;
  readonly timesSlot: number | undefined;
  readonly unitSlot: number | undefined;
  /** By the number or the text from the device: a factor, or a unit of temperatures. */
  readonly findUnit: (value: number | string) => number | RowUnit | undefined;
}

export interface LabelPlan extends Pick<ColumnPlan, 'sources' | 'isShared'> {
  readonly field: string;
  /** Whether it is polled at another interval. Then this plan reads it only until it is known. */
  readonly isForeign: boolean;
  /** Whether it identifies the rows: it is ifName. */
  readonly isName: boolean;
  /**
   * The names of the record's rows that only other plans have. A name that one of them has too identifies no row, so that all plans
   * give a row the same key. Undefined when there are no such rows.
   */
  readonly others: OtherNames | undefined;
}

export interface OtherNames {
  readonly sources: readonly ColumnSource[];
  readonly count: number;
}

/** An attribute whose changes start a discovery. */
export interface Watch {
  readonly object: string;
  readonly attribute: string;
  readonly when: 'OnReset' | 'OnChange';
  readonly firstSlot: number;
  /** The watched instances, in the order of their slots. */
  readonly instances: readonly string[];
}

/** The slot that a source reads for a row; −1 for none. */
export function slotOf(source: Pick<ColumnSource, 'firstSlot' | 'slots'>, row: number): number {
  return source.slots === undefined ? source.firstSlot + row : source.slots[row]!;
}
