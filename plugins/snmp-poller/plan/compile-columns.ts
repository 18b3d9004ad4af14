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
  wordFinder,
} from '../../../src/definitions/index.ts';
import { type ColumnFacts, gapCode } from '../../../src/index.ts';
import type { ShapeObject } from './device-shape.ts';
import { type LookupPlaces, placeLookup, slotsOfPlaces } from './place-lookup.ts';
import type { PlanContext, PlanDefinitions } from './plan-context.ts';
import type { ColumnHead, ColumnPlan, ColumnSource, LabelPlan, RecordPlan, RowScale } from './poll-plan.ts';
import { isUnresolved } from './presence.ts';

/** One writer of a field, and the rows that it may write. */
interface Share {
  readonly writer: FieldWriter;
  readonly subject: ShapeObject;
  /** The instances at which the attribute is polled, including those that it writes. */
  readonly instances: readonly string[];
  /** The instances that it may write; undefined when these are all rows of the record. */
  readonly written: ReadonlySet<string> | undefined;
  /** Whether a better share may write some of its rows, too. */
  readonly isRival: boolean;
  /** Where it is read, when another table has it. */
  readonly places: LookupPlaces | undefined;
}

/** A column of the record, and what this plan reads for it. */
interface Draft {
  readonly column: RecordColumn;
  /** The best first. */
  readonly shares: readonly Share[];
  /** Of a name: the shares of the record's rows that only other plans have. */
  readonly others: readonly Share[];
}

/** Requests the slots of a record's columns and labels. The returned function builds them after slots are allocated. */
export function* compileColumns(
  layout: RecordLayout,
  rows: readonly string[],
  otherRows: readonly string[],
  context: PlanContext,
): Generator<void, () => Generator<void, Pick<RecordPlan, 'columns' | 'counters' | 'labels'>>> {
  const drafts: Draft[] = [];
  for (const column of layout.columns) {
    const shares = selectRead(column, yield* shareRows(column, rows, context), context);
    const others = isName(column, shares, context) ? yield* shareRows(column, otherRows, context) : [];
    for (const share of [...shares, ...others]) requestShare(share, column, context);
    if (shares.length > 0) drafts.push({ column, shares, others });
    yield;
  }
  return function* () {
    const columns: ColumnPlan[] = [];
    const labels: LabelPlan[] = [];
    for (const { column, shares, others } of drafts) {
      const sources: ColumnSource[] = [];
      for (const share of shares) sources.push(yield* compileSource(share, column, rows, context));
      if (column.tag) {
        const names: ColumnSource[] = [];
        for (const share of others) names.push(yield* compileSource(share, column, otherRows, context));
        labels.push({
          field: column.field,
          sources,
          isShared: shares.some(({ isRival }) => isRival),
          isForeign: shares.every(({ subject }) => subject.everyMs !== context.everyMs),
          isName: isName(column, shares, context),
          others: names.length === 0 ? undefined : { sources: names, count: otherRows.length },
        });
      } else columns.push(yield* compileColumn(column.field, shares, sources, rows, context));
      yield;
    }
    return { columns, counters: columns.filter(({ isCounter }) => isCounter).length, labels };
  };
}

/** Rows that are handled in one step, between other work. */
const rowsPerStep = 5_000;

/** The writers of each row, the best first, whatever their intervals. Which of them writes it depends on their answers. */
function* shareRows(
  { writers }: RecordColumn,
  rows: readonly string[],
  context: PlanContext,
): Generator<void, Share[]> {
  const candidates: (Pick<Share, 'writer' | 'subject' | 'instances' | 'places'> & {
    readonly isUnresolved: boolean;
  })[] = [];
  for (const writer of writers) {
    const subject = context.objects.get(writer.object);
    const attribute = subject?.object.attributes.get(writer.attribute);
    if (subject === undefined || attribute === undefined) continue;
    const { at } = attribute;
    candidates.push({
      writer,
      subject,
      instances: context.presence.instancesOf(subject, attribute),
      places: at && (yield* placeLookup(rows, subject.object.index, at)),
      isUnresolved: isUnresolved(subject, attribute),
    });
  }
  candidates.sort((a, b) => Number(a.isUnresolved) - Number(b.isUnresolved));
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1 && areSame(only.instances, rows)) {
    return [{ ...only, written: undefined, isRival: false }];
  }
  const all = new Set<string>();
  for (const [row, instance] of rows.entries()) {
    if (row % rowsPerStep === rowsPerStep - 1) yield;
    all.add(instance);
  }
  const free = new Set(all);
  const shares: Share[] = [];
  for (const { writer, subject, instances, places, isUnresolved } of candidates) {
    // What no discovery looked for only fills rows that nothing else writes.
    const from = isUnresolved ? free : all;
    const written = new Set<string>();
    for (const [position, instance] of instances.entries()) {
      if (position % rowsPerStep === rowsPerStep - 1) yield;
      if (from.has(instance)) written.add(instance);
    }
    if (written.size === 0) continue;
    let isRival = false;
    let position = 0;
    for (const instance of written) {
      if (++position % rowsPerStep === 0) yield;
      if (!free.delete(instance)) isRival = true;
    }
    shares.push({
      writer,
      subject,
      instances,
      places,
      written: written.size === rows.length ? undefined : written,
      isRival,
    });
  }
  return shares;
}

