import { parentOid } from '../../../src/definitions/parent-oid.ts';
import type { Oid } from '../../../src/model/index.ts';
import type { ColumnDraft } from '../group-draft.ts';
import type { ImportReport } from '../import-report.ts';
import type { SourceNode } from '../source/source-node.ts';
import { isUsualDate } from './date-pattern.ts';
import { readExtracts } from './import-extracts.ts';
import { readIndex } from './import-index.ts';
import { readLookups } from './import-lookups.ts';
import { hintSyntax, translateType } from './metric-type.ts';
import { importNames, type ModuleContext, oidOf } from './module-context.ts';

const moduleKeys = new Set(['walk', 'get', 'metrics', 'auth', 'version']);
const deviceSetting = (key: string) =>
  `The number belongs to the device here: write \`${key}\` for the devices of this module.`;
const moduleReasons = {
  max_repetitions: deviceSetting('max_repetitions'),
  retries: deviceSetting('retries'),
  timeout: `${deviceSetting('timeout')} It is in milliseconds.`,
  filters: 'All rows are polled. Leave out rows in Prometheus, with metric_relabel_configs.',
  use_unconnected_udp_socket: 'Set `reply_from` to `any` for the devices that answer from another address.',
  allow_nonincreasing_oids:
    'Not needed: a walk that does not move forward is found out, and the table is read row by row.',
};
const metricKeys = new Set([
  'name',
  'oid',
  'type',
  'help',
  'indexes',
  'lookups',
  'enum_values',
  'scale',
  'offset',
  'regex_extracts',
  'datetime_pattern',
  'display_hint',
]);

/** Adds the metrics of a module to its group. */
export function importModule(module: SourceNode, names: Omit<ModuleContext, 'columns'>): void {
  const { report } = names;
  report.refuseOthers(module, moduleKeys, moduleReasons);
  const metrics = module.get('metrics')?.items() ?? [];
  const columns = new Map<string, Oid>();
  for (const metric of metrics) {
    const name = metric.get('name')?.text;
    const oid = oidOf(metric.get('oid'));
    if (name !== undefined && oid !== undefined && !columns.has(name)) columns.set(name, oid);
  }
  for (const metric of metrics) importMetric(metric, { ...names, columns });
}

function importMetric(metric: SourceNode, context: ModuleContext): void {
  const { group, report } = context;
  const name = metric.get('name')?.text ?? '';
  const oid = oidOf(metric.get('oid'));
  const type = metric.get('type')?.text ?? '';
  if (name === '' || oid === undefined) {
    report.refuse(metric, name || 'metric', 'A metric needs a name and an OID.');
    return;
  }
  report.refuseOthers(metric, metricKeys);
  const isBits = type === 'Bits';
  // A number that is scaled has no name, and it is the number that alerts compare.
  const isScaled = type === 'gauge' && (metric.get('scale') ?? metric.get('offset')) !== undefined;
  const hasNames = !isScaled && importNames(metric, oid, name, isBits ? 'bitmap' : 'integer', context);
  const translated = translateType(type, hasNames);
  if (translated === undefined) {
    report.refuse(metric.get('type') ?? metric, name, `The type “${type.slice(0, 40)}” is not known.`);
    return;
  }
  const { syntax: natural, metric: kind } = translated;
  const hinted = readHint(metric, name, type, report);
  const syntax = kind === 'counter' && !is64Bit(name) ? 'Counter32' : (hinted?.syntax ?? natural);
  const lostNames =
    isScaled && metric.get('enum_values') !== undefined ? 'A number that is scaled has no names.' : undefined;
  const difference = hinted === undefined ? (translated.difference ?? lostNames) : hinted.difference;
  checkDatePattern(metric, name, report);
  const extracts = readExtracts(metric, name, context);
  const scale = readScale(metric, name, kind === 'gauge' || extracts.length > 0, report);
  const isText = extracts.length === 0 && isTextSyntax(syntax, kind);
  const imported = readIndex(metric, name, oid, context);
  const { columns: labels, dropped, missing } = readLookups(metric, name, isText, imported, context);
  const index = imported.index.map((part) =>
    // A text that is a part of the index is one label, not two.
    dropped.has(part.label ?? '') || (isText && part.label === name) ? { ...part, label: undefined } : part,
  );
  const description = (metric.get('help')?.text ?? '').replace(/ - [\d.]+\s*$/, '');
  const column = { oid, description };
  const { stateAs } = translated;
  const unit = kind === 'gauge' ? '1' : undefined;
  const written: { readonly column: ColumnDraft; readonly difference: string | undefined }[] =
    extracts.length === 0
      ? [{ column: { ...column, key: name, syntax, metric: kind, scale, stateAs, unit }, difference }]
      : extracts.map(({ suffix, factor }) => ({
          column: {
            ...column,
            key: `${name}${suffix}`,
            syntax: 'NumberInText',
            metric: 'gauge',
            scale: scaledBy(factor, scale),
            unit: '1',
          },
          difference: 'It is the first number of the text, whatever follows.',
        }));
  // As in the exporter, each metric has labels of its own: those with the same ones are one object.
  const variant = JSON.stringify([index, labels.map(({ key, oid, at }) => [key, oid, at])]);
  const place = { entry: parentOid(oid), variant };
  for (const { column, difference } of written) {
    if (group.add(column, index, place) !== 'added') {
      const reason =
        'The module has a column of this name already, or it cannot be the name of an attribute.';
      report.refuse(metric, column.key, reason);
    } else if (difference !== undefined) report.translate(metric, column.key, difference);
    else report.keep();
  }
  for (const text of missing) group.comment(oid, text, place);
  for (const label of labels) {
    if (group.add(label, index, place) === 'name')
      report.refuse(metric, `${name} ${label.key}`, 'The label has the name of a metric of the same table.');
  }
}

