import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deviceRegistryToken } from '../../../plugins/device-registry/service.ts';
import { discoveryToken } from '../../../plugins/snmp-discovery/service.ts';
import { pollerToken } from '../../../plugins/snmp-poller/service.ts';
import { defineProcessor, type Plugin, pipelineToken } from '../../../src/index.ts';
import {
  type ReplayAgent,
  startReplayAgent,
  startTestCollector,
  type TestCollector,
  type TestPlugin,
} from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { pollingPlugins } from '../snmp-poller/support/poller-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import {
  builtInOutputs,
  type ReceivedRow,
  type ReceivedTags,
  type TagReceiver,
  tagOutputs,
} from './support/tag-receivers.ts';

/** Adds a tag, and replaces one of the device. */
const addTags = defineProcessor({
  name: 'add-tags',
  summary: 'Adds tags.',
  open: () => (batch) => ({ ...batch, tags: { ...batch.tags, rack: 'A1', owner: 'processor' } }),
});

/** The tag `netif.name` has the name of a label of the rows, and `device` that of a label of every output that has labels. */
const given = { site: 'Berlin, "Mitte"', owner: 'device', 'netif.name': 'tag', device: 'tag' };
const received = { ...given, rack: 'A1', owner: 'processor' };

/** Outputs whose tags and labels are one list: a row's label keeps its name, and the tag gets a number. */
const numbered: Readonly<Record<string, ReceivedTags>> = {
  influx: { 'netif.name_2': 'tag', device_2: 'tag', device: 'sw' },
  prometheus: { netif_name_2: 'tag', device_2: 'tag', device: 'sw' },
  'prometheus-remote-write': { netif_name_2: 'tag', device_2: 'tag', device: 'sw' },
};

describe('the tags of a device, and those of a processor', () => {
  const folder = temporaryFolder();
  const receivers = new Map<string, TagReceiver>();
  let agent: ReplayAgent;
  let collector: TestCollector;
  let arrived: Map<string, readonly ReceivedRow[]>;

  before(async () => {
    agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const definitions = new DefinitionFolder({ after } as never);
    definitions.write('device_groups/ports.yml', 'ports: { object_groups: [interfaces] }\n');
    const groups = `device_groups: [ports], tags: ${JSON.stringify(given)}`;
    definitions.writeDevices([{ name: 'sw', port: agent.port, groups }]);
    const outputs: TestPlugin[] = [];
    for (const [name, { skip, start }] of Object.entries(tagOutputs)) {
      if (skip) continue;
      const receiver = await start(folder);
      receivers.set(name, receiver);
      const { default: plugin }: { default: Plugin } = await import(
        `../../../plugins/outputs/${name}/index.ts`
      );
      outputs.push({ plugin, options: { ...receiver.options, delivery: { group_wait_ms: 0 } } });
    }
    collector = await startTestCollector({
      env: { PASSWORD: 'correct-horse' },
      plugins: [...outputs, { plugin: addTags }, ...pollingPlugins(definitions.path)],
    });
    const device = collector.getService(deviceRegistryToken).findDeviceNamed('sw')!;
    await until(() => collector.getService(discoveryToken).findInventory(device) !== undefined);
    // Prometheus gets a counter from its second poll on.
    for (let poll = 0; poll < 2; poll++) await collector.getService(pollerToken).pollNow(device);
    const pipeline = collector.getService(pipelineToken);
    const { pushed } = pipeline.counters;
    await until(() =>
      Object.values(pipeline.counters.outputs).every(({ delivered }) => delivered === pushed),
    );
    arrived = new Map();
    for (const [name, { read }] of receivers) arrived.set(name, await read());
  });

  after(async () => {
    await collector?.stop();
    for (const { close } of receivers.values()) await close?.();
    await agent?.close();
  });

  it('are checked at the receiver of every built-in output', () => {
    assert.deepEqual(Object.keys(tagOutputs).sort(), builtInOutputs);
  });

  for (const [name, { skip = false }] of Object.entries(tagOutputs)) {
    it(`arrive by ${name}`, { skip }, () => {
      const rows = arrived.get(name)!;
      assert.ok(rows.length > 0, 'nothing has arrived');
      const own = numbered[name];
      const { 'netif.name': _, device: __, ...plain } = received;
      const expected: ReceivedTags = own === undefined ? received : { ...plain, ...own };
      for (const { tags, labels } of rows) {
        const picked = Object.fromEntries(Object.keys(expected).map((key) => [key, tags[key]]));
        assert.deepEqual(picked, expected);
        const { 'netif.name': name = labels?.['netif_name'] } = labels ?? {};
        assert.notEqual(name, 'tag');
      }
    });
  }
});
