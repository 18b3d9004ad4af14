import {
  type CompiledAttribute,
  columnNamesFor,
  createIndexDecoder,
  type DecodeOptions,
  findVocabularyRecord,
  layoutRecords,
  type RecordLayout,
} from '../../../src/definitions/index.ts';
import { areSame, compileColumns, isDiscontinuityTime } from './compile-columns.ts';
import { draftSensors } from './compile-sensors.ts';
import { draftTemplate } from './compile-template.ts';
import type { DeviceShape, ShapeObject } from './device-shape.ts';
import { mibNamesOf } from './mib-names.ts';
import type { PlanContext, PlanDefinitions } from './plan-context.ts';
import type { ColumnHead, PollPlan, PoolPlan, RecordPlan, Watch } from './poll-plan.ts';
import { resolvePresence } from './presence.ts';
import { SlotAllocator } from './slot-allocator.ts';

/** Compiles the plans of a device, one per interval of its objects. It works in steps, because tables may be long. */
export function* compilePlans(
  shape: DeviceShape,
  definitions: PlanDefinitions,
  decodeOptions: DecodeOptions = {},
): Generator<void, PollPlan[]> {
  const objects = new Map(shape.objects.map((subject) => [subject.object.id, subject]));
  const presence = yield* resolvePresence(shape.objects);
  const layouts = layoutRecords(definitions, objects.keys());
  const intervals = new Set(shape.objects.map(({ everyMs }) => everyMs));
  const plans: PollPlan[] = [];
  for (const everyMs of intervals) {
    const allocator = new SlotAllocator({ dialect: shape.dialect, maxOids: shape.maxOids });
    const context = { definitions, decodeOptions, objects, presence, everyMs, allocator };
    plans.push(yield* compilePlan(context, layouts));
  }
  return plans;
}

function* compilePlan(context: PlanContext, layouts: readonly RecordLayout[]): Generator<void, PollPlan> {
  const { allocator, everyMs, objects } = context;
  const own = [...objects.values()].filter((subject) => subject.everyMs === everyMs);
  const tables = new Set(own.map(({ object }) => object.table));
  const drafts: (() => Generator<void, RecordPlan>)[] = [];
  for (const layout of layouts) {
    if (tables.has(layout.table) && !hasOnlySensors(layout, context))
      drafts.push(yield* draftRecord(layout, context));
  }
  const sensors = own.flatMap((subject) => draftSensors(subject, context));
  const watched = own.flatMap((subject) => listWatched(subject, context));
  allocator.allocate();
  const finished: RecordPlan[] = [];
  for (const finish of drafts) finished.push(yield* finish());
  return {
    name: `every-${everyMs / 1000}s`,
    everyMs,
    records: finished,
    batches: batchesOf(finished),
    sensors: sensors.map((finish) => finish()),
    watches: watched.map((finish) => finish()).filter((watch) => watch !== undefined),
    requests: yield* allocator.compileRequests(false),
    labelRequests: yield* allocator.compileRequests(true),
    reads: allocator.reads,
    slots: allocator.slots,
    textSlots: allocator.textSlots,
    readsBoots: allocator.readsBoots,
  };
}

/** Whether all that the table has goes to the record `sensor`. */
function hasOnlySensors({ table, columns }: RecordLayout, { objects }: PlanContext): boolean {
  if (columns.length > 0) return false;
  return [...objects.values()].some(
    ({ object }) =>
      object.table === table && [...object.attributes.values()].some(({ sensor }) => sensor !== undefined),
  );
}

/** Records of the vocabulary with several tables are one batch. */
function batchesOf(records: readonly RecordPlan[]): readonly (readonly number[])[] {
  const positions = new Map<string, number[]>();
  for (const [position, { record }] of records.entries()) {
    const others = positions.get(record);
    if (others === undefined) positions.set(record, [position]);
    else others.push(position);
  }
  return [...positions.values()];
}

/** Requests the slots of a record. The returned function builds the record after slots are allocated. */
function* draftRecord(
  layout: RecordLayout,
  context: PlanContext,
): Generator<void, () => Generator<void, RecordPlan>> {
  const members = [...context.objects.values()].filter(({ object }) => object.table === layout.table);
  const writers = members.filter(({ everyMs }) => everyMs === context.everyMs);
  const instances = yield* uniteInstances(writers);
  const others = writers.length === members.length ? [] : without(yield* uniteInstances(members), instances);
  const words = findVocabularyRecord(layout.record);
  const rowIds = words && instances.map((instance) => `${layout.table.split('::').at(-1)}.${instance}`);
  const templates = members.flatMap(({ object: { index, labels = [] } }) =>
    labels.map(([field, template]) => {
      const finish = draftTemplate(template, { index, instances }, context);
      return () => ({ field, plan: finish() });
    }),
  );
  const finishColumns = yield* compileColumns(layout, instances, others, context);
  const discontinuity = writers.flatMap((subject) => listDiscontinuities(subject, context));
  return function* () {
    const { indexLabels, undecoded } = yield* labelInstances(layout.index, instances, context);
    const columns = yield* finishColumns();
    return {
      record: layout.record,
      table: layout.table,
      rowIds,
      templates: templates.map((finish) => finish()),
      pool: words?.pool === undefined ? undefined : poolPlan(words.pool, context.decodeOptions),
      instances,
      indexLabels: rowIds === undefined ? indexLabels : { [`${layout.record}.id`]: rowIds, ...indexLabels },
      undecoded,
      ...columns,
      // Records of the vocabulary have one name whatever the MIB.
      mib: rowIds === undefined ? mibNamesOf(layout, columns, context.definitions) : undefined,
      discontinuity: mergeSlots(
        instances,
        discontinuity.map((finish) => finish()),
      ),
    };
  };
}

