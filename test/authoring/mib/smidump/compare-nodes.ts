import { isDeepStrictEqual } from 'node:util';
import type { MibNode } from '../../../../authoring/mib/index.ts';
import type { DumpedTypes } from './dumped-types.ts';
import { DumpDictionary, type DumpValue } from './read-dump.ts';

/** A node that smidump sees otherwise. `cause` is set where a general rule says that smidump is wrong. */
export interface Difference {
  readonly module: string;
  readonly name: string;
  readonly field: string;
  readonly ours: unknown;
  readonly theirs: unknown;
  readonly cause: string | undefined;
}

export interface Comparison {
  readonly nodes: number;
  readonly equal: number;
  readonly differences: readonly Difference[];
  /** Nodes that smidump does not print. */
  readonly more: number;
}

/** Every node that smidump prints for a module, against the compiled one of the same name. */
export function compareNodes(
  dump: DumpDictionary,
  compiled: readonly MibNode[],
  types: DumpedTypes,
): Comparison {
  const module = dump.text('moduleName')!;
  const byName = new Map<string, MibNode[]>();
  for (const node of compiled) {
    if (node.kind !== 'type') byName.set(node.name, [...(byName.get(node.name) ?? []), node]);
  }
  const differences: Difference[] = [];
  const seen = new Set<string>();
  let nodes = 0;
  let equal = 0;
  for (const section of ['nodes', 'notifications', 'groups', 'compliances']) {
    for (const [name, value] of dump.dictionary(section).pairs) {
      const theirs = value as DumpDictionary;
      // smidump also prints the names in the middle of an OID, with the module they are defined in.
      if (theirs.text('moduleName') !== module) continue;
      nodes++;
      seen.add(name);
      const candidates = byName.get(name) ?? [];
      // A name that is defined twice comes twice, in another order.
      const attempts = candidates.map((own) => compareNode(module, own, theirs, types));
      const found = attempts.sort((a, b) => a.length - b.length)[0] ?? [missing(module, name)];
      if (found.length === 0) equal++;
      differences.push(...found);
    }
  }
  const more = [...byName.keys()].filter((name) => !seen.has(name)).length;
  return { nodes, equal, differences, more };
}

function missing(module: string, name: string): Difference {
  return { module, name, field: 'missing', ours: undefined, theirs: name, cause: undefined };
}

function compareNode(module: string, own: MibNode, dump: DumpDictionary, types: DumpedTypes): Difference[] {
  const differences: Difference[] = [];
  const compare = (field: string, ours: unknown, theirs: unknown, cause?: string): void => {
    if (isDeepStrictEqual(ours, theirs)) return;
    differences.push({ module, name: own.name, field, ours, theirs, cause });
  };
  const oid = dump.text('oid');
  compare('oid', own.oid, oid, causeOfOid(own.oid, oid));
  compare('kind', kindOf(own), kindOfDump(dump));
  if (own.kind === 'row') {
    const linkage = dump.get('linkage');
    compare('index', own.augments === undefined ? own.index : undefined, namesOf(linkage));
    compare('augments', own.augments, augmentsOf(linkage));
    compare('implied', own.implied ?? false, dump.text('implied') === 'true');
  }
  if (own.kind !== 'scalar' && own.kind !== 'column') return differences;
  compare(
    'access',
    accessOf(own),
    accesses.get(dump.text('access') ?? ''),
    dump.text('access') === undefined ? 'smidump prints no access' : undefined,
  );
  compare('units', own.units, dump.text('units'));
  const syntax = dump.dictionary('syntax').dictionary('type');
  const type = types.resolve(syntax);
  const cause = syntax.pairs.length === 0 ? 'smidump knows no type' : undefined;
  compare('type', own.type, type?.base, cause);
  const isRefined = own.enums !== undefined && own.ranges !== undefined;
  compare(
    'enums',
    own.enums ?? {},
    type?.enums ?? {},
    cause ?? (isRefined ? 'smidump drops the names of a refined enumeration' : undefined),
  );
  return differences;
}

/** Where smidump does not find the parent, its OIDs begin with 0. */
function causeOfOid(ours: string | undefined, theirs: string | undefined): string | undefined {
  return theirs === undefined || (/^0\./.test(theirs) && !/^0\./.test(ours ?? ''))
    ? 'smidump does not find the parent'
    : undefined;
}

function kindOf({ kind }: MibNode): string {
  return kind === 'module-identity' ? 'node' : kind;
}

function kindOfDump(dump: DumpDictionary): string | undefined {
  const kind = dump.text('nodetype');
  return kind === 'capabilities' ? 'node' : kind;
}

/** smidump says read-write for read-create and write-only. */
function accessOf({ access }: MibNode): string | undefined {
  return access === 'read-create' || access === 'write-only' ? 'read-write' : access;
}

const accesses: ReadonlyMap<string, string> = new Map([
  ['readonly', 'read-only'],
  ['readwrite', 'read-write'],
  ['noaccess', 'not-accessible'],
  ['notifyonly', 'accessible-for-notify'],
]);

function namesOf(linkage: DumpValue | undefined): readonly string[] | undefined {
  if (!Array.isArray(linkage)) return undefined;
  const names = linkage.filter((each) => typeof each === 'string');
  return names.length === 0 ? undefined : names;
}

function augmentsOf(linkage: DumpValue | undefined): string | undefined {
  if (!Array.isArray(linkage)) return undefined;
  for (const each of linkage) {
    if (each instanceof DumpDictionary) return (each.pairs[0]![1] as DumpDictionary).text('relatedNode');
  }
  return undefined;
}
