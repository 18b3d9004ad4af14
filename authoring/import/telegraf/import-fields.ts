import { parentOid } from '../../../src/definitions/parent-oid.ts';
import { normalizeOid, type Oid } from '../../../src/model/oid.ts';
import type { ColumnDraft, GroupDraft, IndexDraft } from '../group-draft.ts';
import type { ImportReport } from '../import-report.ts';
import type { KnownDefinitions } from '../import-result.ts';
import { guessIndex, guessNumber } from '../known-definitions.ts';
import type { SourceNode } from '../source/source-node.ts';

interface FieldContext {
  readonly group: GroupDraft;
  readonly report: ImportReport;
  readonly known: KnownDefinitions;
}

const tableKeys = new Set(['name', 'oid', 'field', 'index_as_tag', 'inherit_tags']);

/** Adds the columns of a [[inputs.snmp.table]]. */
export function importTable(table: SourceNode, context: FieldContext): void {
  const { group, report, known } = context;
  report.refuseOthers(table, tableKeys, { filter: 'All rows are polled. Leave out rows at the output.' });
  const name = table.get('name')?.text ?? 'table';
  const fields = table.get('field')?.items() ?? [];
  const all = known.tables.get(table.get('oid')?.text?.replace(/^\./, '') ?? '') ?? [];
  if (table.get('oid') !== undefined && all.length === 0) {
    const reason =
      'Which columns the table has is only in its MIB. Name the directory of the MIB with --mibs, or write a [[inputs.snmp.table.field]] for each that you need.';
    report.refuse(table.get('oid')!, name, reason);
  }
  const inherited = table.get('inherit_tags');
  if (inherited !== undefined) {
    report.refuse(
      inherited,
      `${name} inherit_tags`,
      'Rows have the labels of their table. Write `tags` for the devices instead.',
    );
  }
  const column = fields.flatMap((field) => findOid(field, known) ?? [])[0] ?? all[0]?.oid;
  if (column === undefined) {
    if (table.get('oid') === undefined)
      report.refuse(table, name, 'A table needs an `oid`, or fields with OIDs.');
    return;
  }
  const index = guessIndex(parentOid(column), known);
  const added = fields.flatMap((field) => importField(field, index, context) ?? []);
  for (const { name: key, oid } of all) {
    if (added.includes(oid)) continue;
    const outcome = group.add({ key, oid, ...numberOrText(oid, key, known) }, index);
    if (outcome === 'added') added.push(oid);
    else report.refuse(table.get('oid')!, key, taken);
  }
  if (all.length > 0) report.keep();
  const [first] = added;
  if (first === undefined) return;
  for (const oid of added) group.join(first, oid);
  if (/^\w+$/.test(name)) group.nameTable(first, name);
  if (table.get('index_as_tag') !== undefined) report.keep();
}

const taken = 'Another field has this name, or the table has another index in an earlier field.';

const fieldKeys = new Set(['oid', 'name', 'is_tag', 'conversion']);
const otherTable = 'It names a row of a table with another index. Such labels are not supported.';
const fieldReasons: Readonly<Record<string, string>> = {
  oid_index_suffix: otherTable,
  oid_index_length: otherTable,
  secondary_index_table: otherTable,
  secondary_index_use: otherTable,
  secondary_outer_join: otherTable,
  translate: 'The OID is kept. Add an enum of OIDs for its names.',
};

