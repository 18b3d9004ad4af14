import type { RawDefinitions, RawObject } from '../../../src/definitions/schema/raw-definitions.ts';
import { attribute, ifIndex, rawSet } from './raw-set.ts';

/** As large as the largest real set: 2,800 objects, 28,000 attributes, 770 enums with 140,000 entries. */
export function largeSet(): RawDefinitions {
  const objects: Record<string, RawObject> = {};
  const integerEnums: Record<string, Record<string, string>> = {};
  const objectGroups: Record<string, { objects: string[] }> = {};
  const deviceGroups: Record<string, { object_groups: string[] }> = {};
  for (let i = 0; i < 2800; i++) {
    const entry = `.1.3.6.1.4.1.63000.${i}.1`;
    const attributes = Array.from({ length: 10 }, (_, column) => {
      const syntax = column === 0 && i < 770 ? 'EnumInteger' : 'Counter64';
      const overrides =
        column === 9 && i % 4 === 3 ? { overrides: { object: `M${i - 1}::e`, attribute: 'a9' } } : {};
      const description = 'What a column of this table counts, in two or three lines of text.'.repeat(3);
      return [
        `a${column}`,
        attribute(`${entry}.${column + 2}`, `m${i}.c${column}`, { syntax, description, ...overrides }),
      ];
    });
    const own = i % 4 === 3 ? { augments: `M${i - 1}::e` } : { index: [ifIndex] };
    objects[`M${i}::e`] = { ...own, discovery_attribute: 'a1', attributes: Object.fromEntries(attributes) };
    if (i < 770) {
      const entries = Array.from({ length: 182 }, (_, value) => [value, `state-${value}`]);
      integerEnums[`1.3.6.1.4.1.63000.${i}.1.2`] = Object.fromEntries(entries);
    }
    const group = `g${Math.floor(i / 7)}`;
    objectGroups[group] ??= { objects: [] };
    objectGroups[group].objects.push(`M${i}::e`);
  }
  for (let i = 0; i < 400; i++) {
    deviceGroups[`k${i}`] = { object_groups: [0, 37, 74, 111].map((step) => `g${(i + step) % 400}`) };
  }
  return rawSet({ objects, integerEnums, objectGroups, deviceGroups });
}

/** Chains and circles of 20,000 objects, and a group that names 20,000 objects that do not exist. */
export function tangledSet(): RawDefinitions {
  const objects: Record<string, RawObject> = {};
  for (let i = 0; i < 20_000; i++) {
    const overrides = { object: `M::o${i + 1}`, attribute: 'a' };
    objects[`M::o${i}`] = {
      augments: `M::o${i + 1}`,
      attributes: { a: attribute('.1.3.1', `f${i}`, { overrides }) },
    };
  }
  const name = attribute('.1.3.6.1.2.1.31.1.1.1.1', 'netif.name');
  objects['M::o20000'] = { augments: 'M::o10000', attributes: { name } };
  const groups = Array.from({ length: 20_000 }, (_, i) => `M::object${i}`);
  return rawSet({ objects, objectGroups: { g: { objects: groups } } });
}
