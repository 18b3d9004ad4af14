import { Command, CommanderError } from 'commander';
import { packageVersion } from '../src/own-package.ts';
import { registerApiCommands } from './api/register.ts';
import { registerCtlCommands } from './ctl/register.ts';
import { registerAnswerCommands, registerDefinitionCommands } from './definitions/register.ts';
import { registerDeviceCommands } from './device/local/register.ts';
import { registerImportCommands } from './import/register.ts';
import { registerInitCommand } from './init/register.ts';
import { registerMibCommands } from './mib/register.ts';
import { registerOutputCommands } from './outputs/register.ts';
import { registerSnmpCommands } from './snmp/register.ts';
import { exitCodes } from './terminal/exit-codes.ts';
import { registerTrapCommands } from './trap/register.ts';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Runs the command that the arguments of `waywiser` name; resolves to the exit code. */
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

/** All commands. The code of each is loaded when it runs, so that `--help` stays fast; `exitWith` gets its exit code. */
export function createProgram(exitWith: Exit): Command {
  const program = new Command('waywiser')
    .description('An open, plugin-based SNMP collector.')
    .version(packageVersion())
    // Names only: with their arguments, the commands would leave too little room for the summaries at 80 columns.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride();

  program.commandsGroup('Collector:');
  program
    .command('start')
    .description('run the collector until Ctrl-C or SIGTERM')
    .option('--config <file>', 'configuration file', 'waywiser.yml')
    .option('--workers <count>', 'processes that share the devices, or auto: one for each core')
    .option('--debug-plugins', 'write the stack of each error to the log, for authors of plugins')
    .action(async (options) => (await import('./run/start.ts')).start(options));

  program
    .command('plugins')
    .description('list the built-in plugins, or show one with its options')
    .argument('[name]', 'a built-in plugin, an installed package or a path')
    .option('--json', 'print JSON')
    .action(async (name, options) =>
      exitWith((await import('./authoring/plugins.ts')).showPlugins(name, options)),
    );

  program
    .command('schema')
    .description('print the JSON Schema of waywiser.yml or of a kind of definition file, for editors')
    .argument('[kind]', 'waywiser, devices, objects, objectGroups, … (default: waywiser)')
    .action(async (kind) => exitWith((await import('./authoring/schema.ts')).printSchema(kind)));

  program
    .command('new')
    .description('create a package with tests, as a start for your own')
    .argument('<what>', 'plugin, output, processor, source, typescript (an output) or definitions')
    .argument('<directory>', 'a new or an empty directory; its name becomes the name of the package')
    .action(async (what, directory) =>
      exitWith((await import('./authoring/new.ts')).writePackage(what, directory)),
    );

  program.commandsGroup('Definitions:');
  registerDefinitionCommands(program, exitWith);
  registerImportCommands(program, exitWith);
  registerMibCommands(program, exitWith);
  program.commandsGroup('SNMP requests:');
  registerSnmpCommands(program, exitWith);
  registerInitCommand(program, exitWith);
  registerAnswerCommands(program, exitWith);
  registerTrapCommands(program, exitWith);
  program.commandsGroup('One device of a configuration:');
  registerDeviceCommands(program, exitWith);
  program.commandsGroup('A running collector:');
  registerCtlCommands(program, exitWith);
  registerOutputCommands(program, exitWith);
  registerApiCommands(program, exitWith);
  nameOwnHelp(program, 'waywiser');
  return program;
}

/** A usage error points to the help of the command that was called. */
function nameOwnHelp(command: Command, name: string): void {
  command.showHelpAfterError(`(see ${name} --help)`);
  for (const below of command.commands) nameOwnHelp(below, `${name} ${below.name()}`);
}

async function reportFailure(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const { exitCodeOf, printFailure } = await import('./terminal/failure.ts');
  printFailure(error);
  return exitCodeOf(error);
}
