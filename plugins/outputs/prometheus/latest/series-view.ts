import type { Batch } from '../../../../src/index.ts';
import { hasSameTags } from '../../../../src/internal.ts';
import { type ColumnFamilies, type FamilyTable, nameColumns } from '../../../../src/output-kit/index.ts';
import { buildRowLabels, type RowLabels } from './row-labels.ts';

/** The latest batch of one plan of a record, with the names of its series. */
export interface SeriesView extends ColumnFamilies {
  readonly batch: Batch;
  readonly labels: RowLabels;
  /** When the series end if no newer batch arrives, milliseconds since 1970. */
  readonly staleAtMs: number;
  readonly intervalMs: number | undefined;
}

export interface ViewSettings {
  readonly families: FamilyTable;
  /** Fields whose texts become state sets. */
  readonly stateSets: ReadonlySet<string>;
  readonly staleIntervals: number;
}

/** Until the second batch, the interval is not known. */
const staleWithoutIntervalMs = 24 * 3_600_000;

/** Reuses the labels of the view before, while the rows stay the same. */
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
    hasSameTags(before.tags, batch.tags)
  );
}
