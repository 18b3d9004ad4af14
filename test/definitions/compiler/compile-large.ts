import { findAffectedDevices } from '../../../src/definitions/changes/affected-devices.ts';
import { diffDefinitions, isUnchanged } from '../../../src/definitions/changes/definition-diff.ts';
import { CompileCache } from '../../../src/definitions/compiler/compile-cache.ts';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import { largeSet, tangledSet } from './large-sets.ts';

/** Work whose steps are counted, in a process of its own. `compileCold` comes first. */
const raw = largeSet();
const tangled = tangledSet();
const cache = new CompileCache();
const nothing = compileDefinitions({ ...raw, objects: new Map() }).definitions;
let before = nothing;
let after = nothing;

export function compileCold() {
  const { definitions, problems } = compileDefinitions(raw, cache);
  before = definitions;
  return { objects: definitions.objects.size, problems: problems.length };
}

export function compileAgain() {
  after = compileDefinitions(raw, cache).definitions;
  return { isSame: [...before.objects].every(([id, object]) => after.objects.get(id) === object) };
}

export function compare() {
  return { isUnchanged: isUnchanged(diffDefinitions(before, after)) };
}

export function compileChange() {
  const objects = new Map(raw.objects);
  objects.set('M2::e', { ...objects.get('M2::e')!, discovery_attribute: 'a2' });
  after = compileDefinitions({ ...raw, objects }, cache).definitions;
}

export function findAffected() {
  const devices = Array.from({ length: 10_000 }, (_, i) => ({ deviceGroups: [`k${i % 400}`] }));
  return { affected: findAffectedDevices(diffDefinitions(before, after), devices).length };
}

export function compileTangled() {
  const { definitions, problems } = compileDefinitions(tangled);
  return {
    objects: definitions.objects.size,
    circles: problems.filter(({ rule }) => rule === 'augments-circle').length,
    warnings: problems.filter(({ level }) => level === 'warning').length,
    isShort: problems.every(({ message }) => message.length < 400),
  };
}
