import type { Batch, Column } from '../../../../src/index.ts';
import type { Family, FamilyTable } from '../naming/family-table.ts';
import { buildRowLabels, labelName, type RowLabels } from './row-labels.ts';

/** The latest batch of one plan of a record, and what its series are called. */
export interface SeriesView {
  readonly batch: Batch;
  readonly labels: RowLabels;
  readonly columns: readonly { readonly family: Family; readonly column: Column }[];
  /** Texts that are no state sets share one info family an object. */
  readonly info: Family;
  readonly texts: readonly { readonly name: string; readonly column: Column }[];
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
  const { families, stateSets, staleIntervals } = settings;
  const labels = canShareLabels(batch, before?.batch) ? before!.labels : buildRowLabels(batch);
  const isText = ({ kind, field }: Column) => (kind === 'text' || kind === 'list') && !stateSets.has(field);
  const textNames = new Set(labels.names);
  const intervalMs =
    before?.batch.generation === batch.generation && batch.slotMs > before.batch.slotMs
      ? batch.slotMs - before.batch.slotMs
      : before?.intervalMs;
  return {
    batch,
    labels,
    columns: batch.columns
      .filter((column) => !isText(column))
      .map((column) => ({
        column,
        family: families.getFamily(column.field, familyKind(column), column.unit),
      })),
    info: families.getFamily(batch.record, 'info'),
    texts: batch.columns
      .filter(isText)
      .map((column) => ({ column, name: labelName(column.field, textNames) })),
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

function familyKind(column: Column) {
  if (column.kind === 'text' || column.kind === 'list') return 'stateset';
  return column.metric === 'counter' ? 'counter' : 'gauge';
}
