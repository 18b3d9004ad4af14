import { type Command, Option } from 'commander';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands for one device of a configuration. The code of each is loaded when it runs. */
export function registerDeviceCommands(program: Command, exitWith: Exit): void {
  const add = (name: string, summary: string) =>
    program
      .command(name)
      .description(summary)
      .argument('<device>', 'a name, an address, or ADDRESS:PORT')
      .option('--config <file>', 'configuration file', 'waywiser.yml')
      .option('--json', 'print JSON');

  add('poll', 'poll a device once and print its records, without a running collector')
    .option('-o, --object <id...>', 'poll only the records that these objects write to')
    .addOption(new Option('--all', 'show all columns of wide tables').conflicts('columns'))
    .option('--columns <names>', 'show only these columns, separated by commas')
    .action(async (device, options) => exitWith((await import('./local-commands.ts')).poll(device, options)));

  add('discover', 'discover a device and show what it has, without storing it').action(
    async (device, options) => exitWith((await import('./local-commands.ts')).discover(device, options)),
  );

  add('explain', 'poll a device and show how a value comes to be, or why it is missing')
    .argument('<object>', 'OBJECT, or OBJECT.INSTANCE')
    .argument('<attribute>', 'such as ifHCInOctets')
    .option('--context <name>', 'an SNMPv3 context (default: the first one that has the instance)')
    .action(async (device, object, attribute, options) =>
      exitWith((await import('./local-commands.ts')).explain(device, object, attribute, options)),
    );
}
