import type { Metric, Oid, Rows } from '../../../src/index.ts';
import type { ColumnDecoder, Scale, Syntax } from '../../../src/internal.ts';
import type { CompiledRequest } from '../../../src/snmp/index.ts';

/** What one device is asked for at one interval, and where every answer goes. Shared by all devices of one shape. */
export interface PollPlan {
  /** Such as `every-60s`. */
  readonly name: string;
  readonly everyMs: number;
  readonly requests: readonly CompiledRequest[];
  /** Reads the labels that belong to rows of this plan and are polled at another interval; only until they are known. */
  readonly labelRequests: readonly CompiledRequest[];
  /** The same reads in words, `requests` first: for engines without the fast road, and for explanations. */
  readonly reads: readonly Read[];
  readonly slots: number;
  /** Texts have slots below this one. */
  readonly textSlots: number;
  readonly records: readonly RecordPlan[];
  readonly watches: readonly Watch[];
  /** Whether `engineBootsSlot` holds the engine's boots. */
  readonly readsBoots: boolean;
}

/** The value of column c at row r lands in slot `firstSlot + c * instances.length + r`. */
export interface Read {
  readonly columns: readonly Oid[];
  readonly instances: readonly string[];
  readonly firstSlot: number;
  /** Read with `labelRequests` only. */
  readonly isForeign: boolean;
}

/** In every plan: the time by the device's own clock, in hundredths of a second. */
export const sysUpTimeSlot = 0;
/** How often the device has started; not in SNMPv1, where the slot is another value's. */
export const engineBootsSlot = 1;

/** One record of the plan: becomes one batch a poll. */
export interface RecordPlan {
  readonly record: string;
  /** The rows. */
  readonly instances: readonly string[];
  /** Labels that the instances themselves give. */
  readonly indexLabels: Rows['labels'];
  /** Rows whose instance does not decode: their raw arcs are the label, and each poll counts a gap for each. */
  readonly undecoded: number;
  readonly columns: readonly ColumnPlan[];
  /** Columns that counters are derived for. */
  readonly counters: number;
  readonly labels: readonly LabelPlan[];
  /** Slots of the row's discontinuity time, one entry a row, −1 where there is none; undefined when none is polled. */
  readonly discontinuity: Int32Array | undefined;
}

export interface ColumnPlan {
  /** The parts of a column that stay the same. */
  readonly head: ColumnHead;
  readonly isCounter: boolean;
  /** Of the columns that a counter becomes: how far it went, and how far a second. */
  readonly deltaHead: ColumnHead;
  readonly rateHead: ColumnHead;
  /** Usually one; several where rows differ in who writes the field. */
  readonly sources: readonly ColumnSource[];
  /** Rows that nobody writes: gap codes, one entry a row; undefined when there are none. */
  readonly holes: Uint8Array | undefined;
}

export interface ColumnHead {
  readonly field: string;
  readonly metric?: Metric;
  readonly unit?: string;
}

/** One attribute as the writer of one field, for some rows. */
export interface ColumnSource {
  readonly object: string;
  readonly attribute: string;
  readonly column: Oid;
  readonly decoder: ColumnDecoder;
  readonly scale: Scale;
  readonly reading: Syntax['reading'];
  /** Where the slots of all rows follow each other: the slot of row 0, and no `slots`. */
  readonly firstSlot: number;
  /** Otherwise the slot of each row; −1 where this source does not write. */
  readonly slots: Int32Array | undefined;
  /** Where its values are scaled by other columns of their rows. */
  readonly rowScale: RowScale | undefined;
}

/** The columns are read at the same instances as the source: as far behind their first slot as the value behind its own. */
export interface RowScale {
  readonly factor: number;
  readonly prefixSlot: number | undefined;
  readonly precisionSlot: number | undefined;
}

export interface LabelPlan extends Pick<ColumnPlan, 'sources'> {
  readonly field: string;
  /** Polled at another interval: read here only until it is known. */
  readonly isForeign: boolean;
  /** How well it identifies a row: 0 not at all, else the higher the better. */
  readonly naming: number;
}

/** An attribute whose changes call for a discovery. */
export interface Watch {
  readonly object: string;
  readonly attribute: string;
  readonly when: 'OnReset' | 'OnChange';
  readonly firstSlot: number;
  /** The instances that are watched, in the order of their slots. */
  readonly instances: readonly string[];
}

/** The slot that a source reads for a row; −1 for none. */
export function slotOf(source: Pick<ColumnSource, 'firstSlot' | 'slots'>, row: number): number {
  return source.slots === undefined ? source.firstSlot + row : source.slots[row]!;
}
