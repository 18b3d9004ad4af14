import { parentOid } from '../../../src/definitions/parent-oid.ts';
import { normalizeOid, type Oid } from '../../../src/model/oid.ts';
import { type EnumDrafts, readNames } from '../enum-drafts.ts';
import type { ColumnDraft, GroupDraft, IndexDraft } from '../group-draft.ts';
import type { ImportReport } from '../import-report.ts';
import type { KnownDefinitions } from '../import-result.ts';
import { guessIndex, guessNumber } from '../known-definitions.ts';
import type { SourceNode } from '../source/source-node.ts';
import { namedPart, transformedParts } from './index-transform.ts';
import { metricWords, partWords } from './profile-keys.ts';
import { formats, metricTypes, symbolKeys, symbolReasons } from './symbol.ts';

export interface ProfileContext {
  readonly group: GroupDraft;
  readonly enums: EnumDrafts;
  readonly report: ImportReport;
  readonly known: KnownDefinitions;
}

/** Adds one member of `metrics`: a scalar, or columns of a table with their tags. */
export function importMetric(metric: SourceNode, context: ProfileContext): void {
  const { report } = context;
  if (!metric.isMap) {
    report.refuse(metric, 'metric', 'A metric is a map.');
    return;
  }
  const table = metric.get('table');
  const symbols = metric.get('symbols')?.items() ?? [];
  // In an old form, the metric is the symbol.
  const isSymbol = metric.get('name') !== undefined && oidOf(metric) !== undefined;
  const single = metric.get('symbol') ?? (isSymbol ? metric.get('name') : undefined);
  if (single === undefined && symbols.length === 0 && metric.get('metric_tags') === undefined) {
    report.refuse(
      metric,
      metric.get('name')?.text ?? 'metric',
      'A metric needs a `symbol`, or a `table` with `symbols`.',
    );
    return;
  }
  report.refuseOthers(metric, metricWords.known, metricWords.reasons);
  if (table?.isMap === true) report.refuseOthers(table, partWords.table.known, partWords.table.reasons);
  const kind = metric.get('metric_type') ?? metric.get('forced_type');
  if (single !== undefined) {
    const symbol = single.isMap ? single : metric;
    importSymbol(symbol, single.isMap ? undefined : single.text, [], kind, context);
  }
  if (symbols.length === 0 && table === undefined) return;
  const first = firstColumn(symbols) ?? firstColumn(tagsOf(metric).map((tag) => columnOf(tag) ?? tag));
  if (first === undefined) return;
  const isScalar = /\.0$/.test(symbols[0]?.get('OID')?.text ?? '') && table === undefined;
  const entry = entryOf(first, table);
  const index = isScalar ? [] : renameIndex(guessIndex(entry, context.known), tagsOf(metric), report);
  const added = symbols.flatMap((symbol) => importSymbol(symbol, undefined, index, kind, context) ?? []);
  const name = table?.get('name')?.text ?? (table?.isMap === false ? table.text : undefined);
  for (const oid of added) if (name !== undefined) context.group.nameTable(oid, name);
  for (const tag of tagsOf(metric)) importTag(tag, index, added[0], context);
}

/** Adds a tag: the column of the table, or of another one with the same rows. `row` is a column of the table. */
export function importTag(
  tag: SourceNode,
  index: readonly IndexDraft[],
  row: Oid | undefined,
  context: ProfileContext,
): void {
  const { group, report } = context;
  const alias = tag.get('tag')?.text ?? tag.get('column')?.get('tag')?.text;
  const column = columnOf(tag) ?? tag;
  const oid = oidOf(column) ?? oidOf(tag);
  const name = column.get('name')?.text ?? tag.get('symbol')?.text ?? tag.get('name')?.text ?? alias ?? '';
  report.refuseOthers(tag, tagKeys, tagReasons);
  for (const range of tag.get('index_transform')?.items() ?? [])
    report.refuseOthers(range, partWords.range.known);
  if (column !== tag) report.refuseOthers(column, symbolKeys, symbolReasons);
  if (oid === undefined) {
    // The parts of the index of a table have their labels already.
    const isPart = tag.get('index') !== undefined || tag.get('index_transform') !== undefined;
    if (!isPart || index.length === 0)
      report.refuse(tag, alias ?? tag.text ?? 'tag', 'A tag needs a column with an OID, or an `index`.');
    return;
  }
  const transform = tag.get('index_transform');
  const at = transform && transformedParts(transform, index);
  if (transform !== undefined && (at === undefined || row === undefined)) {
    const reason =
      'It names a row of another table by arcs that are no parts of the index, as far as it is known. Name the directory of the MIB with --mibs.';
    report.refuse(transform, alias ?? name, reason);
    if (row !== undefined) group.comment(row, `Missing label: ${alias ?? name}, of a row of another table.`);
    return;
  }
  const names = column.get('enum') ?? column.get('mapping') ?? tag.get('mapping');
  const hasNames = readEnum(names, oid, name, context);
  const format = column.get('conversion') ?? column.get('format') ?? tag.get('conversion');
  const text = formatOf(format, name, report) ?? 'DisplayString';
  const syntax = hasNames ? 'EnumInteger' : text;
  // A table with the same index has the same rows.
  const isOther = at !== undefined && at.join() !== [...index.keys()].join();
  const label = { key: name, alias, oid, syntax, tag: true };
  const added = isOther
    ? group.add({ ...label, at: at.map((part) => part + 1) }, index, { entry: parentOid(row!), variant: '' })
    : group.add(label, index);
  if (added === 'name' || added === 'index') report.refuse(tag, name, refusals[added]);
  else {
    if (row !== undefined && !isOther) group.join(row, oid);
    report.keep();
  }
}

