import { rawTag, sensorLimits } from '../../../src/definitions/index.ts';
import { type Batch, type GapReason, gapReasons, type Oid, type Value, valueAt } from '../../../src/index.ts';
import { berTag } from '../../../src/snmp/index.ts';
import type { PlanMemory } from '../device/plan-memory.ts';
import { type ColumnPlan, type ColumnSource, type Read, slotOf } from '../plan/poll-plan.ts';
import { settleSources } from '../record/settle-sources.ts';
import { gapsByStatus } from '../status-gaps.ts';

/** How the last poll read one value. */
export interface ValueReading {
  readonly plan: string;
  readonly everyMs: number;
  readonly oid: Oid;
  /** How many columns and rows are read together with the value. */
  readonly request: { readonly columns: number; readonly rows: number };
  /** Milliseconds since 1970; 0 before the first poll. */
  readonly slotMs: number;
  /** The SNMP type that was received, and the number or the octets in hexadecimal; undefined for a missing value. */
  readonly raw: { readonly type: string; readonly value: string } | undefined;
  readonly gap: GapReason | undefined;
  /** The fields that the value is written to, with their last contents. */
  readonly fields: readonly ValueField[];
}

export interface ValueField {
  readonly record: string;
  readonly field: string;
  readonly isLabel: boolean;
  readonly unit: string | undefined;
  readonly value: Value | undefined;
  readonly gap: GapReason | undefined;
}

interface Place {
  readonly source: ColumnSource;
  readonly row: number;
  readonly field: ValueField;
}

/** The reading of a value; undefined when the plan does not read this attribute at this instance. */
export function readingOf(
  memory: PlanMemory,
  object: string,
  instance: string,
  attribute: string,
): ValueReading | undefined {
  const { plan, last, lastSlotMs } = memory;
  const places = [
    ...findPlaces(memory, object, instance, attribute),
    ...findSensorPlaces(memory, object, instance, attribute),
  ];
  const [first] = places;
  if (first === undefined) return undefined;
  const slot = slotOf(first.source, first.row);
  const read = plan.reads.find((each) => holds(each, slot))!;
  const status = last?.status[slot] ?? 0;
  const gap = last === undefined ? 0 : gapsByStatus()[status]!;
  return {
    plan: plan.name,
    everyMs: plan.everyMs,
    oid: `${first.source.column}.${instanceAt(read, slot)}`,
    request: { columns: read.columns.length, rows: read.instances.length },
    slotMs: lastSlotMs,
    raw:
      last === undefined || gap !== 0
        ? undefined
        : { type: nameOfType(status), value: rawText(memory, slot, status) },
    gap: gap === 0 ? undefined : gapReasons[gap],
    fields: places.map(({ field }) => field),
  };
}

function findPlaces(memory: PlanMemory, object: string, instance: string, attribute: string): Place[] {
  return memory.records.flatMap((record) => {
    const row = record.plan.instances.indexOf(instance);
    if (row < 0) return [];
    const isWanted = (source: ColumnSource) =>
      source.object === object && source.attribute === attribute && slotOf(source, row) >= 0;
    /** Whether a better source wrote the field. */
    const isBeaten = (plan: Pick<ColumnPlan, 'sources' | 'isShared'>) => {
      const { last } = memory;
      if (!plan.isShared || last === undefined) return false;
      return !settleSources(plan, last.status, record.plan.instances.length).some(isWanted);
    };
    const labels = record.plan.labels.flatMap((label): Place[] => {
      const { field, sources } = label;
      const source = sources.find(isWanted);
      if (source === undefined) return [];
      const value = isBeaten(label) ? undefined : record.rows?.labels[field]?.[row];
      return [{ source, row, field: fieldOf(record.plan.record, field, value) }];
    });
    let latest: Batch | undefined;
    const columns = record.plan.columns.flatMap((plan): Place[] => {
      const { head, sources } = plan;
      const source = sources.find((each) => isWanted(each) && !each.isElsewhere);
      if (source === undefined) return [];
      if (isBeaten(plan)) {
        const beaten = fieldOf(record.plan.record, head.field, undefined);
        return [{ source, row, field: { ...beaten, isLabel: false, unit: head.unit, gap: 'overridden' } }];
      }
      latest ??= record.latest?.();
      const column = latest?.columns.find(({ field }) => field === head.field);
      const { rowIds } = record.plan;
      // A record of the vocabulary may have the rows of other tables before these.
      const at = rowIds === undefined ? row : (latest?.rows.keys.indexOf(rowIds[row]!) ?? row);
      return [
        {
          source,
          row,
          field: {
            ...fieldOf(record.plan.record, head.field, column && valueAt(column, at)),
            isLabel: false,
            unit: head.unit,
            gap: column?.gaps?.[at] ? gapReasons[column.gaps[at]!] : undefined,
          },
        },
      ];
    });
    return [...labels, ...columns];
  });
}

