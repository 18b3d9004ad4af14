import type { BaseType } from '../../../../authoring/mib/index.ts';
import type { DumpDictionary } from './read-dump.ts';

/** A type as smidump understands it. */
export interface DumpedType {
  readonly base: BaseType;
  readonly enums: Readonly<Record<string, number>>;
}

/** Those of SNMP, which smidump takes for refined integers and strings. */
const applicationTypes: ReadonlyMap<string, BaseType> = new Map([
  ['Integer32', 'Integer32'],
  ['Unsigned32', 'Unsigned32'],
  ['UInteger32', 'Unsigned32'],
  ['Counter', 'Counter32'],
  ['Counter32', 'Counter32'],
  ['Gauge', 'Gauge32'],
  ['Gauge32', 'Gauge32'],
  ['TimeTicks', 'TimeTicks'],
  ['Counter64', 'Counter64'],
  ['IpAddress', 'IpAddress'],
  ['NetworkAddress', 'IpAddress'],
  ['Opaque', 'Opaque'],
]);

const baseTypes: ReadonlyMap<string, BaseType> = new Map([
  ['Enumeration', 'Integer32'],
  ['Integer32', 'Integer32'],
  ['Unsigned32', 'Unsigned32'],
  ['Unsigned64', 'Counter64'],
  ['OctetString', 'OctetString'],
  ['ObjectIdentifier', 'ObjectIdentifier'],
  ['Bits', 'Bits'],
]);

/** The textual conventions of all modules that smidump printed. */
export class DumpedTypes {
  readonly #typedefs = new Map<string, DumpDictionary>();

  add(module: string, typedefs: DumpDictionary): void {
    for (const [name, typedef] of typedefs.pairs) {
      this.#typedefs.set(`${module}::${name}`, typedef as DumpDictionary);
    }
  }

  /** Of the `type` of an object; undefined where smidump found none, or one of a module that it did not print. */
  resolve(type: DumpDictionary): DumpedType | undefined {
    const enums = enumsOf(type);
    let base: BaseType | undefined;
    let named: Readonly<Record<string, number>> | undefined;
    let current: DumpDictionary | undefined = type;
    for (let depth = 0; current !== undefined && depth < 8; depth++) {
      const parent: DumpDictionary = current.dictionary('parent module');
      const module = current.text('module') ?? parent.text('name');
      const name: string | undefined =
        current.text('module') === undefined ? parent.text('type') : current.text('name');
      base = baseTypes.get(current.text('basetype') ?? '') ?? base;
      named ??= Object.keys(enumsOf(current)).length > 0 ? enumsOf(current) : undefined;
      if (name === undefined) break;
      const typedef = this.#typedefs.get(`${module}::${name}`);
      if (typedef === undefined) {
        base = applicationTypes.get(name) ?? baseTypes.get(name) ?? base;
        break;
      }
      if (applicationTypes.has(name)) {
        base = applicationTypes.get(name);
        break;
      }
      current = typedef;
    }
    return base === undefined ? undefined : { base, enums: named ?? enums };
  }
}

function enumsOf(type: DumpDictionary): Record<string, number> {
  const enums: Record<string, number> = {};
  for (const [name, value] of type.pairs) {
    const entry = value as DumpDictionary;
    if (typeof value !== 'object' || !('text' in value) || entry.text('nodetype') !== 'namednumber') continue;
    enums[name] = Number(entry.text('number'));
  }
  return enums;
}
