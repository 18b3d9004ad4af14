import { gapCode } from '../../../src/index.ts';
import {
  type AttributeRef,
  type CompiledAttribute,
  columnNamesFor,
  createDecoder,
  type FieldWriter,
  findSyntax,
  type RecordColumn,
  type RecordLayout,
  scaleFor,
} from '../../../src/internal.ts';
import type { ShapeObject } from './device-shape.ts';
import type { PlanContext, PlanDefinitions } from './plan-context.ts';
import type { ColumnHead, ColumnPlan, ColumnSource, LabelPlan, RecordPlan, RowScale } from './poll-plan.ts';
import { isUnresolved } from './presence.ts';

/** One writer of a field, and the rows that it writes. */
interface Share {
  readonly writer: FieldWriter;
  readonly subject: ShapeObject;
  /** The instances at which the attribute is polled, including those that it writes. */
  readonly instances: readonly string[];
  /** The instances that it writes; undefined when it writes all rows of the record. */
  readonly won: ReadonlySet<string> | undefined;
}

/** Requests the slots of a record's columns and labels. The returned function builds them after slots are allocated. */
export function* compileColumns(
  layout: RecordLayout,
  rows: readonly string[],
  context: PlanContext,
): Generator<void, () => Generator<void, Pick<RecordPlan, 'columns' | 'counters' | 'labels'>>> {
  const drafts: { readonly column: RecordColumn; readonly shares: readonly Share[] }[] = [];
  for (const column of layout.columns) {
    const shares = shareRows(column, rows, context);
    for (const share of shares) if (isRead(share, column, context)) requestShare(share, context);
    drafts.push({ column, shares });
    yield;
  }
  return function* () {
    const columns: ColumnPlan[] = [];
    const labels: LabelPlan[] = [];
    for (const { column, shares } of drafts) {
      const read = shares.filter((share) => isRead(share, column, context));
      if (read.length === 0) continue;
      const sources = read.map((share) => compileSource(share, rows, context));
      if (column.tag) labels.push(compileLabel(column.field, read, sources, context));
      else columns.push(compileColumn(column.field, read, sources, rows, context));
      yield;
    }
    return { columns, counters: columns.filter(({ isCounter }) => isCounter).length, labels };
  };
}

/** Assigns each row to the best writer that exists for it, whatever the interval of that writer. */
function shareRows({ writers }: RecordColumn, rows: readonly string[], context: PlanContext): Share[] {
  const candidates = writers
    .flatMap((writer) => {
      const subject = context.objects.get(writer.object);
      const attribute = subject?.object.attributes.get(writer.attribute);
      if (subject === undefined || attribute === undefined) return [];
      const instances = context.presence.instancesOf(subject, attribute);
      return [{ writer, subject, instances, isUnresolved: isUnresolved(subject, attribute) }];
    })
    .sort((a, b) => Number(a.isUnresolved) - Number(b.isUnresolved));
  const free = new Set(rows);
  const shares: Share[] = [];
  for (const { writer, subject, instances } of candidates) {
    const won = new Set(instances.filter((instance) => free.delete(instance)));
    if (won.size === 0) continue;
    shares.push({ writer, subject, instances, won: won.size === rows.length ? undefined : won });
  }
  return shares;
}

/** Values are read at their own interval. Labels are also read at other intervals, until they are known. */
function isRead({ subject }: Share, { tag }: RecordColumn, { everyMs }: PlanContext): boolean {
  return tag || subject.everyMs === everyMs;
}

function requestShare(
  { subject, writer, instances }: Share,
  { allocator, everyMs, definitions }: PlanContext,
): void {
  const attribute = subject.object.attributes.get(writer.attribute)!;
  allocator.request(attribute, instances, subject.everyMs !== everyMs);
  for (const column of scaleColumnsOf(attribute, definitions)) allocator.request(column, instances, false);
}

function compileSource(
  { writer, subject, instances, won }: Share,
  rows: readonly string[],
  context: PlanContext,
): ColumnSource {
  const { allocator, definitions, decodeOptions } = context;
  const attribute = subject.object.attributes.get(writer.attribute)!;
  const { column } = attribute;
  const syntax = findSyntax(writer.syntax)!;
  const scale = scaleFor(syntax, decodeOptions);
  const { firstSlot } = allocator.find(column, instances)!;
  const isAligned =
    won === undefined &&
    instances.length === rows.length &&
    instances.every((instance, row) => instance === rows[row]);
  return {
    object: writer.object,
    attribute: writer.attribute,
    column,
    decoder: createDecoder(syntax, columnNamesFor(definitions, writer.syntax, column), decodeOptions),
    scale,
    reading: syntax.reading,
    firstSlot,
    slots: isAligned ? undefined : slotsByRow(rows, instances, firstSlot, won),
    rowScale: compileRowScale(attribute, instances, context),
  };
}

