import type { Command } from 'commander';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands that look at one device of a configuration. Each one's code is loaded when it runs. */
export function registerDeviceCommands(program: Command, exitWith: Exit): void {
  const add = (name: string, summary: string) =>
    program
      .command(name)
      .description(summary)
      .argument('<device>', 'a name, an address, or ADDRESS:PORT')
      .option('-c, --config <file>', 'configuration file', 'waywiser.yml')
      .option('--json', 'for programs');

  add('poll', 'poll one device once, and print its records; no output gets them')
    .option('-o, --object <id...>', 'only these objects, and those whose values land in the same records')
    .action(async (device, options) => exitWith((await import('./local-commands.ts')).poll(device, options)));

  add('discover', 'find out what one device has; nothing is kept').action(async (device, options) =>
    exitWith((await import('./local-commands.ts')).discover(device, options)),
  );

  add('explain', 'how one value comes to be: from the line of its definition to the field it writes')
    .argument('<object>', 'OBJECT, or OBJECT.INSTANCE')
    .argument('<attribute>')
    .option('--context <name>', 'an SNMPv3 context; by default the first that has the instance')
    .action(async (device, object, attribute, options) =>
      exitWith((await import('./local-commands.ts')).explain(device, object, attribute, options)),
    );
}
