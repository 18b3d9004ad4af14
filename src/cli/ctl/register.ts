import { env } from 'node:process';
import { type Command, Option } from 'commander';
import type { ApiClient } from '../../client/index.ts';
import { deviceStates } from '../../model/device.ts';
import { usageFailure } from '../cli-errors.ts';
import type { DevicePlace } from '../device/device-words.ts';
import type { ConnectOptions } from './connect.ts';

const deviceWords = 'a name, an address, ADDRESS:PORT, or an address and a port';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands that talk to a running collector. Each one's code is loaded when it runs. */
export function registerCtlCommands(program: Command, exitWith: Exit): void {
  const ctl = program.command('ctl').description('talk to a running collector over its HTTP API');
  const add = (name: string, summary: string) =>
    ctl
      .command(name)
      .description(summary)
      .option('--url <url>', 'where it is (default: WAYWISER_URL, or http://127.0.0.1:8080)')
      .option(
        '--token-file <file>',
        'its first line is the token; - reads standard input (default: WAYWISER_TOKEN)',
      )
      .option('--json', 'for programs');
  const run = (options: ConnectOptions, use: (client: ApiClient) => Promise<number>) =>
    exitWith(import('./connect.ts').then(({ connect }) => use(connect(options, env))));

  const runOn = (
    device: string,
    port: string | undefined,
    options: ConnectOptions,
    use: (client: ApiClient, place: DevicePlace) => Promise<number>,
  ) =>
    run(options, async (client) => {
      const { findDevice } = await import('./find-device.ts');
      return use(client, await findDevice(client, device, port));
    });

  add('apply', 'read all definition files again, and show what that changed')
    .option('--force', 'rediscover the devices that the changes touch, and wait for that')
    .option('--dry-run', 'show what would change and what it would cost, and change nothing')
    .option('--no-wait', 'leave rediscoveries to themselves')
    .action((options) => run(options, async (client) => (await import('./apply.ts')).apply(client, options)));

  add('rediscover', 'discover a device again, and show how that goes')
    .argument('<device>', deviceWords)
    .argument('[port]')
    .option('--no-wait', 'leave it to itself')
    .action((device, port, options) =>
      runOn(device, port, options, async (client, place) =>
        (await import('../device/discover.ts')).discoverDevice(client, place, options),
      ),
    );

  add('scan', 'look for devices in the networks of the definitions, and show how that goes')
    .argument('[network]', 'its id in autodiscover/networks.yml; all by default')
    .option('--no-wait', 'leave it to itself')
    .action((network, options) =>
      run(options, async (client) => (await import('./scan.ts')).scanNetworks(client, network, options)),
    );

  add('devices', 'list devices')
    .addOption(new Option('--state <state>', 'only in this state').choices([...deviceStates]))
    .option('--group <id>', 'only of this device group')
    .option('--tag <tag>', 'only with this tag: site, or site=lab')
    .option('--text <text>', 'only with this in the name or the address')
    .option('--limit <number>', 'at most so many (default: 1000)')
    .action((options) =>
      run(options, async (client) => (await import('./devices.ts')).listDevices(client, options)),
    );

  add('device', 'show one device: state, inventory, polling, settings')
    .argument('<device>', deviceWords)
    .argument('[port]')
    .action((device, port, options) =>
      runOn(device, port, options, async (client, place) =>
        (await import('./show-device.ts')).showDevice(client, place, options),
      ),
    );

  add('poll', 'poll a device now, out of turn, and show what that brought')
    .argument('<device>', deviceWords)
    .argument('[port]')
    .option('--no-wait', 'leave it to itself')
    .action((device, port, options) =>
      runOn(device, port, options, async (client, place) =>
        (await import('../device/poll.ts')).pollDevice(client, place, options),
      ),
    );

  add('explain', 'show how one value came to be at the last poll, or what stood in its way')
    .usage('[options] <device> <object> <attribute>')
    .argument('<device>', deviceWords)
    .argument('<words...>', 'OBJECT or OBJECT.INSTANCE, and ATTRIBUTE')
    .option('--context <name>', 'an SNMPv3 context; by default the first that has the instance')
    .action((device, words: readonly string[], options) => {
      const [attribute = '', subject = '', port] = words.toReversed();
      if (words.length < 2 || words.length > 3) throw usageFailure('EXPLAIN_WORDS_WRONG', {});
      return runOn(device, port, options, async (client, place) => {
        const { explainValue } = await import('../device/explain.ts');
        const { context } = options;
        return explainValue(client, place, { object: subject, attribute, context }, options);
      });
    });

  add('events', 'show what happens, until Ctrl-C')
    .option('--name <name...>', 'only these events, such as device.state')
    .option('--device <name>', 'only about this device')
    .option('--count <number>', 'stop after so many')
    .action((options) =>
      run(options, async (client) => (await import('./events.ts')).showEvents(client, options)),
    );

  add('status', 'show how the collector does at a glance').action((options) =>
    run(options, async (client) => (await import('./status.ts')).showStatus(client, options)),
  );
}
