/** Nobody types longer names, and comparing costs the square of the length. */
const maxNameLength = 64;

/**
 * The candidate that the fewest insertions, deletions, replacements and swaps of neighbours turn `name` into, case
 * aside; undefined when even that is more than a third of the name. The first of equals wins.
 */
export function findNearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > maxNameLength) return undefined;
  const wanted = name.toLowerCase();
  let limit = Math.max(2, Math.floor(wanted.length / 3));
  let nearest: string | undefined;
  const rows = makeRows(wanted.length + limit);
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > limit) continue;
    const distance = distanceBetween(wanted, candidate.toLowerCase(), limit, rows);
    if (distance > limit) continue;
    nearest = candidate;
    limit = distance - 1;
    if (distance === 0) break;
  }
  return nearest;
}

/** ` Did you mean "…"?`, or nothing: the end of a sentence about a wrong name. */
export function suggestName(name: string, candidates: Iterable<string>): string {
  const nearest = findNearestName(name, candidates);
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

/**
 * Letters compared, all in all: a file in which every name is wrong must not cost seconds. Enough for fifty slips
 * among a thousand names of twenty letters.
 */
const maxCost = 20_000_000;

/** Says what a wrong name was probably meant to be, as long as that is affordable. */
export class NameSuggester {
  #cost = 0;

  suggest(name: string, known: Pick<ReadonlyMap<string, unknown>, 'keys' | 'size'>): string {
    this.#cost += known.size * name.length ** 2;
    return this.#cost <= maxCost ? suggestName(name, known.keys()) : '';
  }
}

/** Optimal string alignment distance; anything above `limit` once it cannot come below it again. */
function distanceBetween(left: string, right: string, limit: number, rows: DistanceRows): number {
  let [before, previous, current] = rows;
  for (let column = 0; column <= right.length; column++) previous[column] = column;
  for (let row = 1; row <= left.length; row++) {
    const letter = left.charCodeAt(row - 1);
    const letterBefore = row > 1 ? left.charCodeAt(row - 2) : -1;
    current[0] = row;
    let least = row;
    for (let column = 1; column <= right.length; column++) {
      const other = right.charCodeAt(column - 1);
      let cost = previous[column - 1]! + (letter === other ? 0 : 1);
      if (current[column - 1]! + 1 < cost) cost = current[column - 1]! + 1;
      if (previous[column]! + 1 < cost) cost = previous[column]! + 1;
      const isSwapped = column > 1 && letterBefore === other && letter === right.charCodeAt(column - 2);
      if (isSwapped && before[column - 2]! + 1 < cost) cost = before[column - 2]! + 1;
      current[column] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return least;
    [before, previous, current] = [previous, current, before];
  }
  return previous[right.length]!;
}

/** Three rows of the table of distances, used again for every candidate. */
type DistanceRows = readonly [Uint16Array, Uint16Array, Uint16Array];

/** For candidates of up to `length` letters, some of which are two or three in lower case. */
function makeRows(length: number): DistanceRows {
  const size = 3 * length + 1;
  return [new Uint16Array(size), new Uint16Array(size), new Uint16Array(size)];
}