function poolPlan(name: string, { percentOf = 100 }: DecodeOptions): PoolPlan {
  const head = (field: string, unit: string): ColumnHead => ({
    field: `${name}.${field}`,
    metric: 'gauge',
    unit,
    about: {},
  });
  const usage = head('usage', percentOf === 1 ? '1' : '%');
  return { heads: [head('size', 'B'), head('used', 'B'), head('free', 'B'), usage], whole: percentOf };
}

/** Instances that are labelled in one step. */
const instancesPerStep = 1_000;

function* labelInstances(
  index: RecordLayout['index'],
  instances: readonly string[],
  { definitions, decodeOptions }: PlanContext,
): Generator<void, Pick<RecordPlan, 'indexLabels' | 'undecoded'>> {
  const labels: Record<string, (string | undefined)[]> = {};
  let undecoded = 0;
  if (index.length === 0) return { indexLabels: labels, undecoded };
  const decode = createIndexDecoder(
    index,
    ({ syntax, column }) => columnNamesFor(definitions, syntax, column),
    decodeOptions,
  );
  for (let from = 0; from < instances.length; from += instancesPerStep) {
    const some = instances.slice(from, from + instancesPerStep);
    const decoded = decode(some.map((instance) => instance.split('.').map(Number)));
    undecoded += decoded.undecoded;
    for (const [field, values] of Object.entries(decoded.labels)) {
      labels[field] ??= new Array(instances.length).fill(undefined);
      for (const [i, value] of values.entries()) labels[field][from + i] = value;
    }
    yield;
  }
  return { indexLabels: labels, undecoded };
}

/** The instances of these objects, in the order of the first object. */
function* uniteInstances(subjects: readonly ShapeObject[]): Generator<void, readonly string[]> {
  const [first, ...others] = subjects.map(({ known }) => known.instances);
  if (first === undefined) return [];
  const different = others.filter((list) => !areSame(list, first));
  if (different.length === 0) return first;
  const united = new Set<string>();
  for (const list of [first, ...different]) {
    for (const [position, instance] of list.entries()) {
      if (position % instancesPerStep === 0) yield;
      united.add(instance);
    }
  }
  return [...united];
}

function without(all: readonly string[], instances: readonly string[]): readonly string[] {
  if (all.length === instances.length) return [];
  const excluded = new Set(instances);
  return all.filter((instance) => !excluded.has(instance));
}

type Slots = { readonly firstSlot: number; readonly instances: readonly string[] } | undefined;

function listDiscontinuities(subject: ShapeObject, context: PlanContext): (() => Slots)[] {
  const attributes = [...subject.object.attributes.values()];
  return attributes
    .filter(({ name }) => isDiscontinuityTime(name))
    .map((attribute) => requestAll(subject, attribute, context));
}

function requestAll(
  subject: ShapeObject,
  attribute: CompiledAttribute,
  { presence, allocator }: PlanContext,
): () => Slots {
  const instances = presence.instancesOf(subject, attribute);
  allocator.request(attribute, instances, false);
  return () => allocator.find(attribute.column, instances);
}

function mergeSlots(instances: readonly string[], readings: readonly Slots[]): Int32Array | undefined {
  const found = readings.filter((reading) => reading !== undefined);
  if (found.length === 0) return undefined;
  const slotOf = new Map(
    found.flatMap((reading) =>
      reading.instances.map((instance, i): [string, number] => [instance, reading.firstSlot + i]),
    ),
  );
  return Int32Array.from(instances, (instance) => slotOf.get(instance) ?? -1);
}

function listWatched(subject: ShapeObject, context: PlanContext): (() => Watch | undefined)[] {
  return [...subject.object.attributes.values()].flatMap((attribute) => {
    const { rediscover: when, name } = attribute;
    if (when === undefined) return [];
    const find = requestAll(subject, attribute, context);
    return [
      () => {
        const reading = find();
        if (reading === undefined) return undefined;
        const { firstSlot, instances } = reading;
        return { object: subject.object.id, attribute: name, when, firstSlot, instances };
      },
    ];
  });
}
