import type { Command } from 'commander';
import { addTo, mibsText, RequestCommand, targetForms } from '../snmp/request-command.ts';
import { collect } from '../terminal/repeated-option.ts';

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

/** Adds the commands that compare what devices answer with what definitions collect. */
export function registerAnswerCommands(program: Command, exitWith: Exit): void {
  addTo(program, new RequestCommand('coverage'))
    .helpGroup('Definitions:')
    .description('compare what devices or recordings have with what the definitions collect')
    .argument('<sources...>', `recording files, folders with them, ${targetForms}`)
    .option('-d, --directory <directory>', 'a definition directory, instead of those of the configuration')
    .option('--shipped', 'beside a directory, also use the definitions that ship')
    .option('--group <name>', 'the device group', 'auto')
    .option('--mibs <directory>', mibsText, collect)
    .option('--top <count>', 'lines per list; 0 shows all', '25')
    .option('--json', 'print JSON with all lines; several sources are always one line of JSON each')
    .action(async (sources, options) =>
      exitWith((await import('./coverage/coverage.ts')).coverage(sources, options)),
    );

  addTo(program, new RequestCommand('draft'))
    .helpGroup('Definitions:')
    .description(
      'write definitions of what a device or recording has and nothing collects, for you to finish',
    )
    .argument('<source>', `a recording file, ${targetForms}`)
    .option('--mibs <directory>', mibsText, collect)
    .requiredOption('--out <directory>', 'the definition directory to write')
    .option('--name <name>', 'the name of the groups and files (default: that of the recording or target)')
    .option('--force', 'replace files that exist')
    .option('-d, --directory <directory>', 'a definition directory, instead of those of the configuration')
    .option('--shipped', 'beside a directory, also use the definitions that ship')
    .option('--json', 'print JSON')
    .action(async (source, options) =>
      exitWith((await import('./draft/draft.ts')).draftAnswers(source, options)),
    );
}

/** The options that choose definitions. */
function addSetOptions<Any extends Command>(command: Any): Any {
  return command
    .option('--config <file>', 'configuration file (default: waywiser.yml, when it exists)')
    .option('--shipped', 'beside a directory, also use the definitions that ship');
}
