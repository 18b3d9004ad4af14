import type { CompiledDefinitions } from '../../src/definitions/index.ts';
import { parentOid } from '../../src/definitions/parent-oid.ts';
import { isUnderOid } from '../../src/model/oid.ts';
import { suggestName } from '../../src/nearest-name.ts';
import { shippedDefinitions } from '../../src/own-package.ts';
import { readChosen } from '../choose-set.ts';
import { cliFailure, usageFailure } from '../cli-errors.ts';

const standardTree = '1.3.6.1.2.1';

/** Turns the names of the definitions that ship into OIDs. */
export async function openShippedNames(): Promise<(word: string) => string> {
  const { compiled } = await readChosen({ directory: shippedDefinitions() });
  return createShippedNames(compiled);
}

/** Takes `ifTable`, `ifEntry`, `ifDescr`, `sysName.0` and `IF-MIB::ifDescr.1`. Other words throw OID_NAME_UNKNOWN or MIB_NAME_AMBIGUOUS. */
export function createShippedNames({
  objects,
}: Pick<CompiledDefinitions, 'objects'>): (word: string) => string {
  const full = new Map<string, string>();
  const short = new Map<string, Set<string>>();
  const add = (mib: string, name: string, oid: string) => {
    const id = `${mib}::${name}`;
    if (full.has(id)) return;
    full.set(id, oid);
    short.set(name, (short.get(name) ?? new Set()).add(id));
  };
  for (const { id, index, attributes } of objects.values()) {
    const [mib = '', name = ''] = id.split('::');
    const own = [...attributes.values()].filter(({ at }) => at === undefined);
    for (const attribute of own) add(mib, attribute.name, attribute.column);
    for (const { column, mibName } of index)
      if (column !== undefined && mibName !== undefined) add(mib, mibName, column);
    const [place, ...others] = new Set(own.map(({ column }) => parentOid(column)));
    // Other objects gather values from several places: their name is not that of a subtree.
    if (place === undefined || others.length > 0) continue;
    add(mib, name, place);
    if (name.endsWith('Entry')) add(mib, name.replace(/Entry$/, 'Table'), parentOid(place));
  }
  return (word) => {
    const [, name = word, instance = ''] = /^(.*?)((?:\.\d+)*)$/s.exec(word) ?? [];
    const ids = full.has(name) ? [name] : [...(short.get(name) ?? [])];
    const oids = new Set(ids.map((id) => full.get(id)!));
    const standard = [...oids].filter((oid) => isUnderOid(oid, standardTree));
    const [oid, ...others] = standard.length > 0 ? standard : oids;
    if (oid === undefined) {
      const known = name.includes('::') ? full : short;
      throw usageFailure('OID_NAME_UNKNOWN', { name, suggestion: suggestName(name, known.keys()) });
    }
    if (others.length > 0) throw cliFailure('MIB_NAME_AMBIGUOUS', { name, choices: ids.join(', ') });
    return oid + instance;
  };
}