const tagKeys = new Set([
  'tag',
  'column',
  'symbol',
  'OID',
  'name',
  'index',
  'index_transform',
  'table',
  'MIB',
  'mapping',
  'conversion',
  'description',
]);
const tagReasons: Readonly<Record<string, string>> = {
  ...symbolReasons,
  match: 'Parts of a text cannot become tags. Add the column as a tag without `match`.',
  tags: 'Parts of a text cannot become tags. Add the column as a tag without `match`.',
};

const refusals = {
  name: 'Another column of the profile has this name, or it cannot be the name of an attribute.',
  index: 'The table has another index in an earlier metric of the profile.',
};

function importSymbol(
  symbol: SourceNode,
  named: string | undefined,
  index: readonly IndexDraft[],
  kind: SourceNode | undefined,
  context: ProfileContext,
): Oid | undefined {
  const { group, report, known } = context;
  const name = (named ?? symbol.get('name')?.text ?? '').trim();
  const oid = oidOf(symbol);
  if (name === '' || oid === undefined) {
    report.refuse(symbol, name || 'symbol', 'A symbol needs a name and an OID.');
    return undefined;
  }
  if (named === undefined) report.refuseOthers(symbol, symbolKeys, symbolReasons);
  const hasNames = readEnum(symbol.get('enum') ?? symbol.get('mapping'), oid, name, context);
  const isTyped = symbol.get('metric_type') !== undefined || kind !== undefined;
  const texts =
    formatOf(symbol.get('conversion') ?? symbol.get('format'), name, report) ??
    (isTyped ? undefined : known.texts.get(oid));
  const isText = symbol.get('extract_value') !== undefined || symbol.get('match_pattern') !== undefined;
  const value: Pick<ColumnDraft, 'syntax' | 'metric'> = hasNames
    ? { syntax: 'EnumIntegerKeepID' }
    : texts !== undefined || isText
      ? { syntax: texts ?? 'DisplayString' }
      : readMetricType(symbol.get('metric_type') ?? kind, oid, name, known, report);
  const factor = symbol.get('scale_factor');
  const scale = readFactor(factor, value, name, report);
  const about = symbol.get('chart_meta');
  const description = about?.get('description')?.text ?? symbol.get('description')?.text;
  const unit = value.metric === 'gauge' ? unitOf(about?.get('unit')?.text) : undefined;
  const alias = symbol.get('tag')?.text;
  const added = group.add({ key: name, alias, oid, ...value, scale, description, unit }, index);
  if (added === 'name' || added === 'index') {
    report.refuse(symbol, name, refusals[added]);
    return undefined;
  }
  if (value.metric !== undefined && !isTyped && !isKnown(oid, known)) {
    report.translate(
      symbol,
      name,
      `The profile does not say whether it is a counter: it is a ${value.metric}, by its name.`,
    );
  } else report.keep();
  return oid;
}

function isKnown(oid: Oid, { counters, gauges }: KnownDefinitions): boolean {
  return counters.has(oid) || gauges.has(oid);
}

function readFactor(
  factor: SourceNode | undefined,
  { metric }: Pick<ColumnDraft, 'metric'>,
  name: string,
  report: ImportReport,
): { factor: number } | undefined {
  if (factor === undefined) return undefined;
  if (metric === 'gauge' && factor.number !== undefined) return { factor: factor.number };
  const reason =
    metric === 'counter'
      ? 'Counters stay as the device counts them. Multiply the rate where you use it.'
      : 'Only gauges can be scaled, by a number.';
  report.refuse(factor, `${name} scale_factor`, reason);
  return undefined;
}

