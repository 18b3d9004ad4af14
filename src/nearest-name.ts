/** Longer names do not occur in practice, and the cost grows with the square of the length. */
const maxNameLength = 64;

/**
 * The candidate that takes the fewest insertions, deletions, replacements and swaps of neighbouring letters to make from
 * `name`, ignoring case; undefined when these are more than a third of the name. The first of equal candidates wins.
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
 * The most letters that are compared in total, so that a file in which every name is wrong does not take seconds. Enough for
 * fifty wrong names among a thousand names of twenty letters.
 */
const maxCost = 20_000_000;

/** Suggests the name that was probably meant, until the cost limit is reached. */
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