export function areSame(one: readonly string[], other: readonly string[]): boolean {
  return (
    one === other || (one.length === other.length && one.every((instance, row) => instance === other[row]))
  );
}

/**
 * Values are read at their own interval, and a better writer of the same rows at another interval is read with them. Labels are also
 * read at other intervals, until they are known.
 */
function selectRead(
  { tag }: RecordColumn,
  shares: readonly Share[],
  { everyMs }: PlanContext,
): readonly Share[] {
  if (tag) return shares;
  const last = shares.findLastIndex(({ subject }) => subject.everyMs === everyMs);
  return shares.filter(
    (share, i) => share.subject.everyMs === everyMs || (i < last && shares.some(({ isRival }) => isRival)),
  );
}

/** ifName identifies an interface (RFC 2863 §3.1.6). Other rows are identified by their instance. */
function isName({ tag }: RecordColumn, shares: readonly Share[], { definitions }: PlanContext): boolean {
  return (
    tag &&
    shares.some(({ writer, places }) => {
      return places === undefined && attributeAt(writer, definitions.objects).column === ifName;
    }) &&
    shares.every(({ writer }) => writer.kind === 'text')
  );
}

const ifName = '1.3.6.1.2.1.31.1.1.1.1';

function requestShare(
  { subject, writer, instances, places }: Share,
  { tag }: RecordColumn,
  context: PlanContext,
): void {
  const { allocator, everyMs } = context;
  const attribute = subject.object.attributes.get(writer.attribute)!;
  allocator.request(attribute, places?.instances ?? instances, tag && subject.everyMs !== everyMs);
  requestScale(attribute, instances, context);
}

/** The columns that scale an attribute are read with it. */
export function requestScale(
  attribute: CompiledAttribute,
  instances: readonly string[],
  { allocator, definitions }: Pick<PlanContext, 'allocator' | 'definitions'>,
): void {
  for (const column of scaleColumnsOf(attribute, definitions)) allocator.request(column, instances, false);
}

function* compileSource(
  { writer, subject, instances, written, places }: Share,
  { tag }: RecordColumn,
  rows: readonly string[],
  context: PlanContext,
): Generator<void, ColumnSource> {
  const { allocator, definitions, decodeOptions, everyMs } = context;
  const attribute = subject.object.attributes.get(writer.attribute)!;
  const { column } = attribute;
  const syntax = findSyntax(writer.syntax)!;
  const scale = scaleFor(syntax, decodeOptions);
  // Without a place, nothing is read.
  const firstSlot = allocator.find(column, places?.instances ?? instances)?.firstSlot ?? -1;
  const isAligned = written === undefined && areSame(instances, rows);
  return {
    object: writer.object,
    attribute: writer.attribute,
    column,
    decoder: createDecoder(syntax, columnNamesFor(definitions, writer.syntax, column), decodeOptions),
    scale,
    reading: syntax.reading,
    firstSlot,
    slots:
      places !== undefined
        ? slotsOfPlaces(places, firstSlot)
        : isAligned
          ? undefined
          : yield* slotsByRow(rows, instances, firstSlot, written),
    rowScale: compileRowScale(attribute, instances, context),
    missing: attribute.missing && new Set(attribute.missing),
    isElsewhere: !tag && subject.everyMs !== everyMs,
  };
}

function* slotsByRow(
  rows: readonly string[],
  instances: readonly string[],
  firstSlot: number,
  written: ReadonlySet<string> | undefined,
): Generator<void, Int32Array> {
  const slots = new Map<string, number>();
  for (const [position, instance] of instances.entries()) {
    if (position % rowsPerStep === rowsPerStep - 1) yield;
    slots.set(instance, firstSlot + position);
  }
  const byRow = new Int32Array(rows.length).fill(-1);
  for (const [row, instance] of rows.entries()) {
    if (row % rowsPerStep === rowsPerStep - 1) yield;
    if (written === undefined || written.has(instance)) byRow[row] = slots.get(instance) ?? -1;
  }
  return byRow;
}

