import type { Command } from 'commander';
import { collect } from '../terminal/repeated-option.ts';
import { registerMibDraft } from './register-draft.ts';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands that read MIB files. The code of each is loaded when it runs. */
export function registerMibCommands(program: Command, exitWith: Exit): void {
  const mib = program
    .command('mib')
    .description('check MIB files, print what they define, and look up names and OIDs');

  mib
    .command('check')
    .description('list all problems of MIB files, each with its file, line and column')
    .argument('<path...>', mibPaths)
    .option('--json', 'print JSON')
    .action(async (paths, options) => exitWith((await import('./check.ts')).checkMibs(paths, options)));

  mib
    .command('dump')
    .description('print all that MIB files define')
    .argument('<path...>', mibPaths)
    .option('--json', 'print one JSON object per line')
    .action(async (paths, options) => exitWith((await import('./dump.ts')).dumpMibs(paths, options)));

  mib
    .command('show')
    .description('show one node of MIB files')
    .argument('<node>', 'a name or an OID, such as ifDescr, IF-MIB::ifDescr.1 or 1.3.6.1.2.1.2.2.1.2.1')
    .option(
      '--mibs <directory>',
      'MIB files or a directory with them; repeat it (default: where net-snmp looks)',
      collect,
    )
    .option('--json', 'print JSON')
    .action(async (node, options) => exitWith((await import('./show.ts')).showMibNode(node, options)));

  registerMibDraft(mib, exitWith);
}

const mibPaths = 'files and directories; directories with everything below them';
