import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { MibSet } from '../../authoring/mib/index.ts';
import {
  compareWithSnmptranslate,
  type TranslateDifference,
} from '../../test/authoring/mib/snmptranslate/compare-with-snmptranslate.ts';

/** Compares a sample of the modules of the folder `MIB_CORPUS` with snmptranslate: each with what it imports, one of `MIB_STEP`. */
const corpus = env['MIB_CORPUS'];
if (corpus === undefined) throw new Error('MIB_CORPUS names no folder with MIBs.');
const step = Number(env['MIB_STEP'] ?? 15);
const set = new MibSet([corpus]);
const sample = set.modules().filter((_, at) => at % step === 0);
const differences: TranslateDifference[] = [];
let nodes = 0;
let unknown = 0;
for (const module of sample) {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-snmptranslate-'));
  try {
    for (const name of importsOf(module.name))
      symlinkSync(set.module(name)!.file, join(folder, `${name}.txt`));
    const compared = compareWithSnmptranslate(folder, module.nodes);
    nodes += compared.nodes;
    unknown += compared.unknown.length;
    differences.push(...compared.differences);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const unequal = new Set(differences.filter(({ cause }) => cause === undefined).map(({ node }) => node)).size;
report('modules', sample.length);
report('scalars, columns and rows that snmptranslate shows', nodes);
report('that it does not find', unknown);
report('of them equal, without mistakes of snmptranslate', 1 - unequal / nodes);
const causes = new Map<string, number>();
for (const { field, cause } of differences) {
  const key = `${field}: ${cause ?? 'different'}`;
  causes.set(key, (causes.get(key) ?? 0) + 1);
}
for (const [cause, count] of causes) report(cause, count);
for (const difference of differences.filter(({ cause }) => cause === undefined).slice(0, 100)) {
  console.log(JSON.stringify(difference));
}

/** A module and all that it needs. */
function importsOf(name: string, found = new Set<string>()): Set<string> {
  const module = found.has(name) ? undefined : set.module(name);
  if (module === undefined) return found;
  found.add(name);
  for (const from of new Set(module.imports.values())) importsOf(from, found);
  return found;
}

function report(figure: string, value: number): void {
  console.log(JSON.stringify({ figure, value }));
}
