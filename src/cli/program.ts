import { Command, CommanderError } from 'commander';
import { packageVersion } from '../collector/own-package.ts';
import { WaywiserError } from '../kernel/errors.ts';
import { registerApiCommands } from './api/register.ts';
import { isUsageCode } from './cli-errors.ts';
import { registerCtlCommands } from './ctl/register.ts';
import { registerDeviceCommands } from './device/local/register.ts';
import { registerOutputCommands } from './outputs/register.ts';
import { registerSnmpCommands } from './snmp/register.ts';
import { exitCodes } from './terminal/exit-codes.ts';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Runs one command by the words behind `waywiser`; resolves to the exit code. */
export async function runCommand(words: readonly string[]): Promise<number> {
  let code: number = exitCodes.done;
  const program = createProgram(async (outcome) => {
    code = await outcome;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    return reportFailure(error);
  }
}

/** All commands. Each one's code is loaded when it runs, so that `--help` stays quick; `exitWith` gets its exit code. */
export function createProgram(exitWith: Exit): Command {
  const program = new Command('waywiser')
    .description('An open, plugin-based SNMP collector.')
    .version(packageVersion())
    .exitOverride();

  program
    .command('start')
    .description('run the collector until it is told to stop')
    .option('-c, --config <file>', 'configuration file', 'waywiser.yml')
    .action(async (options) => exitWith((await import('./run/start.ts')).start(options)));

  program
    .command('plugins')
    .description('list the built-in plugins, or one with its options')
    .argument('[name]', 'a built-in name, a package or a path')
    .option('--json', 'for programs')
    .action(async (name, options) =>
      exitWith((await import('./authoring/plugins.ts')).showPlugins(name, options)),
    );

  program
    .command('schema')
    .description('write the JSON Schema of waywiser.yml, or of a kind of definition file, for editors')
    .argument('[kind]', 'devices, objects, objectGroups, …')
    .action(async (kind) =>
      exitWith(
        kind === undefined
          ? (await import('./authoring/schema.ts')).printSchema()
          : (await import('./authoring/schema.ts')).printFileSchema(kind),
      ),
    );

  program
    .command('new')
    .description('write a working package with tests, to build your own from')
    .argument('<what>', 'plugin, output, processor, source or definitions')
    .argument('<directory>', 'a new or empty directory')
    .action(async (what, directory) =>
      exitWith((await import('./authoring/new.ts')).writePackage(what, directory)),
    );

  program
    .command('check')
    .description('check a definition directory and list every problem')
    .argument('[directory]', 'holds devices/, objects/ and so on', './definitions')
    .option('--strict', 'count warnings as errors')
    .option('--style', 'also say where the style guide is not followed')
    .option('--secrets <directory>', 'where references to secret files are looked up')
    .option('--json', 'for programs')
    .action(async (directory, options) =>
      exitWith((await import('./definitions/check.ts')).check(directory, options)),
    );

  program
    .command('diff')
    .description('show what differs between two definition directories')
    .argument('<before>')
    .argument('<after>')
    .option('--json', 'for programs')
    .action(async (before, after, options) =>
      exitWith((await import('./definitions/diff.ts')).diff(before, after, options)),
    );

  program
    .command('show')
    .description('show a definition in its effective form, and where each value came from')
    .argument('<what>', 'object, object-group, group or device')
    .argument('<id>')
    .option('-d, --directory <directory>', 'the definition directory', './definitions')
    .option('--json', 'for programs')
    .action(async (what, id, options) =>
      exitWith((await import('./definitions/show.ts')).show(what, id, options)),
    );

  registerSnmpCommands(program, exitWith);
  registerDeviceCommands(program, exitWith);
  registerApiCommands(program, exitWith);
  registerCtlCommands(program, exitWith);
  registerOutputCommands(program, exitWith);
  nameOwnHelp(program, 'waywiser');
  return program;
}

/** Whoever calls a command wrongly is sent to the help of that very command. */
function nameOwnHelp(command: Command, name: string): void {
  command.showHelpAfterError(`(see ${name} --help)`);
  for (const below of command.commands) nameOwnHelp(below, `${name} ${below.name()}`);
}

async function reportFailure(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const { printFailure } = await import('./terminal/failure.ts');
  printFailure(error);
  return error instanceof WaywiserError && isUsageCode(error.code) ? exitCodes.usage : exitCodes.failed;
}
