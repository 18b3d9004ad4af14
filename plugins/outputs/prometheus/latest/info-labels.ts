import type { Batch, TextColumn } from '../../../../src/index.ts';

type Rows = Batch['rows'];

interface MovedLabels {
  readonly rows: Rows;
  readonly columns: readonly TextColumn[];
}

/** Moves labels that may be long, such as the alias of an interface, from all series of a row to its info metric. */
export class InfoLabels {
  readonly #fields: ReadonlySet<string>;
  /** The same rows stay the same, so that their labels are rendered once. */
  readonly #moved = new WeakMap<Rows, MovedLabels>();

  constructor(fields: Iterable<string>) {
    this.#fields = new Set(fields);
  }

  /** @param hasInfo whether the info metric gets the labels from this batch: of several plans of a record, only one may write it */
  move(batch: Batch, hasInfo: boolean): Batch {
    const { rows } = batch;
    if (!Object.keys(rows.labels).some((field) => this.#fields.has(field))) return batch;
    const moved = this.#moved.get(rows) ?? this.#split(rows);
    this.#moved.set(rows, moved);
    const columns = hasInfo ? [...batch.columns, ...moved.columns] : batch.columns;
    return { ...batch, rows: moved.rows, columns };
  }

  #split(rows: Rows): MovedLabels {
    const labels = Object.entries(rows.labels);
    return {
      rows: { ...rows, labels: Object.fromEntries(labels.filter(([field]) => !this.#fields.has(field))) },
      columns: labels.flatMap(([field, values]) =>
        this.#fields.has(field) ? [{ kind: 'text', field, values } as const] : [],
      ),
    };
  }
}