/** What a sensor, its state and its limits write. */
function findSensorPlaces(
  { sensors }: PlanMemory,
  object: string,
  instance: string,
  attribute: string,
): Place[] {
  let latest: Batch | undefined;
  return sensors.sections.flatMap(({ instances, ids, value, state, limits }) => {
    const row = instances.indexOf(instance);
    if (row < 0) return [];
    const written: [ColumnSource, readonly string[]][] = [
      ...(value === undefined ? [] : [[value, ['sensor.value']] as [ColumnSource, string[]]]),
      ...(state === undefined
        ? []
        : [[state.source, ['sensor.state', 'sensor.status']] as [ColumnSource, string[]]]),
      ...limits.flatMap(([name, limit]) =>
        typeof limit === 'number' ? [] : [[limit, [sensorLimits[name]]] as [ColumnSource, string[]]],
      ),
    ];
    return written.flatMap(([source, fields]) => {
      if (source.object !== object || source.attribute !== attribute) return [];
      latest ??= sensors.latest?.();
      const at = latest?.rows.keys.indexOf(ids[row]!) ?? -1;
      const unit = latest?.rows.labels['sensor.unit']?.[at];
      const classOf = latest?.rows.labels['sensor.class']?.[at];
      return [...fields, ...(source === value || value === undefined ? ['sensor.class'] : [])].map(
        (field): Place => {
          const column = latest?.columns.find((each) => each.field === field);
          const isLabel = field === 'sensor.class';
          const isText = isLabel || field === 'sensor.state' || field === 'sensor.status';
          const found = isLabel ? classOf : column && at >= 0 ? valueAt(column, at) : undefined;
          const gap = column?.gaps?.[at] ? gapReasons[column.gaps[at]!] : undefined;
          return {
            source,
            row,
            field: { record: 'sensor', field, isLabel, unit: isText ? undefined : unit, value: found, gap },
          };
        },
      );
    });
  });
}

function fieldOf(record: string, field: string, value: Value | undefined): ValueField {
  return { record, field, isLabel: true, unit: undefined, value, gap: undefined };
}

/** The name as the textual conventions write it, such as Counter64. */
function nameOfType(tag: number): string {
  const [name = `tag ${tag}`] = Object.entries(rawTag).find(([, known]) => known === tag) ?? [];
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function holds({ firstSlot, columns, instances }: Read, slot: number): boolean {
  return slot >= firstSlot && slot < firstSlot + columns.length * instances.length;
}

/** The row that the slot is read at: another one than that of the value for a label of another table. */
function instanceAt({ firstSlot, instances }: Read, slot: number): string {
  return instances[(slot - firstSlot) % instances.length]!;
}

function rawText({ last }: PlanMemory, slot: number, tag: number): string {
  const text = last?.texts[slot];
  const isNumber = tag === berTag.integer || (tag >= 0x41 && tag <= 0x43) || tag >= 0x46;
  if (tag === berTag.ipAddress && text === undefined) return hexOf(last!.words[2 * slot]!);
  if (!isNumber) return Buffer.from(text ?? '', 'latin1').toString('hex');
  const bits = (BigInt(last!.words[2 * slot + 1]!) << 32n) | BigInt(last!.words[2 * slot]!);
  return String(tag === berTag.integer ? BigInt.asIntN(64, bits) : bits);
}

function hexOf(word: number): string {
  return word.toString(16).padStart(8, '0');
}
