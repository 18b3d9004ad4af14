import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { MibSet } from '../../authoring/mib/index.ts';
import { compareWithSmidump } from '../../test/authoring/mib/smidump/compare-with-smidump.ts';

/**
 * Compares all modules of the folder `MIB_CORPUS` with smidump, field by field. `SMIDUMP_OUTPUTS` names a folder with outputs of
 * `smidump -k -f python`, because those of thousands of modules take ten minutes.
 */
const corpus = env['MIB_CORPUS'];
if (corpus === undefined) throw new Error('MIB_CORPUS names no folder with MIBs.');
const folder = mkdtempSync(join(tmpdir(), 'waywiser-smidump-'));
try {
  const modules = new MibSet([corpus]).modules();
  for (const { name, file } of modules) symlinkSync(file, join(folder, name));
  const configuration = join(folder, 'smi.conf');
  writeFileSync(configuration, `path ${folder}\n`);
  const comparison = compareWithSmidump(modules, { configuration, outputs: env['SMIDUMP_OUTPUTS'] });
  const { nodes, equal, more, differences } = comparison;
  const unexplained = differences.filter(({ cause }) => cause === undefined);
  const unequal = new Set(unexplained.map(({ module, name }) => `${module}::${name}`)).size;
  report('nodes that smidump prints', nodes);
  report('of them equal', equal / nodes);
  report('of them equal, without mistakes of smidump', 1 - unequal / nodes);
  report('nodes that smidump does not print', more);
  const causes = new Map<string, number>();
  for (const { field, cause } of differences) {
    const key = `${field}: ${cause ?? 'different'}`;
    causes.set(key, (causes.get(key) ?? 0) + 1);
  }
  for (const [cause, count] of causes) report(cause, count);
  for (const difference of unexplained.slice(0, 100)) console.log(JSON.stringify(difference));
} finally {
  rmSync(folder, { recursive: true });
}

function report(figure: string, value: number): void {
  console.log(JSON.stringify({ figure, value }));
}
