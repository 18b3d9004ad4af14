import type { Batch } from '../../../src/index.ts';
import {
  type ColumnFamilies,
  FamilyTable,
  type Label,
  listRowLabels,
  type Naming,
  nameColumns,
} from '../../../src/output-kit/index.ts';
import type { Shape } from '../chunk/block.ts';
import { shapeOf, takeColumns } from '../recent/taken-columns.ts';

type Family = ColumnFamilies['columns'][number]['family'];

/** The names in Prometheus of a record of a device. */
export interface NamedShape {
  readonly shape: Shape;
  /** By column of the shape. Undefined for a field that has no series of numbers. */
  readonly families: readonly (Family | undefined)[];
  /** The position of the row that a series belongs to; undefined when the record has no such row now. */
  findRow(labels: Readonly<Record<string, string>>): number | undefined;
}

export interface NameBookSettings {
  readonly prefix: string;
  readonly naming: Naming;
  readonly stateSets: readonly string[];
}

/** Remembers the last rows and columns of each record, and names them as the outputs for Prometheus do. */
export class NameBook {
  readonly #settings: NameBookSettings;
  readonly #families: FamilyTable;
  /** By device and record, then by plan. Their columns have no values. */
  readonly #batches = new Map<string, Map<string, Batch>>();
  /** Of the newest generation: devices of the same kind share their columns. */
  readonly #columns = new Map<string, Batch['columns']>();
  #generation = 0;

  constructor(settings: NameBookSettings) {
    this.#settings = settings;
    this.#families = new FamilyTable(settings.prefix);
  }

  take(batch: Batch): void {
    if (batch.rows.count === 0) return;
    const key = keyOf(batch.device.name, batch.record);
    let plans = this.#batches.get(key);
    if (plans === undefined) {
      plans = new Map();
      this.#batches.set(key, plans);
    }
    const before = plans.get(batch.plan);
    if (before?.rows === batch.rows && before.generation === batch.generation) return;
    plans.set(batch.plan, { ...batch, columns: this.#withoutValues(batch) });
  }

  forget(device: string): void {
    for (const key of this.#batches.keys()) if (key.startsWith(`${device}\n`)) this.#batches.delete(key);
  }

  find(device: string, record: string): NamedShape[] {
    const plans = this.#batches.get(keyOf(device, record))?.values() ?? [];
    return [...plans].map((batch) => this.#name(batch));
  }

  #name(batch: Batch): NamedShape {
    const { naming, stateSets } = this.#settings;
    const { rows, names } = listRowLabels(batch, naming);
    const settings = { families: this.#families, stateSets: new Set(stateSets), naming };
    const taken = takeColumns(batch.columns);
    const families = taken.map(({ index }) => {
      const [named] = nameColumns({ ...batch, columns: [batch.columns[index]!] }, names, settings).columns;
      return named?.family.kind === 'stateset' || named?.family.kind === 'text' ? undefined : named?.family;
    });
    return { shape: shapeOf(batch, taken), families, findRow: createRowFinder(batch, rows, naming) };
  }

  #withoutValues({ generation, columns }: Batch): Batch['columns'] {
    if (generation > this.#generation) this.#columns.clear();
    this.#generation = Math.max(this.#generation, generation);
    const key = columns.map(({ kind, field }) => `${kind} ${field}`).join('\n');
    let emptied = this.#columns.get(key);
    if (emptied === undefined) {
      emptied = columns.map((column) => {
        const bare = { ...column, gaps: undefined };
        if (bare.kind === 'counter') return { ...bare, words: new Uint32Array(0) };
        if (bare.kind === 'boolean') return { ...bare, values: new Uint8Array(0) };
        if (bare.kind === 'number') return { ...bare, values: new Float64Array(0) };
        return { ...bare, values: [] };
      });
      this.#columns.set(key, emptied);
    }
    return emptied;
  }
}

function keyOf(device: string, record: string): string {
  return `${device}\n${record}`;
}

/**
 * Series are compared by the labels that both have: a server adds labels, and an output may leave some out. A row whose key is one of its
 * labels is found by that label alone, so that its series goes on when its index or description changes.
 */
function createRowFinder(
  batch: Batch,
  rows: readonly (readonly Label[])[],
  naming: Naming,
): NamedShape['findRow'] {
  const keyLabel = findKeyLabel(batch, naming);
  if (keyLabel !== undefined) {
    const found = new Map(batch.rows.keys.map((key, row) => [key.slice(key.indexOf('=') + 1), row]));
    return (labels) => found.get(labels[keyLabel] ?? '');
  }
  const own = new Set(rows.flatMap((labels) => labels.map(([name]) => name)));
  /** For each set of label names that series have: the rows by their values. */
  const indexes = new Map<string, Map<string, number>>();
  return (labels) => {
    const shared = [...own].filter((name) => labels[name] !== undefined);
    const id = shared.join();
    let index = indexes.get(id);
    if (index === undefined) {
      index = new Map(
        rows.map((list, row) => {
          const texts = new Map(list);
          return [JSON.stringify(shared.map((name) => texts.get(name))), row] as const;
        }),
      );
      indexes.set(id, index);
    }
    return index.get(JSON.stringify(shared.map((name) => labels[name])));
  };
}

/** The label that every key of a row consists of, as in `netif.name=ge-0/3`. */
function findKeyLabel(batch: Batch, naming: Naming): string | undefined {
  const { count, keys, labels } = batch.rows;
  const field = Object.keys(labels).find((each) =>
    keys.every((key, row) => labels[each]![row] !== undefined && key === `${each}=${labels[each]![row]}`),
  );
  if (field === undefined || new Set(keys).size < count) return undefined;
  const only = { count, keys, labels: { [field]: labels[field]! } };
  const [row] = listRowLabels({ ...batch, tags: {}, rows: only }, naming).rows;
  return row?.at(-1)?.[0];
}
