import type { Command } from 'commander';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands that read definition files. The code of each is loaded when it runs. */
export function registerDefinitionCommands(program: Command, exitWith: Exit): void {
  addSetOptions(
    program
      .command('check')
      .description('check a configuration and its definitions, and list all problems')
      .argument('[directory]', 'check only this definition directory, not a configuration'),
  )
    .option('--strict', 'treat warnings as errors')
    .option('--style', 'also check the style guide')
    .option('--secrets <directory>', 'the directory of the secret files that definitions name')
    .option('--json', 'print JSON')
    .action(async (directory, options) => exitWith((await import('./check.ts')).check(directory, options)));

  addSetOptions(
    program
      .command('diff')
      .description('compare two sets of definitions')
      .argument('<before>', 'a definition directory or a configuration file')
      .argument('[after]', 'the same (default: the configuration)'),
  )
    .option('--json', 'print JSON')
    .action(async (before, after, options) =>
      exitWith((await import('./diff.ts')).diff(before, after, options)),
    );

  addSetOptions(
    program
      .command('show')
      .description('show a definition with all its values, and the file and line of each')
      .argument('<what>', 'object, object-group, group or device')
      .argument('<id>', 'such as IF-MIB::ifEntry')
      .option('-d, --directory <directory>', 'a definition directory, instead of those of the configuration'),
  )
    .option('--json', 'print JSON')
    .action(async (what, id, options) => exitWith((await import('./show.ts')).show(what, id, options)));
}

/** The options that choose definitions. */
function addSetOptions<Any extends Command>(command: Any): Any {
  return command
    .option('--config <file>', 'configuration file (default: waywiser.yml, when it exists)')
    .option('--shipped', 'beside a directory, also use the definitions that ship');
}
