import { type IndexPart, pickArcs } from '../../../src/definitions/index.ts';

/** Where another table is read for the rows of this one. */
export interface LookupPlaces {
  /** The instances to read there, each once. */
  readonly instances: readonly string[];
  /** For each row the position in `instances`; −1 where its instance does not fit the index. */
  readonly positions: Int32Array;
}

/** Rows that are handled in one step, between other work. */
const rowsPerStep = 2_000;

/** The places of an attribute that is read at some parts of the index. */
export function* placeLookup(
  rows: readonly string[],
  index: readonly IndexPart[],
  at: readonly number[],
): Generator<void, LookupPlaces> {
  const types = index.map(({ type }) => type);
  const known = new Map<string, number>();
  const positions = new Int32Array(rows.length).fill(-1);
  for (const [row, instance] of rows.entries()) {
    if (row % rowsPerStep === rowsPerStep - 1) yield;
    const arcs = pickArcs(types, instance.split('.').map(Number), at);
    if (arcs === undefined) continue;
    const place = arcs.join('.');
    const position = known.get(place) ?? known.size;
    known.set(place, position);
    positions[row] = position;
  }
  return { instances: [...known.keys()], positions };
}

/** The slot of each row; −1 where nothing is read. */
export function slotsOfPlaces({ positions }: LookupPlaces, firstSlot: number): Int32Array {
  return positions.map((position) => (position < 0 ? -1 : firstSlot + position));
}
