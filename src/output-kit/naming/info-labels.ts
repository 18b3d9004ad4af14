import type { Batch, Rows, TextColumn } from '../../model/batch.ts';
import { Type } from '../../typebox.ts';
import type { Naming } from './name-text.ts';

/** The option of an output in the style of Prometheus: which labels only the info metric of a row has. */
export const infoLabelsOption = {
  info_labels: Type.Array(Type.String(), {
    default: [
      '*.alias',
      '*.descr',
      '*.location',
      '*.model',
      '*.path',
      '*.platform',
      '*.serial',
      'netif.type.name',
    ],
    description:
      'labels that only the info metric of a row has: fields, or *.alias for all fields that end with it. [] puts them on every series; not with `naming: mib`',
  }),
};

interface MovedLabels {
  readonly rows: Rows;
  readonly columns: readonly TextColumn[];
}

/** Moves labels that describe a row, such as the alias of an interface, from all series of the row to its info metric. */
export class InfoLabels {
  readonly #fields: ReadonlySet<string>;
  readonly #endings: readonly string[];
  /** The same rows stay the same, so that their labels are rendered once. */
  readonly #moved = new WeakMap<Rows, MovedLabels>();

  /** With the names of the MIB nothing moves, because dashboards expect the labels of snmp_exporter. */
  constructor(labels: readonly string[], naming: Naming = 'fields') {
    const used = naming === 'mib' ? [] : labels;
    this.#fields = new Set(used.filter((label) => !label.startsWith('*.')));
    this.#endings = used.flatMap((label) => (label.startsWith('*.') ? [label.slice(1)] : []));
  }

  /** Returns a batch without such labels as it is. Of several plans of a record, only one may write the info metric: `isWriter` tells whether the plan of the batch does. */
  move(batch: Batch, isWriter: (batch: Batch) => boolean): Batch {
    const moved = this.#moved.get(batch.rows) ?? this.#split(batch.rows);
    this.#moved.set(batch.rows, moved);
    if (moved.columns.length === 0) return batch;
    const columns = isWriter(batch) ? [...batch.columns, ...moved.columns] : batch.columns;
    return { ...batch, rows: moved.rows, columns };
  }

  #split(rows: Rows): MovedLabels {
    const labels = Object.entries(rows.labels);
    const columns = labels.flatMap(([field, values]): TextColumn[] =>
      this.#isMoved(field) ? [{ kind: 'text', field, values }] : [],
    );
    if (columns.length === 0) return { rows, columns };
    const kept = labels.filter(([field]) => !this.#isMoved(field));
    return { rows: { ...rows, labels: Object.fromEntries(kept) }, columns };
  }

  #isMoved(field: string): boolean {
    return this.#fields.has(field) || this.#endings.some((ending) => field.endsWith(ending));
  }
}
