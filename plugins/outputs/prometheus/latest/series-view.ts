import type { Batch } from '../../../../src/index.ts';
import { type ColumnFamilies, type FamilyTable, nameColumns } from '../../../../src/output-kit/index.ts';
import { buildRowLabels, type RowLabels } from './row-labels.ts';

/** The latest batch of one plan of a record, and what its series are called. */
export interface SeriesView extends ColumnFamilies {
  readonly batch: Batch;
  readonly labels: RowLabels;
  /** When the series count as gone because nothing newer came, milliseconds since 1970. */
  readonly staleAtMs: number;
  readonly intervalMs: number | undefined;
}

export interface ViewSettings {
  readonly families: FamilyTable;
  /** Fields whose texts become state sets. */
  readonly stateSets: ReadonlySet<string>;
  readonly staleIntervals: number;
}

/** Until a second batch tells the interval. */
const staleWithoutIntervalMs = 24 * 3_600_000;

/** What is prepared for the rows is taken over from the view before, as long as they stay. */
export function buildView(batch: Batch, before: SeriesView | undefined, settings: ViewSettings): SeriesView {
  const { staleIntervals } = settings;
  const labels = canShareLabels(batch, before?.batch) ? before!.labels : buildRowLabels(batch);
  const intervalMs =
    before?.batch.generation === batch.generation && batch.slotMs > before.batch.slotMs
      ? batch.slotMs - before.batch.slotMs
      : before?.intervalMs;
  return {
    batch,
    labels,
    ...nameColumns(batch, labels.names, settings),
    intervalMs,
    staleAtMs:
      batch.timeMs + (intervalMs === undefined ? staleWithoutIntervalMs : staleIntervals * intervalMs),
  };
}

function canShareLabels(batch: Batch, before: Batch | undefined): boolean {
  return (
    before !== undefined &&
    before.rows === batch.rows &&
    before.device.name === batch.device.name &&
    before.tags === batch.tags
  );
}
