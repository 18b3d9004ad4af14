import type { Command } from 'commander';
import { collect } from '../terminal/repeated-option.ts';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds `waywiser mib draft`. The code is loaded when it runs. */
export function registerMibDraft(mib: Command, exitWith: Exit): void {
  mib
    .command('draft')
    .description('write definitions of the tables, scalars and notifications of a MIB, for you to finish')
    .argument(
      '<module...>',
      'a module, or a row, group or notification of it, such as IF-MIB or IF-MIB::ifXEntry',
    )
    .option(
      '--mibs <directory>',
      'MIB files and directories; repeat it (default: where net-snmp looks)',
      collect,
    )
    .requiredOption('--out <directory>', 'the definition directory to write')
    .option('--force', 'replace files that exist')
    .option('--json', 'print JSON')
    .action(async (modules, options) => exitWith((await import('./draft.ts')).draftMibs(modules, options)));
}