/** Dates are read in their usual forms: another form is named, because its texts have no value here. */
function checkDatePattern(metric: SourceNode, name: string, report: ImportReport): void {
  const pattern = metric.get('datetime_pattern');
  if (pattern === undefined || isUsualDate(pattern.text ?? '')) return;
  report.refuse(
    pattern,
    `${name} datetime_pattern`,
    'Only dates with the year first, or with the English name of the month, are read. Other texts have no value.',
  );
}

function isTextSyntax(syntax: string, kind: ColumnDraft['metric']): boolean {
  return kind === undefined && !syntax.startsWith('Enum');
}

/** The syntax of octets with this DISPLAY-HINT. */
function readHint(
  metric: SourceNode,
  name: string,
  type: string,
  report: ImportReport,
): { readonly syntax: string; readonly difference: string | undefined } | undefined {
  const node = metric.get('display_hint');
  const hint = node?.text;
  if (node === undefined || hint === undefined || hint === '') return undefined;
  const syntax = type === 'OctetString' ? hintSyntax(hint) : undefined;
  if (syntax !== undefined) return syntax;
  report.refuse(node, `${name} display_hint`, `The octets become text by the syntax of the type ${type}.`);
  return undefined;
}

function readScale(
  metric: SourceNode,
  name: string,
  isGauge: boolean,
  report: ImportReport,
): ColumnDraft['scale'] {
  const factor = metric.get('scale')?.number;
  const offset = metric.get('offset')?.number;
  if (factor === undefined && offset === undefined) return undefined;
  if (isGauge)
    return { ...(factor === undefined ? {} : { factor }), ...(offset === undefined ? {} : { offset }) };
  report.refuse(
    metric.get('scale') ?? metric.get('offset') ?? metric,
    `${name} scale`,
    'Only gauges, and numbers that are read from a text, can be scaled. The values stay as the device sends them.',
  );
  return undefined;
}

/** The exporter scales the number that it reads from a text, too. */
function scaledBy(factor: number, scale: ColumnDraft['scale'] = {}): ColumnDraft['scale'] {
  const all = { ...scale, factor: factor * (scale.factor ?? 1) };
  return all.factor === 1 && all.offset === undefined ? undefined : all;
}

/** The exporter does not know the width of counters. */
function is64Bit(name: string): boolean {
  return /HC|64|Xpacket|High/.test(name);
}
