import type { Batch } from '../../../../src/index.ts';
import { hasSameTags } from '../../../../src/model/index.ts';
import { type ColumnFamilies, type NamingSettings, nameColumns } from '../../../../src/output-kit/index.ts';
import { type CounterPaths, continuePaths } from './counter-paths.ts';
import { buildRowLabels, type KnownNames, type RowLabels } from './row-labels.ts';

/** The latest batch of one plan of a record, with the names of its series. */
export interface SeriesView extends ColumnFamilies {
  readonly batch: Batch;
  readonly labels: RowLabels;
  /** Where the counters are between two polls. Undefined without counters, or when the polled values are served with their times. */
  readonly paths: CounterPaths | undefined;
  /** When the series end if no newer batch arrives, milliseconds since 1970. */
  readonly staleAtMs: number;
  readonly intervalMs: number | undefined;
}

export interface ViewSettings extends NamingSettings {
  readonly staleIntervals: number;
  /** Fields of labels that only the info metric has. */
  readonly infoLabels?: readonly string[];
  /** Whether the polled values are served with their times, instead of counters as they are between two polls. */
  readonly timestamps: boolean;
}

/** What all views share. */
export interface ViewTools extends ViewSettings {
  readonly labelNames: KnownNames;
}

/** For a source that does not tell its interval, until its second batch. */
const staleWithoutIntervalMs = 24 * 3_600_000;

/** Reuses the labels of the view before, while the rows stay the same. */
export function buildView(
  batch: Batch,
  before: SeriesView | undefined,
  tools: ViewTools,
  nowMs: number,
): SeriesView {
  const { staleIntervals, timestamps, naming, labelNames } = tools;
  const labels = canShareLabels(batch, before?.batch)
    ? before!.labels
    : buildRowLabels(batch, naming, labelNames);
  const intervalMs = batch.intervalMs ?? intervalBetween(batch, before);
  const { columns, info, hasTexts, textLabels } = nameColumns(batch, labels.names, tools);
  // Without a spread: V8 gives an object with one a table of its own for its properties.
  return {
    batch,
    labels,
    columns,
    info,
    hasTexts,
    textLabels,
    paths: timestamps ? undefined : continuePaths({ batch, columns }, before, intervalMs, nowMs),
    intervalMs,
    staleAtMs:
      batch.timeMs + (intervalMs === undefined ? staleWithoutIntervalMs : staleIntervals * intervalMs),
  };
}

function intervalBetween(batch: Batch, before: SeriesView | undefined): number | undefined {
  const isNext = before?.batch.generation === batch.generation && batch.slotMs > before.batch.slotMs;
  return isNext ? batch.slotMs - before.batch.slotMs : before?.intervalMs;
}

function canShareLabels(batch: Batch, before: Batch | undefined): boolean {
  return (
    before !== undefined &&
    before.rows === batch.rows &&
    before.device.name === batch.device.name &&
    hasSameTags(before.tags, batch.tags)
  );
}
