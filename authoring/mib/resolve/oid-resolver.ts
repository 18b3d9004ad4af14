import type { Definition } from '../syntax/syntax-tree.ts';
import type { Found, NameFinder } from './name-finder.ts';
import { wellKnownOids } from './well-known.ts';

/** RFC 2578, 3.5. */
const maxNumbers = 128;

/** The OIDs of definitions. Each is found once, without recursion: chains of parents and circles may have any length. */
export class OidResolver {
  readonly #names: NameFinder;
  /** Undefined after an error, and while its parents are looked up. */
  readonly #oids = new Map<Definition, string | undefined>();

  constructor(names: NameFinder) {
    this.#names = names;
  }

  /** Undefined after an error. It is reported for the definition that causes it, not for those below that. */
  resolve(asked: Found): string | undefined {
    const chain: Found[] = [];
    let oid: string | undefined;
    for (let current: Found | undefined = asked; current !== undefined; ) {
      const { definition }: Found = current;
      if (this.#oids.has(definition)) {
        oid = this.#oids.get(definition);
        if (chain.some((each) => each.definition === definition)) reportCircle(current);
        break;
      }
      this.#oids.set(definition, undefined);
      chain.push(current);
      const parent: Found | string | undefined = this.#findParent(current);
      oid = typeof parent === 'string' ? parent : undefined;
      current = typeof parent === 'string' ? undefined : parent;
    }
    for (let at = chain.length - 1; at >= 0 && oid !== undefined; at--) {
      oid = finish(chain[at]!, oid);
      this.#oids.set(chain[at]!.definition, oid);
    }
    return oid;
  }

  /** The parent, or its OID where no definition says it; undefined after an error. */
  #findParent({ module, definition }: Found): Found | string | undefined {
    const { parent, parentNumber } = definition.value!;
    if (parent === undefined) return '';
    const found = this.#names.find(module, parent, 'values', definition);
    if (found !== undefined) return found;
    const known = wellKnownOids.get(parent);
    if (known !== undefined) return known;
    const other = this.#names.findAnywhere(module, parent, 'values', definition.start);
    if (other !== undefined) return other;
    if (parentNumber !== undefined) return String(parentNumber);
    const message = `The OID of ${definition.name} is unknown: nothing defines ${parent}.`;
    module.syntax.source.report('error', 'unknown-name', message, definition.start);
    return undefined;
  }
}

function finish({ module, definition }: Found, parent: string): string | undefined {
  const { numbers } = definition.value!;
  const own = numbers.join('.');
  const oid = parent === '' || own === '' ? `${parent}${own}` : `${parent}.${own}`;
  if (oid.length > maxNumbers && oid.split('.').length > maxNumbers) {
    const message = `The OID of ${definition.name} has more than ${maxNumbers} numbers.`;
    module.syntax.source.report('error', 'oid-too-long', message, definition.start);
    return undefined;
  }
  return definition.form === 'trap' ? replaceGenericTrap(oid) : oid;
}

function reportCircle({ module, definition }: Found): void {
  const message = `The OID of ${definition.name} is unknown: its parents lead back to it.`;
  module.syntax.source.report('error', 'oid-circle', message, definition.start);
}

/** The six traps of SNMPv1 have names of their own in SMIv2 (RFC 2576, 3.1): coldStart of `snmp` is snmpTraps.1. */
function replaceGenericTrap(oid: string): string {
  const generic = /^1\.3\.6\.1\.2\.1\.11\.0\.([0-5])$/.exec(oid);
  return generic === null ? oid : `1.3.6.1.6.3.1.1.5.${Number(generic[1]) + 1}`;
}
