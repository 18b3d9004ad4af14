import type { DeviceValues } from '../latest/latest-values.ts';
import type { SeriesView } from '../latest/series-view.ts';
import type { Family } from '../naming/family-table.ts';
import { headText } from './family-text.ts';
import { numberText } from './number-text.ts';
import { infoSample, stateSamples } from './text-samples.ts';

export interface ExpositionSettings {
  readonly openMetrics: boolean;
  /** Write when each value was polled. */
  readonly timestamps: boolean;
  /** Write when each counter began; in OpenMetrics only. */
  readonly created: boolean;
}

/** About as much as a socket takes at once. */
const chunkLength = 64 << 10;

/**
 * The text of all series in chunks, one family after the other. What is rendered is what was there when the first chunk was
 * asked for, however long the reader takes.
 */
export function* renderExposition(
  devices: Iterable<DeviceValues>,
  settings: ExpositionSettings,
): Generator<string> {
  let text = '';
  for (const [family, parts] of groupByFamily(devices)) {
    text += headText(family, settings.openMetrics);
    for (const part of parts) {
      const end = endOfSample(part.view, settings);
      for (const sample of samplesOf(family, part, end, settings)) {
        text += sample;
        if (text.length < chunkLength) continue;
        yield text;
        text = '';
      }
    }
  }
  yield settings.openMetrics ? `${text}# EOF\n` : text;
}

/** A view's part of a family: one of its columns, or all its texts. */
interface Part {
  readonly view: SeriesView;
  readonly startedMs: number | undefined;
  /** An index into the view's columns; undefined for its texts. */
  readonly column: number | undefined;
}

function groupByFamily(devices: Iterable<DeviceValues>): Map<Family, Part[]> {
  const groups = new Map<Family, Part[]>();
  const add = (family: Family, part: Part) => {
    const parts = groups.get(family);
    if (parts === undefined) groups.set(family, [part]);
    else parts.push(part);
  };
  for (const { views, startedMs } of devices) {
    for (const view of views.values()) {
      for (const [column, { family }] of view.columns.entries()) add(family, { view, startedMs, column });
      if (view.hasTexts) add(view.info, { view, startedMs, column: undefined });
    }
  }
  return groups;
}

function* samplesOf(
  family: Family,
  { view, startedMs, column: index }: Part,
  end: string,
  settings: ExpositionSettings,
): Generator<string> {
  const { texts } = view.labels;
  if (index === undefined) {
    for (const [row, labels] of texts.entries()) yield infoSample(family, labels, view.textLabels(row), end);
    return;
  }
  const { column } = view.columns[index]!;
  if (family.kind === 'stateset') {
    for (const [row, labels] of texts.entries()) yield stateSamples(family, labels, column, row, end);
    return;
  }
  const name = family.sampleName;
  const created =
    settings.openMetrics && settings.created && family.kind === 'counter' && startedMs !== undefined
      ? ` ${(startedMs / 1000).toFixed(3)}\n`
      : undefined;
  for (let row = 0; row < texts.length; row++) {
    const value = numberText(column, row);
    if (value === undefined) continue;
    const sample = name + texts[row] + value + end;
    yield created === undefined
      ? sample
      : `${sample}${family.name}_created${texts[row]!.trimEnd()}${created}`;
  }
}

function endOfSample({ batch }: SeriesView, { openMetrics, timestamps }: ExpositionSettings): string {
  if (!timestamps) return '\n';
  return openMetrics ? ` ${(batch.timeMs / 1000).toFixed(3)}\n` : ` ${batch.timeMs}\n`;
}
