import { env } from 'node:process';
import { Argument, type Command, Option } from 'commander';
import type { ApiClient } from '../../src/client/index.ts';
import { deviceStates } from '../../src/model/device.ts';
import { deviceSorts } from '../../src/model/device-sorts.ts';
import { usageFailure } from '../cli-errors.ts';
import type { DevicePlace } from '../device/device-text.ts';
import type { ConnectOptions } from './connect.ts';

const deviceWords = 'a name, an address, ADDRESS:PORT, or an address followed by a port';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands for a running collector. The code of each is loaded when it runs. */
export function registerCtlCommands(program: Command, exitWith: Exit): void {
  const ctl = program.command('ctl').description('control a running collector over its HTTP API');
  const commands = new ClientCommands(ctl, exitWith);
  addChanges(commands);
  addLists(commands);
  addDeviceCommands(commands);
  addWatches(commands);
}

/** Commands that talk to a collector: all have the options that lead to it. */
class ClientCommands {
  readonly #above: Command;
  readonly #exitWith: Exit;

  constructor(above: Command, exitWith: Exit) {
    this.#above = above;
    this.#exitWith = exitWith;
  }

  add(name: string, summary: string): Command {
    return this.#above
      .command(name)
      .description(summary)
      .option('--url <url>', 'the URL of its HTTP API (default: WAYWISER_URL, or that of waywiser.yml)')
      .option(
        '--token-file <file>',
        'a file with the token in its first line; - reads standard input (default: WAYWISER_TOKEN)',
      )
      .option('--json', 'print JSON');
  }

  /** `use` gets the options of the command itself. */
  run<Own extends object>(
    options: ConnectOptions & Own,
    use: (client: ApiClient, own: Omit<Own, 'url' | 'tokenFile'>) => Promise<number>,
  ): Promise<void> {
    const { url, tokenFile, ...own } = options;
    const connected = import('./connect.ts').then(({ connectTold }) => connectTold(options, env));
    return this.#exitWith(connected.then((client) => use(client, own)));
  }

  runOn(
    device: string,
    port: string | undefined,
    options: ConnectOptions,
    use: (client: ApiClient, place: DevicePlace) => Promise<number>,
  ): Promise<void> {
    return this.run(options, async (client) => {
      const { findDevice } = await import('./find-device.ts');
      return use(client, await findDevice(client, device, port));
    });
  }
}

function addChanges(commands: ClientCommands): void {
  commands
    .add('apply', 'read the definition files again and show what changed')
    .option('--force', 'rediscover the affected devices and wait until they are done')
    .option('--dry-run', 'show what would change and what it would cost, without changing anything')
    .option('--no-wait', 'do not wait for the rediscoveries')
    .action((options) =>
      commands.run(options, async (client) => (await import('./apply.ts')).apply(client, options)),
    );

  commands
    .add('rediscover', 'discover a device again and show what it has')
    .argument('<device>', deviceWords)
    .argument('[port]', 'after an address')
    .option('--no-wait', 'do not wait for the end')
    .action((device, port, options) =>
      commands.runOn(device, port, options, async (client, place) =>
        (await import('../device/discover.ts')).discoverDevice(client, place, options),
      ),
    );

  commands
    .add('scan', 'scan the networks of the definitions for devices')
    .argument('[network]', 'the id in autodiscover/networks.yml (default: all)')
    .option('--no-wait', 'do not wait for the end')
    .action((network, options) =>
      commands.run(options, async (client) =>
        (await import('./scan.ts')).scanNetworks(client, network, options),
      ),
    );
}

function addLists(commands: ClientCommands): void {
  commands
    .add('devices', 'list devices')
    .addOption(new Option('--state <state>', 'only devices in this state').choices([...deviceStates]))
    .option('--group <id>', 'only devices of this device group')
    .option('--vendor <name>', 'only devices of this maker, such as Cisco')
    .option('--tag <tag>', 'only devices with this tag, such as site or site=lab')
    .option('--text <text>', 'only devices with this text in the name or the address')
    .addOption(
      new Option('--sort <order>', 'the order; -name is the reverse of name').choices([...deviceSorts]),
    )
    .option('--limit <number>', 'the most devices to list (default: 1000)')
    .action((options) =>
      commands.run(options, async (client, own) => (await import('./devices.ts')).listDevices(client, own)),
    );

  commands
    .add('members', 'list the collectors that share the devices, and what each of them owns')
    .action((options) =>
      commands.run(options, async (client) => (await import('./members.ts')).listMembers(client, options)),
    );

  commands
    .add(
      'uncollected',
      'list standard MIBs and vendors that devices answer and nothing collects, most frequent first',
    )
    .action((options) =>
      commands.run(options, async (client) =>
        (await import('./uncollected.ts')).listUncollected(client, options),
      ),
    );

  commands
    .add('definitions', 'list the objects, object groups or device groups that the collector uses')
    .addArgument(
      new Argument('[kind]', 'what to list')
        .choices(['objects', 'object-groups', 'device-groups'])
        .default('objects'),
    )
    .option('--text <text>', 'only those with this text in the id')
    .option('--limit <number>', 'the most to list (default: 1000)')
    .action((kind, options) =>
      commands.run(options, async (client, own) =>
        (await import('./list-definitions.ts')).listDefinitions(client, kind, own),
      ),
    );
}

function addDeviceCommands(commands: ClientCommands): void {
  commands
    .add('device', 'show the state, inventory, polling and settings of a device')
    .argument('<device>', deviceWords)
    .argument('[port]', 'after an address')
    .action((device, port, options) =>
      commands.runOn(device, port, options, async (client, place) =>
        (await import('./show-device.ts')).showDevice(client, place, options),
      ),
    );

  commands
    .add('poll', 'poll a device now and print its records')
    .argument('<device>', deviceWords)
    .argument('[port]', 'after an address')
    .option('--no-wait', 'do not wait for the end')
    .addOption(new Option('--all', 'show all columns of wide tables').conflicts('columns'))
    .option('--columns <names>', 'show only these columns, separated by commas')
    .action((device, port, options) =>
      commands.runOn(device, port, options, async (client, place) =>
        (await import('../device/poll.ts')).pollDevice(client, place, options),
      ),
    );

  commands
    .add('explain', 'show how a value came to be at the last poll, or why it is missing')
    .usage('[options] <device> <object> <attribute>')
    .argument('<device>', deviceWords)
    .argument('<words...>', 'OBJECT or OBJECT.INSTANCE, and ATTRIBUTE')
    .option('--context <name>', 'an SNMPv3 context (default: the first one that has the instance)')
    .action((device, words: readonly string[], options) => {
      const [attribute = '', subject = '', port] = words.toReversed();
      if (words.length < 2 || words.length > 3) throw usageFailure('EXPLAIN_WORDS_WRONG', {});
      return commands.runOn(device, port, options, async (client, place) => {
        const { explainValue } = await import('../device/explain.ts');
        const { context } = options;
        return explainValue(client, place, { object: subject, attribute, context }, options);
      });
    });
}

function addWatches(commands: ClientCommands): void {
  commands
    .add('events', 'follow the events of the collector until Ctrl-C')
    .option('--name <name...>', 'only these events, such as device.state')
    .option('--device <device>', 'only events of this device')
    .option('--count <number>', 'stop after this many events')
    .action((options) =>
      commands.run(options, async (client) => (await import('./events.ts')).showEvents(client, options)),
    );

  commands
    .add('status', 'show readiness, definitions, polling, outputs and the slowest devices')
    .action((options) =>
      commands.run(options, async (client) => (await import('./status.ts')).showStatus(client, options)),
    );
}
