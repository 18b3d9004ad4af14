import type { Shape } from '../chunk/block.ts';

/** The shapes of a file that is read. Devices of the same kind share their columns. */
export class ShapeTable {
  readonly #shapes = new Map<number, Shape>();
  readonly #columns = new Map<string, Shape['columns']>();

  add(id: number, shape: Shape): void {
    const text = JSON.stringify(shape.columns);
    const columns = this.#columns.get(text) ?? shape.columns;
    this.#columns.set(text, columns);
    this.#shapes.set(id, { ...shape, columns });
  }

  get(id: number): Shape | undefined {
    return this.#shapes.get(id);
  }
}
