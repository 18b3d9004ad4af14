import { equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findAffectedDevices } from '../../../src/definitions/changes/affected-devices.ts';
import { diffDefinitions, isUnchanged } from '../../../src/definitions/changes/definition-diff.ts';
import { CompileCache } from '../../../src/definitions/compiler/compile-cache.ts';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import type { RawDefinitions, RawObject } from '../../../src/definitions/schema/raw-definitions.ts';
import { timed } from '../../support/cpu-time.ts';
import { attribute, ifIndex, rawSet } from '../compiler/raw-set.ts';

/** As large as the largest real set: 2,800 objects, 28,000 attributes, 770 enums with 140,000 entries. */
function largeSet(): RawDefinitions {
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

describe('a set as large as the largest real one', () => {
  const raw = largeSet();
  const cache = new CompileCache();
  // Three times what a slow core needs: a quadratic step would take minutes.
  const [{ definitions, problems }, coldMs] = timed(() => compileDefinitions(raw, cache));

  it('is compiled, checked and hashed within half a second, give or take a slow machine', () => {
    equal(problems.length, 0);
    ok(coldMs < 1500, `${coldMs} ms`);
  });

  it('costs next to nothing to compile again, and every object stays the same value', () => {
    const [again, warmMs] = timed(() => compileDefinitions(raw, cache));
    ok([...definitions.objects].every(([id, object]) => again.definitions.objects.get(id) === object));
    const [changes, diffMs] = timed(() => diffDefinitions(definitions, again.definitions));
    ok(isUnchanged(changes));
    ok(warmMs < 400 && diffMs < 50, `${warmMs} ms, ${diffMs} ms`);
  });

  it('tells within 50 ms which of 10,000 devices one changed object touches', () => {
    const objects = new Map(raw.objects);
    const changed = objects.get('M2::e')!;
    objects.set('M2::e', { ...changed, discovery_attribute: 'a2' });
    const after = compileDefinitions({ ...raw, objects }, cache).definitions;
    const devices = Array.from({ length: 10_000 }, (_, i) => ({ deviceGroups: [`k${i % 400}`] }));
    const [affected, ms] = timed(() => findAffectedDevices(diffDefinitions(definitions, after), devices));
    equal(affected.length, 100);
    ok(ms < 50, `${ms} ms`);
  });
});
