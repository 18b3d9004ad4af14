import { parentOid } from '../../../src/definitions/parent-oid.ts';
import { compareOids } from '../../../src/model/oid.ts';
import type { MibModule, MibNode, MibSet } from '../../mib/index.ts';

/** A row of a table with its columns, or the scalars below one node. */
export interface MibGroup {
  readonly name: string;
  readonly oid: string;
  /** Undefined for scalars. */
  readonly index: RowIndex | undefined;
  /** In the order of their OIDs. */
  readonly columns: readonly MibNode[];
  readonly isObsolete: boolean;
  readonly isDeprecated: boolean;
}

interface RowIndex {
  /** Undefined where one of them is in no module. */
  readonly columns: readonly MibNode[] | undefined;
  readonly missing: string | undefined;
  readonly implied: boolean;
}

/** In the order of their OIDs, rows that augment behind the others. */
export function findGroups(module: MibModule, mibs: MibSet): MibGroup[] {
  const byOid = new Map(
    module.nodes.flatMap((node) => (node.oid === undefined ? [] : [[node.oid, node] as const])),
  );
  const children = new Map<string, MibNode[]>();
  for (const node of module.nodes) {
    if ((node.kind !== 'column' && node.kind !== 'scalar') || node.oid === undefined) continue;
    const parent = parentOid(node.oid);
    const list = children.get(parent);
    if (list === undefined) children.set(parent, [node]);
    else list.push(node);
  }
  const rows: MibGroup[] = [];
  const augmenting: MibGroup[] = [];
  for (const [oid, all] of [...children].sort(([one], [other]) => compareOids(one, other))) {
    const columns = all.toSorted((one, other) => compareOids(one.oid!, other.oid!));
    const parent = byOid.get(oid);
    const row = parent?.kind === 'row' ? parent : undefined;
    const table = byOid.get(parentOid(oid));
    const states = [row?.status, table?.kind === 'table' ? table.status : undefined];
    const group = {
      name: parent?.name ?? findImported(module, mibs, oid)?.name ?? `${columns[0]!.name}Group`,
      oid,
      index: row === undefined ? undefined : indexOf(row, module, mibs),
      columns,
      isObsolete: states.includes('obsolete'),
      isDeprecated: states.includes('deprecated'),
    };
    (row?.augments === undefined ? rows : augmenting).push(group);
  }
  return [...rows, ...augmenting];
}

function indexOf(row: MibNode, module: MibModule, mibs: MibSet): RowIndex {
  const seen = new Set<string>();
  let current: MibNode | undefined = row;
  let home: MibModule | undefined = module;
  while (current?.augments !== undefined && !seen.has(current.augments)) {
    seen.add(current.augments);
    const found: Found | undefined = find(current.augments, home!, mibs);
    if (found === undefined) return { columns: undefined, missing: current.augments, implied: false };
    ({ node: current, home } = found);
  }
  const columns: MibNode[] = [];
  for (const name of current?.index ?? []) {
    const found = find(name, home!, mibs);
    if (found?.node.oid === undefined) return { columns: undefined, missing: name, implied: false };
    columns.push(found.node);
  }
  if (columns.length === 0) return { columns: undefined, missing: 'a part', implied: false };
  return { columns, missing: undefined, implied: current?.implied === true };
}

interface Found {
  readonly node: MibNode;
  readonly home: MibModule;
}

function find(name: string, module: MibModule, mibs: MibSet): Found | undefined {
  for (const home of [module, mibs.module(module.imports.get(name) ?? '')]) {
    const node = home?.nodes.find((each) => each.name === name && each.kind !== 'type');
    if (node !== undefined) return { node, home: home! };
  }
  const [node] = mibs.findByName(name);
  const home = node === undefined ? undefined : mibs.module(node.module);
  return node === undefined || home === undefined ? undefined : { node, home };
}

function findImported(module: MibModule, mibs: MibSet, oid: string): MibNode | undefined {
  for (const from of new Set(module.imports.values())) {
    const node = mibs.module(from)?.nodes.find((each) => each.oid === oid);
    if (node !== undefined) return node;
  }
  return undefined;
}

/** A column that every agent fills: an enum or a counter of the oldest revision, not free text. */
export function discoveryOf(columns: readonly MibNode[]): string {
  const cost = ({ type, typeName, enums, status, access }: MibNode): number =>
    (status === 'deprecated' ? 8 : 0) +
    (access === 'read-only' ? 0 : 1) +
    (/Index(?:OrZero)?$/.test(typeName ?? '') ? 3 : 0) +
    (enums !== undefined
      ? 0
      : type === 'Counter64'
        ? 4
        : type === 'OctetString' || type === 'ObjectIdentifier'
          ? 5
          : 1);
  return columns.reduce((best, column) => (cost(column) < cost(best) ? column : best)).name;
}