function* compileColumn(
  field: string,
  shares: readonly Share[],
  sources: readonly ColumnSource[],
  rows: readonly string[],
  context: PlanContext,
): Generator<void, ColumnPlan> {
  const { subject, writer } = shares.find((_, i) => !sources[i]!.isElsewhere)!;
  const { decoder, reading } = sources[0]!;
  const { name, metric, unit = decoder.unit, description } = subject.object.attributes.get(writer.attribute)!;
  const isCounter = metric === 'counter' && (writer.kind === 'counter' || writer.kind === 'number');
  const head: ColumnHead = {
    field,
    ...(metric === undefined ? {} : { metric }),
    ...(unit === undefined ? {} : { unit }),
    about: {
      description,
      names: decoder.names,
      isTime: reading === 'dateAndTime' || reading === 'dateInText',
      wrapsAt: isCounter ? wrapOf(shares, sources) : undefined,
      marksReset: isDiscontinuityTime(name),
    },
  };
  return {
    head,
    isCounter,
    deltaHead: derivedHead(`${field}_delta`, unit, { description, derived: 'delta' }),
    rateHead: derivedHead(`${field}_rate`, unit && `${unit}/s`, { description, derived: 'rate' }),
    sources,
    isShared: shares.some(({ isRival }) => isRival),
    holes: yield* findHoles(shares, rows, context),
  };
}

/** Undefined for the usual one. Where several attributes write the field, one of them may have 32 bits only. */
function wrapOf(shares: readonly Share[], sources: readonly ColumnSource[]): number | undefined {
  const wraps = sources.map(({ scale: { times, over } }, i) => {
    const bits = wideCounters.has(shares[i]!.writer.syntax) ? 64 : 32;
    return (2 ** bits * times) / over;
  });
  const wrap = Math.min(...wraps);
  return wrap === 2 ** 32 ? undefined : wrap;
}

const wideCounters: ReadonlySet<string> = new Set(['Counter64', 'ZeroBasedCounter64', 'CounterBasedGauge64']);

/** Attributes such as ifCounterDiscontinuityTime, found by the name that RFC 4181 §4.6.1.2 requires. */
export function isDiscontinuityTime(name: string): boolean {
  return /discontinuitytime$/i.test(name);
}

function derivedHead(field: string, unit: string | undefined, about: ColumnFacts): ColumnHead {
  return { field, metric: 'gauge', ...(unit === undefined ? {} : { unit }), about };
}

/** Rows that none of these writers writes: a writer at another interval writes them, or the device has no value. */
function* findHoles(
  shares: readonly Share[],
  rows: readonly string[],
  { presence, everyMs }: PlanContext,
): Generator<void, Uint8Array | undefined> {
  const own = shares.filter(({ subject }) => subject.everyMs === everyMs);
  const isLeft = own.length < shares.length;
  if (!isLeft && own.some(({ written }) => written === undefined)) return undefined;
  const holes = new Uint8Array(rows.length);
  let isAny = false;
  for (const [row, instance] of rows.entries()) {
    if (row % rowsPerStep === rowsPerStep - 1) yield;
    const isWritten = own.some(({ written }) => written?.has(instance) ?? true);
    if (isWritten && !isLeft) continue;
    const isOverridden = isWritten || shares.some(({ writer }) => presence.isOverridden(writer, instance));
    holes[row] = gapCode(isOverridden ? 'overridden' : 'noSuchInstance');
    isAny = true;
  }
  return isAny ? holes : undefined;
}

/** The columns that scale an attribute. They are read at the same instances and the same interval. */
function scaleColumnsOf(
  { scale }: CompiledAttribute,
  { objects }: PlanDefinitions,
): readonly CompiledAttribute[] {
  if (scale === undefined) return none;
  const { prefix, precision, divisor, times, unit } = scale;
  return [prefix, precision, divisor, times, unit?.of].flatMap((ref) =>
    ref === undefined ? [] : [attributeAt(ref, objects)],
  );
}

const none: readonly CompiledAttribute[] = [];

/** To be called after slots are allocated. */
export function compileRowScale(
  { scale }: CompiledAttribute,
  instances: readonly string[],
  { allocator, definitions: { objects } }: PlanContext,
): RowScale | undefined {
  if (scale === undefined) return undefined;
  const slotOf = (ref: AttributeRef | undefined) =>
    ref && allocator.find(attributeAt(ref, objects).column, instances)!.firstSlot;
  const { factor, offset = 0, prefix, precision, divisor, times, unit } = scale;
  const hasMore = divisor !== undefined || times !== undefined || unit !== undefined;
  return {
    factor,
    offset,
    prefixSlot: slotOf(prefix),
    precisionSlot: slotOf(precision),
    more: hasMore
      ? {
          divisorSlot: slotOf(divisor),
          timesSlot: slotOf(times),
          unitSlot: slotOf(unit?.of),
          findUnit: wordFinder(unit ?? {}),
        }
      : undefined,
  };
}

function attributeAt(
  { object, attribute }: AttributeRef,
  objects: PlanDefinitions['objects'],
): CompiledAttribute {
  return objects.get(object)!.attributes.get(attribute)!;
}