function slotsByRow(
  rows: readonly string[],
  instances: readonly string[],
  firstSlot: number,
  won: ReadonlySet<string> | undefined,
): Int32Array {
  const positions = new Map(instances.map((instance, i) => [instance, i]));
  return Int32Array.from(rows, (row) => {
    const position = won === undefined || won.has(row) ? positions.get(row) : undefined;
    return position === undefined ? -1 : firstSlot + position;
  });
}

function compileColumn(
  field: string,
  shares: readonly Share[],
  sources: readonly ColumnSource[],
  rows: readonly string[],
  context: PlanContext,
): ColumnPlan {
  const { subject, writer } = shares[0]!;
  const { metric, unit = sources[0]!.decoder.unit } = subject.object.attributes.get(writer.attribute)!;
  const head: ColumnHead = {
    field,
    ...(metric === undefined ? {} : { metric }),
    ...(unit === undefined ? {} : { unit }),
  };
  const isNumber = writer.kind === 'counter' || writer.kind === 'number';
  return {
    head,
    isCounter: metric === 'counter' && isNumber,
    deltaHead: gaugeHead(`${field}_delta`, unit),
    rateHead: gaugeHead(`${field}_rate`, unit && `${unit}/s`),
    sources,
    holes: findHoles(shares, rows, context),
  };
}

function gaugeHead(field: string, unit: string | undefined): ColumnHead {
  return { field, metric: 'gauge', ...(unit === undefined ? {} : { unit }) };
}

/** Rows that none of these writers writes: a writer at another interval writes them, or the device has no value. */
function findHoles(
  shares: readonly Share[],
  rows: readonly string[],
  { presence }: PlanContext,
): Uint8Array | undefined {
  if (shares.some(({ won }) => won === undefined)) return undefined;
  const written = new Set(shares.flatMap(({ won }) => [...won!]));
  if (written.size === rows.length) return undefined;
  return Uint8Array.from(rows, (row) => {
    if (written.has(row)) return 0;
    const isOverridden = shares.some(({ writer }) => presence.isOverridden(writer, row));
    return gapCode(isOverridden ? 'overridden' : 'noSuchInstance');
  });
}

const ifName = '1.3.6.1.2.1.31.1.1.1.1';

/** ifName identifies an interface (RFC 2863 §3.1.6). Other rows are identified by their discovery attribute. */
function compileLabel(
  field: string,
  shares: readonly Share[],
  sources: readonly ColumnSource[],
  { everyMs }: PlanContext,
): LabelPlan {
  const isDiscovered = shares.some(
    ({ subject, writer }) => subject.object.discoveryAttribute === writer.attribute,
  );
  const isText = shares.every(({ writer }) => writer.kind === 'text');
  const naming = !isText ? 0 : sources.some(({ column }) => column === ifName) ? 2 : isDiscovered ? 1 : 0;
  return { field, sources, naming, isForeign: shares.every(({ subject }) => subject.everyMs !== everyMs) };
}

/** The columns that scale an attribute. They are read at the same instances and the same interval. */
function scaleColumnsOf(
  { scale }: CompiledAttribute,
  { objects }: PlanDefinitions,
): readonly CompiledAttribute[] {
  if (scale === undefined) return none;
  return [scale.prefix, scale.precision].flatMap((ref) =>
    ref === undefined ? [] : [attributeAt(ref, objects)],
  );
}

const none: readonly CompiledAttribute[] = [];

/** To be called after slots are allocated. */
function compileRowScale(
  { scale }: CompiledAttribute,
  instances: readonly string[],
  { allocator, definitions: { objects } }: PlanContext,
): RowScale | undefined {
  if (scale === undefined) return undefined;
  const slotOf = (ref: AttributeRef | undefined) =>
    ref && allocator.find(attributeAt(ref, objects).column, instances)!.firstSlot;
  return { factor: scale.factor, prefixSlot: slotOf(scale.prefix), precisionSlot: slotOf(scale.precision) };
}

function attributeAt(
  { object, attribute }: AttributeRef,
  objects: PlanDefinitions['objects'],
): CompiledAttribute {
  return objects.get(object)!.attributes.get(attribute)!;
}
