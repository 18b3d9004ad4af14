import type { ColumnValues } from '../../../src/definitions/index.ts';
import type { Column } from '../../../src/index.ts';
import type { PollColumns } from '../../../src/snmp/index.ts';
import type { ColumnPlan, ColumnSource, RowScale } from '../plan/poll-plan.ts';
import { buildColumn } from './build-column.ts';
import { type ColumnPart, mergeValues, settleGaps } from './merge-values.ts';
import type { RecordMemory } from './record-memory.ts';
import { scaleRows } from './scale-rows.ts';
import { settleSources } from './settle-sources.ts';
import { ofOtherSource, type ReadTools, type SourceReader } from './source-reader.ts';

/** The number of missing values, by gap code. */
export type GapTally = Uint32Array;

/** Reads the columns of a record from a poll, without the columns that are derived from counters. */
export class ColumnReader {
  readonly #reader: SourceReader;
  #scratch = new Uint8Array(64);

  constructor(reader: SourceReader) {
    this.#reader = reader;
  }

  /** Returns undefined for a column without output. Counts values in `counts[0]`, and gaps at their codes. */
  read(
    column: ColumnPlan,
    position: number,
    memory: RecordMemory,
    poll: PollColumns,
    counts: GapTally,
    tools: ReadTools,
  ): Column | undefined {
    const { holes, head } = column;
    const count = memory.plan.instances.length;
    const sources = settleSources(column, poll.status, count);
    const [source] = sources;
    if (source !== undefined && sources.length === 1) {
      const complete = this.#reader.readComplete(source, poll, count, tools.slab);
      if (complete !== undefined) {
        counts[0]! += count;
        return buildColumn(head, complete, undefined);
      }
    }
    const gaps = this.#gapsFor(count);
    let values: ColumnValues | undefined;
    if (source !== undefined && sources.length === 1) {
      const { kind } = source.decoder;
      const kept = kind === 'text' || kind === 'list' ? memory.columnMemory(position) : undefined;
      values = this.#reader.read(source, poll, gaps, tools, kept);
      if (source.rowScale !== undefined) scaleValues(source, source.rowScale, poll, values, gaps);
    } else {
      const parts = sources.flatMap((each): ColumnPart[] => {
        const own = new Uint8Array(gaps.length);
        const read = this.#reader.read(each, poll, own, tools, undefined);
        if (each.rowScale !== undefined) scaleValues(each, each.rowScale, poll, read, own);
        return read === undefined ? [] : [{ values: read, gaps: own }];
      });
      values = mergeValues(parts, gaps);
    }
    if (values === undefined) return undefined;
    let missing = 0;
    for (let row = 0; row < gaps.length; row++) {
      const gap = gaps[row]!;
      if (gap === 0) continue;
      missing++;
      if (gap !== ofOtherSource) counts[gap]!++;
    }
    counts[0]! += gaps.length - missing;
    return buildColumn(head, values, missing === 0 ? undefined : settleGaps(gaps, holes));
  }

  #gapsFor(count: number): Uint8Array {
    if (this.#scratch.length < count) this.#scratch = new Uint8Array(2 * count);
    return this.#scratch.length === count ? this.#scratch : this.#scratch.subarray(0, count);
  }
}

function scaleValues(
  source: ColumnSource,
  scale: RowScale,
  poll: PollColumns,
  values: ColumnValues | undefined,
  gaps: Uint8Array,
): void {
  if (values?.kind === 'number') scaleRows(source, scale, poll, values.values, gaps);
}
