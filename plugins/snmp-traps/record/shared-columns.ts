import type { Column, FieldDeclaration, Value } from '../../../src/index.ts';
import { columnOfOne } from '../../../src/pipeline/index.ts';

interface KnownField {
  readonly kind: FieldDeclaration['kind'] | undefined;
  readonly unit: string | undefined;
  /** Undefined when the field has more values than are worth keeping. */
  columns: Map<Value, Column> | undefined;
}

const maxFields = 500;
const maxValues = 32;
const maxLength = 64;

/** The columns of batches of one row. Most values of a notification come again: equal ones share their column. */
export class SharedColumns {
  readonly #fields = new Map<string, KnownField>();

  /** Undefined for a value that does not fit what is declared. */
  get(field: string, value: Value, declared: FieldDeclaration | undefined): Column | undefined {
    const { columns } = this.#find(field, declared);
    const known = columns?.get(value);
    if (known !== undefined) return known;
    const column = columnOfOne(field, value, declared);
    if (column !== undefined && columns !== undefined) this.#keep(field, value, column);
    return column;
  }

  #find(field: string, declared: FieldDeclaration | undefined): KnownField {
    const known = this.#fields.get(field);
    if (known !== undefined && known.kind === declared?.kind && known.unit === declared?.unit) return known;
    if (this.#fields.size >= maxFields) this.#fields.clear();
    const created: KnownField = { kind: declared?.kind, unit: declared?.unit, columns: new Map() };
    this.#fields.set(field, created);
    return created;
  }

  #keep(field: string, value: Value, column: Column): void {
    if (typeof value === 'object' || (typeof value === 'string' && value.length > maxLength)) return;
    const known = this.#fields.get(field)!;
    if (known.columns!.size < maxValues) known.columns!.set(value, column);
    else known.columns = undefined;
  }
}
