import { cpuUsage } from 'node:process';
import { largeSet, tangledSet } from '../../test/definitions/compiler/large-sets.ts';
import { buildCode, importBuilt } from '../support/built-code.ts';

/** What compiling and comparing cost without files, by the built code; the tests count steps instead. */
buildCode();
const { compileDefinitions } = await importBuilt<
  typeof import('../../src/definitions/compiler/compile-definitions.ts')
>('src/definitions/compiler/compile-definitions.ts');
const { CompileCache } = await importBuilt<typeof import('../../src/definitions/compiler/compile-cache.ts')>(
  'src/definitions/compiler/compile-cache.ts',
);
const { diffDefinitions } = await importBuilt<
  typeof import('../../src/definitions/changes/definition-diff.ts')
>('src/definitions/changes/definition-diff.ts');
const { findAffectedDevices } = await importBuilt<
  typeof import('../../src/definitions/changes/affected-devices.ts')
>('src/definitions/changes/affected-devices.ts');

const raw = largeSet();
const cache = new CompileCache();
const before = measure('to compile 2,800 objects for the first time, CPU', '≤ 1500', () =>
  compileDefinitions(raw, cache),
).definitions;
const again = measure('to compile them again, CPU', '≤ 400', () =>
  compileDefinitions(raw, cache),
).definitions;
measure('to compare the two, CPU', '≤ 50', () => diffDefinitions(before, again));

const objects = new Map(raw.objects);
objects.set('M2::e', { ...objects.get('M2::e')!, discovery_attribute: 'a2' });
const changed = compileDefinitions({ ...raw, objects }, cache).definitions;
const devices = Array.from({ length: 10_000 }, (_, i) => ({ deviceGroups: [`k${i % 400}`] }));
measure('to find which of 10,000 devices one changed object affects, CPU', '≤ 50', () =>
  findAffectedDevices(diffDefinitions(before, changed), devices),
);
const tangled = tangledSet();
measure('to compile circles and chains of 20,000 objects, CPU', '≤ 3000', () => compileDefinitions(tangled));

function measure<Result>(figure: string, target: string, run: () => Result): Result {
  const begun = cpuUsage();
  const result = run();
  const { user, system } = cpuUsage(begun);
  const value = Number(((user + system) / 1_000).toPrecision(3));
  console.log(JSON.stringify({ figure, value, unit: 'ms', target }));
  return result;
}