/** Adds a field: a scalar without an index, otherwise a column. Returns its OID. */
export function importField(
  field: SourceNode,
  index: readonly IndexDraft[],
  context: FieldContext,
): Oid | undefined {
  const { group, report, known } = context;
  const oid = findOid(field, known);
  const spelled = field.get('oid')?.text ?? '';
  const name = field.get('name')?.text ?? spelled.replace(/^.*::|\.0$/g, '');
  if (oid === undefined) {
    const reason = spelled.includes('::')
      ? 'The name is neither in the definitions that ship nor in the MIB files of --mibs. Name the directory of its MIB, or write the number.'
      : 'It needs a numeric OID.';
    report.refuse(field.get('oid') ?? field, spelled || name || 'field', reason);
    return undefined;
  }
  report.refuseOthers(field, fieldKeys, fieldReasons);
  const isTag = field.get('is_tag')?.value === true;
  const key = /^[A-Za-z_]/.test(name) ? name.replace(/[^\w.-]+/g, '_') : `field_${oid.replaceAll('.', '_')}`;
  const value = readConversion(field, oid, key, isTag, context);
  const isGuess = value.metric !== undefined && !known.counters.has(oid) && !known.gauges.has(oid);
  const added = group.add({ key, oid, ...value, tag: isTag ? true : undefined }, index);
  if (added === 'name' || added === 'index') {
    report.refuse(field, name, taken);
    return undefined;
  }
  if (isGuess)
    report.translate(field, name, `Telegraf does not know counters: it is a ${value.metric}, by its name.`);
  else report.keep();
  return oid;
}

function findOid(field: SourceNode, known: KnownDefinitions): Oid | undefined {
  const text = (field.get('oid')?.text ?? '').replace(/\.0$/, '');
  const oid = findColumn(text, known) ?? normalizeOid(text);
  return oid === undefined || oid.split('.').length < 4 ? undefined : oid;
}

function findColumn(text: string, { columns }: KnownDefinitions): Oid | undefined {
  const name = text.startsWith('RFC1213-MIB::') ? text.slice('RFC1213-MIB'.length) : undefined;
  const found = columns.get(text);
  if (found !== undefined || name === undefined) return found;
  return successors.flatMap((mib) => columns.get(`${mib}${name}`) ?? [])[0];
}

/** The modules that have the objects of RFC1213-MIB today, under the same names and OIDs. */
const successors = ['SNMPv2-MIB', 'IF-MIB', 'IP-MIB', 'TCP-MIB', 'UDP-MIB'];

type Value = Pick<ColumnDraft, 'syntax' | 'metric' | 'scale' | 'unit'>;

const texts: Readonly<Record<string, string>> = {
  hwaddr: 'MacAddressNoSuffix',
  ipaddr: 'IpAddressNoSuffix',
  string: 'DisplayString',
  hex: 'OctetString',
};

function readConversion(
  field: SourceNode,
  oid: Oid,
  name: string,
  isTag: boolean,
  { report, known }: FieldContext,
): Value {
  const conversion = field.get('conversion');
  const text = conversion?.text ?? '';
  const [, digits] = /^float\((\d{1,2})\)$/.exec(text) ?? [];
  if (Object.hasOwn(texts, text)) return { syntax: texts[text]! };
  if (isTag) {
    if (text !== '')
      report.refuse(conversion!, `${name} ${text.slice(0, 40)}`, 'The tag is the text of the value.');
    return { syntax: known.texts.get(oid) ?? 'DisplayString' };
  }
  if (digits !== undefined && digits !== '0') {
    return { syntax: 'Integer', metric: 'gauge', scale: { factor: Number(`1e-${digits}`) }, unit: '1' };
  }
  if (text === 'int') return numberOf(oid, name, known);
  if (/^float(?:\(0\))?$/.test(text)) return { syntax: 'Float64', metric: 'gauge', unit: '1' };
  if (text === '') return numberOrText(oid, name, known);
  report.refuse(
    conversion!,
    `${name} ${text.slice(0, 40)}`,
    'This conversion is not known. The value is kept as it is.',
  );
  return { syntax: 'DisplayString' };
}

/** Telegraf takes the type from the answer. */
function numberOrText(oid: Oid, name: string, known: KnownDefinitions): Value {
  const text = known.texts.get(oid);
  if (text !== undefined) return { syntax: text };
  const isNumber = known.counters.has(oid) || known.gauges.has(oid);
  return !isNumber && textNames.test(name) ? { syntax: 'DisplayString' } : numberOf(oid, name, known);
}

function numberOf(oid: Oid, name: string, known: KnownDefinitions): Value {
  const number = guessNumber(oid, name, known);
  return number.metric === 'gauge' ? { ...number, unit: '1' } : number;
}

const textNames =
  /(?:name|descr|description|alias|location|contact|version|serial|model|vendor|firmware|hostname)$/i;
