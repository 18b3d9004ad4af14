import type { Batch, Column, NumberColumn, Rows } from '../../model/batch.ts';
import { gapCode } from '../../model/gap.ts';

/**
 * The record `sensor` for outputs whose series have one unit: `sensor.value` and the limits become a column for each class, such as
 * `sensor.temperature` and `sensor.temperature.high.critical`, with the unit of the class, and the label `sensor.unit` is left out.
 */
export class SensorSplitter {
  /** What follows from rows is computed once: they are the same object until a row or a label changes. */
  readonly #known = new WeakMap<Rows, ClassGroups>();

  /** Returns other batches as they are. */
  split(batch: Batch): Batch {
    const classes = batch.record === 'sensor' ? batch.rows.labels['sensor.class'] : undefined;
    if (classes === undefined) return batch;
    const groups = this.#groupsOf(batch.rows, classes);
    const columns = batch.columns.flatMap((column): Column[] => {
      const suffix = splitFields.get(column.field);
      if (suffix === undefined || column.kind !== 'number') return [column];
      return groups.classes.flatMap((group) => pick(column, group, suffix, batch.rows.count));
    });
    return { ...batch, rows: groups.rows, columns };
  }

  #groupsOf(rows: Rows, classes: readonly (string | undefined)[]): ClassGroups {
    const known = this.#known.get(rows);
    if (known !== undefined) return known;
    const groups = groupByClass(rows, classes);
    this.#known.set(rows, groups);
    return groups;
  }
}

/** What follows the class in the field. */
const splitFields: ReadonlyMap<string, string> = new Map([
  ['sensor.value', ''],
  ['sensor.low.critical', '.low.critical'],
  ['sensor.low.warning', '.low.warning'],
  ['sensor.high.warning', '.high.warning'],
  ['sensor.high.critical', '.high.critical'],
]);

interface ClassGroup {
  readonly field: string;
  readonly unit: string | undefined;
  readonly positions: readonly number[];
}

interface ClassGroups {
  readonly classes: readonly ClassGroup[];
  /** Without the label of the unit, the same object for every batch of the rows. */
  readonly rows: Rows;
}

function groupByClass(rows: Rows, classes: readonly (string | undefined)[]): ClassGroups {
  const { 'sensor.unit': units, ...labels } = rows.labels;
  const positions = new Map<string, number[]>();
  for (const [row, name] of classes.entries()) {
    if (name === undefined) continue;
    const others = positions.get(name);
    if (others === undefined) positions.set(name, [row]);
    else others.push(row);
  }
  return {
    classes: Array.from(positions, ([name, own]) => ({
      // A name that ends with `_count` has a meaning of its own in Prometheus.
      field: `sensor.${name === 'count' ? 'amount' : name}`,
      unit: units?.[own[0]!],
      positions: own,
    })),
    rows: { ...rows, labels },
  };
}

const ofOtherClass = gapCode('noSuchInstance');

function pick(
  column: NumberColumn,
  { field, unit, positions }: ClassGroup,
  suffix: string,
  count: number,
): NumberColumn[] {
  const gaps = new Uint8Array(count).fill(ofOtherClass);
  let isAny = false;
  for (const row of positions) {
    const gap = column.gaps?.[row] ?? 0;
    gaps[row] = gap;
    isAny ||= gap === 0;
  }
  if (!isAny) return [];
  return [
    {
      kind: 'number',
      field: field + suffix,
      metric: 'gauge',
      ...(unit === undefined ? {} : { unit }),
      values: column.values,
      gaps,
    },
  ];
}
