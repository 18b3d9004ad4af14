import type { CompiledDefinitions } from '../../src/definitions/index.ts';
import { findSyntax, parentOid } from '../../src/definitions/index.ts';
import type { IndexDraft } from './group-draft.ts';
import type { KnownDefinitions } from './import-result.ts';

/** What importers look up in the definitions that ship. */
export function knownIn({ objects, objectGroups, deviceGroups }: CompiledDefinitions): KnownDefinitions {
  const indexes = new Map();
  const counters = new Map<string, 'Counter32' | 'Counter64'>();
  const gauges = new Set<string>();
  const columns = new Map<string, string>();
  for (const { id, index, attributes } of objects.values()) {
    const mib = id.replace(/::.*/, '');
    for (const { name, column, metric, syntax } of attributes.values()) {
      columns.set(`${mib}::${name}`, column);
      if (metric === 'gauge') gauges.add(column);
      else if (metric === 'counter')
        counters.set(column, syntax === 'Counter32' || !is64Bit(name) ? 'Counter32' : 'Counter64');
      const entry = parentOid(column);
      if (index.length === 0 || indexes.has(entry)) continue;
      indexes.set(
        entry,
        index.map(({ type, column: oid, syntax: own, mibName, field }, position) => ({
          type,
          oid,
          // A label is one text without a unit.
          syntax: findSyntax(own)?.suffix === '' ? own : undefined,
          label: field === undefined ? undefined : (mibName ?? `index${position + 1}`),
        })),
      );
    }
  }
  return {
    indexes,
    counters,
    gauges,
    texts: new Map(),
    columns,
    tables: new Map(),
    objectGroups: new Set(objectGroups.keys()),
    deviceGroups: new Set(deviceGroups.keys()),
  };
}

/** Numbers of a format that says neither type nor metric. Without MIBs the name decides. */
export function guessNumber(
  oid: string,
  name: string,
  { counters, gauges }: KnownDefinitions,
): { readonly syntax: string; readonly metric: 'counter' | 'gauge' } {
  const known = counters.get(oid);
  if (known !== undefined) return { syntax: known, metric: 'counter' };
  const isCounter = !gauges.has(oid) && countedThings.test(name) && !presentThings.test(name);
  if (!isCounter) return { syntax: 'Integer', metric: 'gauge' };
  return { syntax: is64Bit(name) ? 'Counter64' : 'Counter32', metric: 'counter' };
}

/** The index of a table that ships; without one, all arcs are one label. */
export function guessIndex(entry: string, { indexes }: KnownDefinitions): readonly IndexDraft[] {
  return (
    indexes.get(entry) ?? [{ type: 'ImplicitObjectIdentifier', label: 'index', syntax: 'ObjectIdentifier' }]
  );
}

const countedThings =
  /(?:Octets|Bytes|Pkts|Packets|Frames|Errors|Errs|Discards|Drops|Dropped|Requests|Responses|Msgs|Hits|Misses)(?:In|Out|Rx|Tx|\d*)?$/i;
const presentThings =
  /used|free|avail|size|max|min|limit|current|active|percent|rate|per_?sec|util|memory|mem_|disk/i;

function is64Bit(name: string): boolean {
  return /HC|64/.test(name);
}
