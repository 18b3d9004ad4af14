import type { Command } from 'commander';
import { addTo, RequestCommand } from '../snmp/request-command.ts';
import { collect } from '../terminal/repeated-option.ts';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the command that writes a configuration. Its code is loaded when it runs. */
export function registerInitCommand(program: Command, exitWith: Exit): void {
  const initCommand = new RequestCommand('init');
  const letters = initCommand.collectCandidates();
  addTo(program, initCommand)
    .helpGroup('Collector:')
    .description('find devices and write a configuration that is ready to start, or extend one')
    .argument('[target]', 'HOST, HOST:PORT, 192.0.2.0/24 or 192.0.2.10-20; without it, init asks')
    .option('--into <directory>', 'the directory to write to', '.')
    .option('--add', 'add devices, and with --plugin plugins, to the configuration in the directory')
    .option(
      '--plugin <plugin>',
      'with --add: a plugin, as a name or as a line of waywiser.yml; repeat it',
      collect,
    )
    .option('--rate <count>', 'addresses probed per second', '50')
    .action(async (target, options) =>
      exitWith((await import('./init.ts')).init(target, { ...options, letters })),
    );
}
