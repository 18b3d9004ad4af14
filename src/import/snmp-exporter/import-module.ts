import { parentOid } from '../../definitions/parent-oid.ts';
import type { Oid } from '../../model/oid.ts';
import type { IndexDraft } from '../group-draft.ts';
import type { ImportReport } from '../import-report.ts';
import type { SourceNode } from '../source/source-node.ts';
import { readDroppedLabels, readLookups } from './import-lookups.ts';
import { translateIndex, translateType } from './metric-type.ts';
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
]);
const metricReasons = {
  regex_extracts: 'The text is kept. Numbers inside a text are not read.',
  datetime_pattern: 'The text of the date is kept.',
  display_hint: 'The octets become text by their syntax.',
};

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
  report.refuseOthers(metric, metricKeys, metricReasons);
  const isBits = type === 'Bits';
  const hasNames = importNames(metric, oid, name, isBits ? 'bitmap' : 'integer', context);
  const translated = translateType(type, hasNames);
  if (translated === undefined) {
    report.refuse(metric.get('type') ?? metric, name, `The type “${type.slice(0, 40)}” is not known.`);
    return;
  }
  const { stateAs, difference, syntax: natural, metric: kind } = translated;
  const syntax = kind === 'counter' && !is64Bit(name) ? 'Counter32' : natural;
  const scale = readScale(metric, name, kind === 'gauge', report);
  const dropped = readDroppedLabels(metric);
  const index = readIndex(metric, name, oid, dropped, context);
  const description = (metric.get('help')?.text ?? '').replace(/ - [\d.]+\s*$/, '');
  const unit = kind === 'gauge' ? '1' : undefined;
  const added = group.add({ key: name, oid, syntax, metric: kind, scale, stateAs, unit, description }, index);
  if (added === 'name' || added === 'index') {
    report.refuse(metric, name, refusals[added]);
    return;
  }
  if (added === 'merged')
    report.translate(metric, name, 'It is a label of its table and no metric of its own.');
  else if (difference !== undefined) report.translate(metric, name, difference);
  else report.keep();
  readLookups(metric, name, oid, index, context);
}

const refusals = {
  name: 'Another column of the module has this name, or it cannot be the name of an attribute.',
  index: 'The table has another index in an earlier metric of the module.',
};

/** The parts of the index; all arcs in one label where a part cannot be split. */
function readIndex(
  metric: SourceNode,
  name: string,
  oid: Oid,
  dropped: ReadonlySet<string>,
  context: ModuleContext,
): readonly IndexDraft[] {
  const { columns, report } = context;
  const parts = metric.get('indexes')?.items() ?? [];
  const index: IndexDraft[] = [];
  for (const [position, part] of parts.entries()) {
    const label = part.get('labelname')?.text ?? `index${position + 1}`;
    const split = translateIndex(part.get('type')?.text ?? '', label, {
      fixedSize: part.get('fixed_size')?.number ?? 0,
      isImplied: part.get('implied')?.value === true,
      isLast: position === parts.length - 1,
    });
    if (typeof split === 'string') {
      report.refuse(part, `${name} ${label}`, `${split} The rows have all arcs of their index in one label.`);
      return [{ type: 'ImplicitObjectIdentifier', label: 'index', syntax: 'ObjectIdentifier' }];
    }
    const column = columns.get(label) ?? guessColumn(oid, position, part, context);
    const hasNames = column !== undefined && importNames(part, column, label, 'integer', context);
    for (const each of split) {
      const syntax = each.syntax === 'EnumInteger' && !hasNames ? 'IntegerAsID' : each.syntax;
      const isLabel = each.label !== undefined;
      index.push({
        ...each,
        syntax,
        oid: isLabel ? column : undefined,
        label: isLabel && !dropped.has(label) ? label : undefined,
      });
    }
  }
  return index;
}

/**
 * The names of an index column belong to its OID, which the file does not have when the column is no metric. Index columns nearly always
 * come first, in their order.
 */
function guessColumn(
  oid: Oid,
  position: number,
  part: SourceNode,
  { columns }: ModuleContext,
): Oid | undefined {
  if (part.get('enum_values') === undefined) return undefined;
  const guess = `${parentOid(oid)}.${position + 1}`;
  return [...columns.values()].includes(guess) ? undefined : guess;
}

function readScale(
  metric: SourceNode,
  name: string,
  isGauge: boolean,
  report: ImportReport,
): { factor?: number; offset?: number } | undefined {
  const factor = metric.get('scale')?.number;
  const offset = metric.get('offset')?.number;
  if (factor === undefined && offset === undefined) return undefined;
  if (isGauge)
    return { ...(factor === undefined ? {} : { factor }), ...(offset === undefined ? {} : { offset }) };
  report.refuse(
    metric.get('scale') ?? metric.get('offset') ?? metric,
    `${name} scale`,
    'Only gauges can be scaled.',
  );
  return undefined;
}

/** The exporter does not know the width of counters. */
function is64Bit(name: string): boolean {
  return /HC|64|Xpacket|High/.test(name);
}
