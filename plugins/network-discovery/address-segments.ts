import { type AddressRange, formatAddress } from '../../src/model/index.ts';

/** A range of addresses, at one port, that the same networks contain. */
export interface Segment extends AddressRange {
  readonly port: number;
  /** The ids of the networks, in the order of the files. */
  readonly networks: readonly string[];
}

/** An address and port that a scan asks. */
export interface Candidate extends Pick<Segment, 'port' | 'networks'> {
  readonly ip: string;
}

/** Splits overlapping ranges into segments that do not overlap, without the excluded addresses. */
export function cutSegments(ranges: readonly Segment[], excluded: readonly AddressRange[]): Segment[] {
  const groups = new Map<string, Segment[]>();
  for (const range of ranges) {
    const key = `${range.family} ${range.port}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [range]);
    else group.push(range);
  }
  return [...groups.values()].flatMap((group) => cutGroup(group, excluded));
}

/** Generates each address when its turn comes. */
export function* addressesOf(segments: readonly Segment[]): Generator<Candidate, void> {
  for (const { family, first, last, port, networks } of segments) {
    for (let address = first; address <= last; address++) {
      yield { ip: formatAddress(family, address), port, networks };
    }
  }
}

/** Ranges of one family and port. Visits the ends of all ranges in order, and tracks which ranges are open. */
function cutGroup(ranges: readonly Segment[], excluded: readonly AddressRange[]): Segment[] {
  const { family, port } = ranges[0]!;
  const edges = new Map<bigint, Edge>();
  const edgeAt = (address: bigint) => {
    const edge = edges.get(address) ?? { opens: [], closes: [], exclusions: 0 };
    edges.set(address, edge);
    return edge;
  };
  for (const range of ranges) {
    edgeAt(range.first).opens.push(range);
    edgeAt(range.last + 1n).closes.push(range);
  }
  for (const range of excluded) {
    if (range.family !== family) continue;
    edgeAt(range.first).exclusions++;
    edgeAt(range.last + 1n).exclusions--;
  }
  const order = new Map(ranges.map((range, position) => [range, position]));
  const open = new Set<Segment>();
  const segments: Segment[] = [];
  let exclusions = 0;
  let since = 0n;
  for (const [address, edge] of [...edges].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (open.size > 0 && exclusions === 0 && since < address) {
      const inOrder = [...open].sort((a, b) => order.get(a)! - order.get(b)!);
      const networks = [...new Set(inOrder.flatMap((range) => range.networks))];
      segments.push({ family, port, first: since, last: address - 1n, networks });
    }
    for (const range of edge.opens) open.add(range);
    for (const range of edge.closes) open.delete(range);
    exclusions += edge.exclusions;
    since = address;
  }
  return segments;
}

interface Edge {
  readonly opens: Segment[];
  readonly closes: Segment[];
  /** The number of exclusions that begin here minus the number that end here. */
  exclusions: number;
}
