import { equal } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import registry from '../../../plugins/device-registry/index.ts';
import httpRoutes from '../../../plugins/http-routes/index.ts';
import { httpRoutesToken } from '../../../plugins/http-routes/service.ts';
import client from '../../../plugins/snmp-client/index.ts';
import discovery from '../../../plugins/snmp-discovery/index.ts';
import poller from '../../../plugins/snmp-poller/index.ts';
import snmpTraps from '../../../plugins/snmp-traps/index.ts';
import type { Batch, Plugin } from '../../../src/index.ts';
import { rowsOf } from '../../../src/index.ts';
import { createNotificationSender, type NotificationBody, type Target } from '../../../src/snmp/index.ts';
import { createRecordingOutput, startTestCollector, type TestPlugin } from '../../../src/testing/index.ts';
import { findFreeUdpPorts } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { inlineLoader } from '../support/inline-loader.ts';

export const linkNotifications = `IF-MIB::linkDown:
  oid: .1.3.6.1.6.3.1.1.5.3
  severity: error
  category: link
  message: "{netif.name|netif.index} is down"
  varbinds: [ifIndex]
  identity: [netif.index]
IF-MIB::linkUp:
  oid: .1.3.6.1.6.3.1.1.5.4
  category: link
  message: "{netif.name|netif.index} is up"
  identity: [netif.index]
  clears: [IF-MIB::linkDown]
TEST-MIB::quiet: { oid: .1.3.6.1.4.1.32473.0.1, muted: true }
TEST-MIB::any: { oid: .1.3.6.1.4.1.32473.0.*, severity: info }
`;

export interface TrapStackOptions {
  readonly traps?: object;
  readonly poller?: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly devices?: Parameters<DefinitionFolder['writeDevices']>[0];
  readonly more?: readonly TestPlugin[];
  readonly env?: Readonly<Record<string, string>>;
  readonly output?: Plugin;
  readonly stateDirectory?: string;
}

/** A collector that receives notifications on a port of its own, without a thread unless the options say so. */
export async function startTraps(test: TestContext, options: TrapStackOptions = {}) {
  const folder = new DefinitionFolder(test, { 'notifications/all.yml': linkNotifications, ...options.files });
  folder.writeDevices(options.devices ?? []);
  const [port = 0] = await findFreeUdpPorts(1);
  const output = createRecordingOutput();
  const collector = await startTestCollector({
    env: options.env ?? {},
    ...(options.stateDirectory === undefined ? {} : { stateDirectory: options.stateDirectory }),
    plugins: [
      { plugin: inlineLoader, options: { shipped: false, directories: [folder.path] } },
      { plugin: registry },
      { plugin: client },
      { plugin: discovery },
      { plugin: httpRoutes },
      { plugin: poller, options: options.poller ?? {} },
      ...(options.more ?? [{ plugin: output.plugin }]),
      {
        plugin: snmpTraps,
        options: { listen: [{ address: '127.0.0.1', port }], threads: 0, ...options.traps },
      },
    ],
  });
  test.after(() => collector.stop());
  const discovered = new Promise<void>((done) => collector.events.on('discovery.completed', () => done()));
  const send = (body: TrapInput, more: Partial<Target> = {}) => sendTrap(port, body, more);
  return { collector, discovered, folder, port, output, send };
}

type TrapInput = Partial<NotificationBody> & { readonly oid: string };

/** Sends a trap of SNMPv2c with the community `public`, unless `more` says otherwise. */
export async function sendTrap(port: number, body: TrapInput, more: Partial<Target> = {}): Promise<void> {
  const target = { address: '127.0.0.1', port, version: '2c', community: 'public', ...more } as Target;
  const sender = createNotificationSender(target);
  try {
    await sender.trap({
      uptime: 1,
      varbinds: [],
      agentAddress: undefined,
      enterprise: undefined,
      ...body,
    });
  } finally {
    sender.close();
  }
}

/** The rows of traps as documents. */
export function trapRows(batches: readonly Batch[]) {
  return batches
    .filter(({ plan, record }) => plan === 'waywiser::traps' && record !== 'waywiser::trapCounts')
    .flatMap((batch) =>
      [...rowsOf(batch)].map((row) => ({ record: batch.record, device: batch.device, ...row })),
    );
}

type Counts = Record<string, number> & typeof none;
const none = { received: 0, accepted: 0, discovery: 0, collapsed: 0, dropped: 0, queued: 0 };

/** The counters of /metrics as soon as they are as expected. They are read once a second, and every datagram is in one of them. */
export async function countsOf(
  collector: Awaited<ReturnType<typeof startTraps>>['collector'],
  isExpected: (counts: Counts) => boolean,
): Promise<Counts> {
  let counts: Counts = none;
  await until(async () => {
    counts = { ...none };
    for (const { name, samples } of await collector.getService(httpRoutesToken).listMetrics()) {
      const [, group] = /^waywiser_traps?_(\w+?)(?:_total)?$/.exec(name) ?? [];
      if (group === undefined || name.endsWith('seconds')) continue;
      for (const { labels = {}, value } of samples) {
        const [label] = Object.values(labels);
        if (label !== undefined) counts[`${group} ${label}`] = value;
        counts[group] = (counts[group] ?? 0) + value;
      }
    }
    return isExpected(counts);
  });
  const { received, accepted, discovery, collapsed, dropped, queued } = counts;
  equal(received, accepted + discovery + collapsed + dropped + queued, 'each datagram is counted once');
  return counts;
}
