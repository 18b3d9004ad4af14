import { isUtf8 } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MibModule } from '../../../../authoring/mib/index.ts';
import { type Comparison, compareNodes, type Difference } from './compare-nodes.ts';
import { DumpedTypes } from './dumped-types.ts';
import { type DumpDictionary, readDump } from './read-dump.ts';

/** Where smidump looks for imports, and where its outputs are already, as `MODULE.py`: it takes minutes for thousands of modules. */
export interface SmidumpOptions {
  /** A configuration file of smidump. */
  readonly configuration: string;
  readonly outputs?: string | undefined;
}

/** Compares the nodes of every module with those that smidump prints for its file. Modules for which it prints none are left out. */
export function compareWithSmidump(modules: readonly MibModule[], options: SmidumpOptions): Comparison {
  const types = new DumpedTypes();
  const dumps = modules.flatMap((module) => {
    const dump = readDump(runSmidump(module, options));
    if (dump === undefined || dump.text('moduleName') !== module.name) return [];
    types.add(module.name, dump.dictionary('typedefs'));
    return [[module, dump] as const];
  });
  return dumps.map(([module, dump]) => compare(module, dump, types)).reduce(add, nothing);
}

function compare(module: MibModule, dump: DumpDictionary, types: DumpedTypes): Comparison {
  return compareNodes(dump, module.nodes, types);
}

const nothing: Comparison = { nodes: 0, equal: 0, differences: [], more: 0 };

function add(a: Comparison, b: Comparison): Comparison {
  const differences: Difference[] = a.differences.concat(b.differences);
  return { nodes: a.nodes + b.nodes, equal: a.equal + b.equal, differences, more: a.more + b.more };
}

function runSmidump(module: MibModule, { configuration, outputs }: SmidumpOptions): string {
  const output = outputs === undefined ? undefined : join(outputs, `${module.name}.py`);
  if (output !== undefined && existsSync(output)) return decode(readFileSync(output));
  const parameters = ['-c', configuration, '-k', '-f', 'python', module.file];
  const { stdout } = spawnSync('smidump', parameters, {
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 60_000,
  });
  return decode(stdout);
}

function decode(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}
