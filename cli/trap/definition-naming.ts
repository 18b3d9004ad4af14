import type { MibNode } from '../../authoring/mib/index.ts';
import type { CompiledAttribute, CompiledDefinitions } from '../../src/definitions/index.ts';
import { findSyntax } from '../../src/definitions/index.ts';
import { normalizeOid } from '../../src/model/oid.ts';
import { suggestName } from '../../src/nearest-name.ts';
import { shippedDefinitions } from '../../src/own-package.ts';
import { readChosen } from '../choose-set.ts';
import { usageFailure } from '../cli-errors.ts';
import type { VarbindNaming } from '../snmp/output/varbind-naming.ts';

type Names = Pick<VarbindNaming, 'resolve' | 'find'>;

/** Names of notifications and of their varbinds, from the definitions that ship. */
export async function openDefinitionNaming(): Promise<Names> {
  const { compiled } = await readChosen({ directory: shippedDefinitions() });
  return createDefinitionNaming(compiled);
}

export function createDefinitionNaming({
  notifications,
  objects,
  enums,
}: Pick<CompiledDefinitions, 'notifications' | 'objects' | 'enums'>): Names {
  const oids = new Map<string, string>();
  const attributes = new Map<string, CompiledAttribute>();
  const add = (name: string, oid: string) => {
    if (!oids.has(name)) oids.set(name, oid);
  };
  for (const { id, oid, isPrefix } of notifications.values()) {
    if (isPrefix) continue;
    add(id, oid);
    add(id.slice(id.indexOf('::') + 2), oid);
  }
  for (const notification of notifications.values()) {
    for (const { name, column } of notification.varbinds) if (column !== undefined) add(name, column);
    for (const attribute of notification.attributes.values()) attributes.set(attribute.column, attribute);
  }
  for (const object of objects.values()) {
    for (const [name, attribute] of object.attributes) {
      add(name, attribute.column);
      attributes.set(attribute.column, attribute);
    }
  }
  return {
    resolve(word) {
      if (normalizeOid(word) !== undefined) return word;
      const [, name = word, instance = ''] = /^(.*?)((?:\.\d+)*)$/s.exec(word) ?? [];
      const oid = oids.get(name) ?? oids.get(name.slice(name.indexOf('::') + 2));
      if (oid === undefined)
        throw usageFailure('TRAP_NAME_INVALID', { name, suggestion: suggestName(name, oids.keys()) });
      return oid + instance;
    },
    find(oid) {
      for (let end = oid.length; end > 0; end = oid.lastIndexOf('.', end - 1)) {
        const attribute = attributes.get(oid.slice(0, end));
        if (attribute === undefined) continue;
        const known = attribute.enum === undefined ? undefined : enums.get(attribute.enum);
        const names = Object.fromEntries(Array.from(known?.names ?? [], ([number, name]) => [name, number]));
        return { type: typeOf(attribute), enums: names };
      }
      // The parts of an index that are no attribute, such as ifIndex, are numbers.
      return { type: 'Integer32', enums: undefined };
    },
  };
}

/** What such a value is sent as. A definition does not say which of the numbers a MIB has: a letter does. */
function typeOf({ syntax, metric }: CompiledAttribute): NonNullable<MibNode['type']> {
  const { reading, name = '' } = findSyntax(syntax) ?? {};
  if (reading === 'oid') return 'ObjectIdentifier';
  if (reading === 'address') return 'IpAddress';
  if (/^(octets|opaque|.*InText|numberAfterColon)$/.test(reading ?? 'number')) return 'OctetString';
  if (name.startsWith('Ticks')) return 'TimeTicks';
  return metric === 'counter' ? 'Counter32' : 'Integer32';
}
