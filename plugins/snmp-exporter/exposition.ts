import type { Batch, Column } from '../../src/index.ts';
import {
  type Family,
  FamilyTable,
  type Label,
  listRowLabels,
  listStates,
  nameColumns,
  SensorSplitter,
} from '../../src/output-kit/index.ts';
import { escapeHelp, labelText } from '../../src/output-kit/internal.ts';

/** About the scrape itself, as snmp_exporter tells it. */
export interface ScrapeFacts {
  readonly modules: readonly string[];
  /** Of discovery and polls, and with the answer. */
  readonly walkS: number;
  readonly durationS: number;
  readonly packets: number;
  readonly retries: number;
  readonly values: number;
}

/** Renders the records of one target as classic text, one family after the other, under the names of the MIB. */
export class ScrapeExposition {
  readonly #families = new FamilyTable('snmp_');
  readonly #sensors = new SensorSplitter();

  *render(batches: readonly Batch[]): Generator<string> {
    const parts = new Map<
      Family,
      { readonly column: Column; readonly labels: readonly (readonly Label[])[] }[]
    >();
    for (const batch of batches.map((each) => this.#sensors.split(each))) {
      const { rows, names } = listRowLabels({ ...batch, tags: {} }, 'mib');
      const labels = rows.map(withoutDevice);
      const named = nameColumns(batch, names, {
        families: this.#families,
        stateSets: new Set(),
        naming: 'mib',
      });
      for (const { family, column } of named.columns) {
        const part = { column, labels };
        const known = parts.get(family);
        if (known === undefined) parts.set(family, [part]);
        else known.push(part);
      }
    }
    // Modules that were polled apart can have the same objects.
    const hasRepeats = new Set(batches.map(({ record }) => record)).size < batches.length;
    for (const [family, of] of parts) {
      const all = of.flatMap(({ column, labels }) =>
        labels.flatMap((row, i) => sampleLines(family, column, row, i)),
      );
      const lines = hasRepeats ? firstOfEach(all) : all;
      if (lines.length > 0) yield `${headText(family)}${lines.join('')}`;
    }
  }
}

/** One line for each series. */
function firstOfEach(lines: readonly string[]): readonly string[] {
  const series = new Map<string, string>();
  for (const line of lines) {
    const name = line.slice(0, line.lastIndexOf(' '));
    if (!series.has(name)) series.set(name, line);
  }
  return [...series.values()];
}

export function* renderFacts(facts: ScrapeFacts): Generator<string> {
  const { walkS, packets, retries, values, durationS } = facts;
  const labels = labelText('module', facts.modules.join(','));
  for (const [name, help, value] of [
    ['walk_duration_seconds', 'Time that the discovery and the poll took.', walkS],
    ['packets_sent', 'Requests that were sent for values, repeated ones too.', packets + retries],
    ['packets_retried', 'Requests that were sent again.', retries],
    ['pdus_returned', 'Values that were returned.', values],
    ['duration_seconds', 'Total time of the scrape.', durationS],
  ] as const) {
    const metric = `snmp_scrape_${name}`;
    yield `# HELP ${metric} ${help}\n# TYPE ${metric} gauge\n${metric}{${labels}} ${value}\n`;
  }
}

/** The target is the label `instance`, which Prometheus adds. */
function withoutDevice(labels: readonly Label[]): readonly Label[] {
  return labels.filter(([name]) => name !== 'device' && name !== 'address');
}

function headText({ sampleName: name, help, kind }: Family): string {
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${kind === 'counter' ? kind : 'gauge'}\n`;
}

function sampleLines(family: Family, column: Column, labels: readonly Label[], row: number): string[] {
  if (column.kind === 'text' || column.kind === 'list') {
    return listStates(family, column, row).map(([state, value]) =>
      sampleLine(family, [...labels, state], value),
    );
  }
  if (column.gaps !== undefined && column.gaps[row] !== 0) return [];
  return [sampleLine(family, labels, numberAt(column, row))];
}

function sampleLine({ sampleName }: Family, labels: readonly Label[], value: number): string {
  return `${sampleName}{${labels.map(([name, text]) => labelText(name, text)).join(',')}} ${value}\n`;
}

/** As in snmp_exporter, a 64-bit counter wraps at 2^53: doubles have no more digits, and `rate()` takes a wrap for a reset. */
function numberAt(column: Exclude<Column, { readonly kind: 'text' | 'list' }>, row: number): number {
  if (column.kind !== 'counter') return column.values[row]!;
  return (column.words[2 * row + 1]! & 0x1f_ffff) * 2 ** 32 + column.words[2 * row]!;
}
