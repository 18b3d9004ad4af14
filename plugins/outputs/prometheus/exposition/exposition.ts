import type { Column } from '../../../../src/index.ts';
import { type Family, type Label, listStates, TextBuffer } from '../../../../src/output-kit/index.ts';
import { escapeHelp, escapeText, labelText } from '../../../../src/output-kit/internal.ts';
import { progressAt } from '../latest/counter-paths.ts';
import type { DeviceValues } from '../latest/latest-values.ts';
import type { RowLabels } from '../latest/row-labels.ts';
import type { SeriesView } from '../latest/series-view.ts';

import { type NumberSamples, writeNumberSamples } from './number-samples.ts';

export interface ExpositionSettings {
  readonly openMetrics: boolean;
  /** Write the time at which each value was polled. */
  readonly timestamps: boolean;
  /** Write the start time of each counter. In OpenMetrics only. */
  readonly created: boolean;
  /** The time of the scrape, in milliseconds since 1970: counters are served as they are then. */
  readonly nowMs: number;
}

/**
 * Renders all series as text, in chunks, one family after the other. The text has the values at the time of the first chunk, however long the
 * reader takes. A chunk is valid until the next one is requested, which reuses its memory.
 */
export function* renderExposition(
  devices: Iterable<DeviceValues>,
  settings: ExpositionSettings,
): Generator<Buffer> {
  const out = new TextBuffer();
  for (const [family, parts] of groupByFamily(devices)) {
    out.write(headText(family, settings.openMetrics));
    const writeRows = rowWriter(family, settings);
    for (const part of parts) {
      const count = part.view.batch.rows.count;
      for (let row = 0; row < count; ) {
        row = writeRows(part, row, out);
        if (out.isFull) yield out.lend();
      }
    }
  }
  if (settings.openMetrics) out.write('# EOF\n');
  if (out.length > 0) yield out.lend();
}

/** The part of a family in one view: one of its columns, or all its texts. */
interface Part {
  readonly view: SeriesView;
  /** Index of the column in the view. Undefined for the texts. */
  readonly column: number | undefined;
}

function groupByFamily(devices: Iterable<DeviceValues>): Map<Family, Part[]> {
  const groups = new Map<Family, Part[]>();
  const add = (family: Family, part: Part) => {
    const parts = groups.get(family);
    if (parts === undefined) groups.set(family, [part]);
    else parts.push(part);
  };
  for (const { views } of devices) {
    for (const view of views.values()) {
      for (const [column, { family }] of view.columns.entries()) add(family, { view, column });
      if (view.hasTexts) add(view.info, { view, column: undefined });
    }
  }
  return groups;
}

const textKinds: ReadonlySet<Family['kind']> = new Set(['info', 'stateset', 'text']);

/** Writes the rows of a part from `row` on, until the chunk is full or none is left. Returns the next row. */
type RowWriter = (part: Part, row: number, out: TextBuffer) => number;

function rowWriter(family: Family, settings: ExpositionSettings): RowWriter {
  if (textKinds.has(family.kind)) return textWriter(family, settings);
  const name = Buffer.from(family.sampleName);
  const createdName = Buffer.from(`${family.name}_created`);
  const hasCreated = settings.openMetrics && settings.created && family.kind === 'counter';
  return ({ view, column }, row, out) => {
    const { startedMs } = view.batch;
    const samples = {
      column: view.columns[column!]!.column,
      path: pathOf(view, column!, settings.nowMs),
      labels: view.labels,
      name,
      end: Buffer.from(endOfSample(view, settings)),
      created:
        hasCreated && startedMs !== undefined
          ? { name: createdName, end: Buffer.from(`${secondsText(startedMs)}\n`) }
          : undefined,
    };
    return writeNumberSamples(samples, row, out);
  };
}

function pathOf({ paths }: SeriesView, column: number, nowMs: number): NumberSamples['path'] {
  const starts = paths?.starts[column];
  return starts && { starts, progress: progressAt(paths!, nowMs) };
}

function textWriter(family: Family, settings: ExpositionSettings): RowWriter {
  return ({ view, column }, row, out) => {
    const sample = { family, labels: view.labels, row, end: endOfSample(view, settings) };
    if (column === undefined) writeInfoSample(sample, view.textLabels(row), out);
    else writeStateSamples(sample, view.columns[column]!.column, out);
    return row + 1;
  };
}

function endOfSample({ batch }: SeriesView, { openMetrics, timestamps }: ExpositionSettings): string {
  if (!timestamps) return '\n';
  return openMetrics ? ` ${secondsText(batch.timeMs)}\n` : ` ${batch.timeMs}\n`;
}

function secondsText(timeMs: number): string {
  return (timeMs / 1000).toFixed(3);
}

/** HELP, TYPE and UNIT. The classic format uses the name of the samples, and only has counters and gauges. */
function headText(family: Family, openMetrics: boolean): string {
  const { kind, unit, help } = family;
  const name = openMetrics ? family.name : family.sampleName;
  const type = openMetrics || kind === 'counter' ? kind : 'gauge';
  const unitLine = openMetrics && unit !== '' ? `# UNIT ${name} ${unit}\n` : '';
  return `# HELP ${name} ${openMetrics ? escapeText(help) : escapeHelp(help)}\n# TYPE ${name} ${type}\n${unitLine}`;
}

/** A row of the samples of a family, and the end of their lines. */
interface SampleRow {
  readonly family: Family;
  readonly labels: RowLabels;
  readonly row: number;
  readonly end: string;
}

/** Writes the texts of a row as labels of one sample. Writes nothing for a row without texts. */
function writeInfoSample(sample: SampleRow, texts: readonly Label[], out: TextBuffer): void {
  if (texts.length > 0) writeSample(sample, texts, 1, out);
}

/** Writes a sample for each state of the field. Writes nothing for a gap. */
function writeStateSamples(sample: SampleRow, column: Column, out: TextBuffer): void {
  for (const [label, value] of listStates(sample.family, column, sample.row)) {
    writeSample(sample, [label], value, out);
  }
}

function writeSample(
  { family, labels, row, end }: SampleRow,
  more: readonly Label[],
  value: 0 | 1,
  out: TextBuffer,
): void {
  out.write(family.sampleName);
  // Every row has labels, so more labels can replace their closing brace.
  out.copy(labels.texts[row]!.subarray(0, -'} '.length));
  const attributes = more.map(([name, text]) => `,${labelText(name, text)}`).join('');
  out.write(`${attributes}} ${value}${end}`);
}