function readMetricType(
  type: SourceNode | undefined,
  oid: Oid,
  name: string,
  known: KnownDefinitions,
  report: ImportReport,
): Pick<ColumnDraft, 'syntax' | 'metric'> {
  const guess = guessNumber(oid, name, known);
  if (type === undefined) return guess;
  const found = Object.hasOwn(metricTypes, type.text ?? '')
    ? metricTypes[type.text!]!
    : 'This type of metric is not known.';
  if (typeof found === 'string') {
    report.refuse(type, `${name} ${type.text ?? ''}`, found);
    return type.text === 'flag_stream' ? { syntax: 'DisplayString' } : guess;
  }
  if (found.metric === guess.metric) return guess;
  return found.metric === 'counter'
    ? { syntax: 'Counter64', metric: 'counter' }
    : { syntax: 'Integer', metric: 'gauge' };
}

/** Texts in another form than octets; undefined where the value is a number. */
function formatOf(format: SourceNode | undefined, name: string, report: ImportReport): string | undefined {
  const text = format?.text;
  if (format === undefined || text === undefined || /^(?:gauge|uint32)$/.test(text)) return undefined;
  if (Object.hasOwn(formats, text)) return formats[text];
  report.refuse(
    format,
    `${name} ${text.slice(0, 60)}`,
    'This conversion is not known. The value is kept as it is.',
  );
  return 'OctetString';
}

function readEnum(
  pairs: SourceNode | undefined,
  oid: Oid,
  name: string,
  { enums, group, report }: ProfileContext,
): boolean {
  if (pairs === undefined) return false;
  const inner = pairs.get('items') ?? pairs;
  const names = readNames(inner.entries().map(([key, value]) => [key, value.text] as const));
  if (names === undefined) {
    report.refuse(pairs, `${name} names`, 'Names belong to whole numbers here. The value is kept as it is.');
    return enums.has('integer', oid);
  }
  if (!enums.add('integer', oid, names, group.group, name)) {
    report.refuse(
      pairs,
      `${name} names`,
      'An earlier profile gives the column other names, which are used here too.',
    );
  }
  return true;
}

/** A tag `index: 2` names the part of the index at its second arc. */
function renameIndex(
  index: readonly IndexDraft[],
  tags: readonly SourceNode[],
  report: ImportReport,
): readonly IndexDraft[] {
  const renamed = [...index];
  for (const tag of tags) {
    const isPart = tag.get('index') !== undefined || tag.get('index_transform') !== undefined;
    if (!isPart || oidOf(columnOf(tag)) !== undefined) continue;
    const at = namedPart(tag, index) ?? -1;
    const label = tag.get('tag')?.text;
    const part = renamed[at];
    const isFree = part !== undefined && label !== undefined && /^[A-Za-z_][\w.-]*$/.test(label);
    if (isFree && renamed.every((each) => each.label !== label)) {
      renamed[at] = { ...part, label };
      if (tag.get('mapping') === undefined) report.keep();
      else
        report.refuse(
          tag.get('mapping')!,
          `${label} mapping`,
          'The column of the index is not known: the label is the number.',
        );
    } else {
      report.refuse(
        tag,
        label ?? 'index',
        'The parts of the index are not known. One label has all of them. Name the directory of the MIB with --mibs.',
      );
    }
  }
  return renamed;
}

function columnOf(tag: SourceNode): SourceNode | undefined {
  const column = tag.get('column') ?? tag.get('symbol');
  return column?.isMap === true ? column : undefined;
}

function tagsOf(metric: SourceNode): SourceNode[] {
  return metric.get('metric_tags')?.items() ?? [];
}

function firstColumn(symbols: readonly SourceNode[]): Oid | undefined {
  for (const symbol of symbols) {
    const oid = oidOf(symbol);
    if (oid !== undefined) return oid;
  }
  return undefined;
}

/** The entry is the only child of a table; where a profile names neither, the parent of its columns. */
function entryOf(column: Oid, table: SourceNode | undefined): Oid {
  const named = oidOf(table);
  return named === undefined || !column.startsWith(`${named}.1.`) ? parentOid(column) : `${named}.1`;
}

function oidOf(node: SourceNode | undefined): Oid | undefined {
  const oid = normalizeOid((node?.get('OID') ?? node?.get('oid'))?.text?.trim() ?? '');
  return oid === undefined || oid.split('.').length < 4 ? undefined : oid.replace(/\.0$/, '');
}

/** UCUM as far as it is a unit: `By`, `%`, `{packet}`. */
function unitOf(text: string | undefined): string {
  const unit = (text ?? '').replace(/[{}\p{C}]/gu, '').trim();
  return unit === '' || unit.length > 40 ? '1' : (ucum[unit] ?? unit);
}

const ucum: Readonly<Record<string, string>> = { By: 'B', Cel: '°C' };
