import type { MibNode, MibSet } from '../../../authoring/mib/index.ts';
import { parentOid } from '../../../src/definitions/parent-oid.ts';
import type { Oid } from '../../../src/model/index.ts';
import type { CoverageTally, UncollectedValues } from './measure-coverage.ts';
import { PackedOids } from './packed-oids.ts';

/** Values that nothing collects, by the row or the group of scalars of a MIB. */
export interface NamedValues extends UncollectedValues {
  /** As in `IF-MIB::ifEntry`. */
  readonly name: string;
  /** The columns or scalars that have values, in the order of their OIDs. */
  readonly nodes: readonly MibNode[];
}

export interface NamedUncollected {
  /** By OID. */
  readonly named: readonly NamedValues[];
  /** What no MIB describes. */
  readonly unnamed: PackedOids;
  /** The places of `unnamed` among the unknown OIDs of the tally. */
  readonly places: Uint32Array;
  /** Further columns of the tables of objects that no MIB describes. */
  readonly unnamedFurther: readonly UncollectedValues[];
}

/** Tells what a tally found uncollected apart by MIB files. Reads all of these. */
export function nameUncollected(
  { unknown, furtherColumns }: Pick<CoverageTally, 'unknown' | 'furtherColumns'>,
  mibs: MibSet,
): NamedUncollected {
  const groups = new Map<Oid, Group>();
  const count = (node: MibNode, values: number, object?: string) => {
    const oid = parentOid(node.oid!);
    const group = groups.get(oid) ?? { object, nodes: new Set(), values: 0 };
    groups.set(oid, group);
    group.nodes.add(node);
    group.values += values;
  };
  const { unnamed, places } = countUnknown(unknown, mibs, count);
  const unnamedFurther: UncollectedValues[] = [];
  for (const [object, { oid, columns }] of furtherColumns) {
    let values = 0;
    let rest = 0;
    for (const [column, of] of columns) {
      const node = findObject(mibs, `${oid}.${column}`);
      if (node !== undefined) count(node, of, object);
      else {
        values += of;
        rest++;
      }
    }
    if (rest > 0) unnamedFurther.push({ oid, object, values, columns: rest });
  }
  const named = [...groups].map(([oid, { object, nodes, values }]): NamedValues => {
    const found = mibs.findByOid(oid);
    const [first] = nodes;
    const name =
      found?.suffix === '' ? `${found.node.module}::${found.node.name}` : `${first!.module}::${oid}`;
    return {
      oid,
      name,
      values,
      columns: nodes.size,
      ...(object === undefined ? {} : { object }),
      nodes: [...nodes],
    };
  });
  return { named, unnamed, places, unnamedFurther };
}

interface Group {
  readonly object: string | undefined;
  readonly nodes: Set<MibNode>;
  values: number;
}

function countUnknown(
  unknown: PackedOids,
  mibs: MibSet,
  count: (node: MibNode, values: number) => void,
): Pick<NamedUncollected, 'unnamed' | 'places'> {
  const unnamed = new PackedOids();
  const places = new Uint32Array(unknown.size);
  const arcs = new Float64Array(129);
  /** How many arcs the OIDs since the last unnamed one have in common with it. */
  let shared = 0;
  let node: MibNode | undefined;
  let prefix = '';
  for (let at = 0; at < unknown.size; at++) {
    unknown.readArcs(at, arcs);
    shared = Math.min(shared, unknown.sharedOf(at));
    const length = unknown.lengthOf(at);
    const oid = arcs.subarray(0, length).join('.');
    // They come in their order: nearly always another row of the same column.
    if (node === undefined || !oid.startsWith(prefix)) {
      node = findObject(mibs, oid);
      prefix = `${node?.oid}.`;
    }
    if (node !== undefined) {
      count(node, 1);
      continue;
    }
    places[unnamed.size] = at;
    unnamed.add({ arcs, length }, shared);
    shared = length;
  }
  return { unnamed, places: places.subarray(0, unnamed.size) };
}

/** The column or scalar that an OID belongs to. */
function findObject(mibs: MibSet, oid: Oid): MibNode | undefined {
  const node = mibs.findByOid(oid)?.node;
  return node?.kind === 'column' || node?.kind === 'scalar' ? node : undefined;
}
