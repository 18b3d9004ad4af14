import type { ColumnHead, Shape } from '../chunk/block.ts';

/** A shape with the rows and columns of several, and where each of them has its own. */
export interface JoinedShape {
  readonly shape: Shape;
  readonly parts: readonly ShapePart[];
}

export interface ShapePart {
  /** For each row of the part, its row in the joined shape. */
  readonly rows: readonly number[] | undefined;
  /** For each column of the joined shape, its position in the part; -1 when the part does not have it. */
  readonly columns: readonly number[];
}

/** Joins shapes of the same record and plan; the last one has the labels that are kept. Rows are paired by their keys. */
export function joinShapes(shapes: readonly Shape[]): JoinedShape {
  const last = shapes.at(-1)!;
  const distinct = [...new Set(shapes)].reverse();
  const hasSameRows = distinct.every(({ keys }) => isSameList(keys, last.keys));
  const columns = joinColumns(distinct);
  if (hasSameRows) {
    const parts = new Map(
      distinct.map((shape) => [shape, { rows: undefined, columns: placesOf(columns, shape) }]),
    );
    return { shape: { ...last, columns }, parts: shapes.map((shape) => parts.get(shape)!) };
  }
  const rows = new Map<string, number>();
  const labels: Record<string, (string | undefined)[]> = {};
  for (const shape of distinct) {
    for (const [row, key] of shape.keys.entries()) {
      if (rows.has(key)) continue;
      const at = rows.size;
      rows.set(key, at);
      for (const [field, texts] of Object.entries(shape.labels)) {
        labels[field] ??= [];
        labels[field][at] = texts[row];
      }
    }
  }
  const parts = new Map(
    distinct.map((shape) => [
      shape,
      { rows: shape.keys.map((key) => rows.get(key)!), columns: placesOf(columns, shape) },
    ]),
  );
  return {
    shape: { ...last, keys: [...rows.keys()], labels, columns },
    parts: shapes.map((shape) => parts.get(shape)!),
  };
}

function joinColumns(shapes: readonly Shape[]): readonly ColumnHead[] {
  const byField = new Map<string, ColumnHead>();
  for (const { columns } of shapes) {
    for (const column of columns) if (!byField.has(column.field)) byField.set(column.field, column);
  }
  return [...byField.values()];
}

function placesOf(columns: readonly ColumnHead[], shape: Shape): number[] {
  const places = new Map(shape.columns.map(({ field }, index) => [field, index]));
  return columns.map(({ field }) => places.get(field) ?? -1);
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left === right || (left.length === right.length && left.every((text, i) => text === right[i]));
}
