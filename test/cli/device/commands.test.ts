import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { discoverDevice } from '../../../cli/device/discover.ts';
import { explainLocally, poll } from '../../../cli/device/local/local-commands.ts';
import { withLocalDevice } from '../../../cli/device/local/local-device.ts';
import { formatRecord, type Layout } from '../../../cli/device/record-text.ts';
import { plainText } from '../../../cli/terminal/plain-text.ts';
import { StatusLine } from '../../../cli/terminal/status-line.ts';
import { splitObjectInstance } from '../../../src/model/object-instance.ts';
import { Journal } from '../../../src/storage/journal.ts';
import { type ReplayAgent, startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionDirectory } from '../../plugins/definitions-loader/support/definition-directory.ts';
import { startPolling } from '../../plugins/snmp-poller/support/poller-stack.ts';
import { smallDefinitions } from '../../plugins/support/definition-folder.ts';
import { printed } from '../support/printed.ts';

let agent: ReplayAgent;
let folder: string;
let config: string;
let definitions: DefinitionDirectory;

before(async () => {
  agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  const settings = 'version: 2c, communities: [public], timeout: 200, retries: 3';
  definitions = new DefinitionDirectory({
    ...smallDefinitions,
    'devices/all.yml': `sw: { ip: 127.0.0.1, port: ${agent.port}, ${settings}, device_groups: [switch] }
left: { ip: 127.0.0.2, port: 1, ${settings}, device_groups: [switch] }
right: { ip: 127.0.0.2, port: 2, ${settings}, device_groups: [switch] }
`,
  });
  folder = mkdtempSync(join(tmpdir(), 'waywiser-cli-'));
  config = join(folder, 'waywiser.yml');
  writeFileSync(
    config,
    `state_directory: ./state
plugins:
  definitions-loader: { shipped: false, directories: [${JSON.stringify(definitions.path)}] }
  snmp-poller:
  ndjson: { file: ./records.ndjson }
`,
  );
});
after(async () => {
  definitions[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
  await agent.close();
});

/** The output of a command, and its exit code. */
async function run(t: TestContext, command: () => Promise<number>): Promise<{ code: number; text: string }> {
  let code = -1;
  const text = await printed(t, async () => {
    code = await command();
  });
  return { code, text };
}

describe('waywiser poll', () => {
  it('discovers a new device, polls it once, and prints its records as tables', async (t) => {
    const { code, text } = await run(t, () => poll('sw', { config }));
    assert.equal(code, 0);
    assert.match(text, /^IF-MIB::ifEntry {2}\d+ rows, /m);
    assert.match(text, /^row +netif\.index +netif\.description +netif\.name +netif\.bytes\.in B$/m);
    assert.match(text, /^netif\.name=ge-0\/3 +3 +GigabitEthernet 0\/3 +ge-0\/3 +2740326354009$/m);
    assert.match(text, /^system\.uptime +\d+ +ms$/m);
    assert.match(text, /^sw: \d+ values in \d+ packets and \d+ ms$/m);
    assert.deepEqual(readdirSync(folder), ['waywiser.yml'], 'neither outputs nor the state directory exist');
  });

  it('polls one object of the device at an address, and prints JSON', async (t) => {
    const words = { config, json: true, object: ['SNMPv2-MIB::system'] };
    const { text } = await run(t, () => poll(`127.0.0.1:${agent.port}`, words));
    assert.equal((await run(t, () => poll('127.0.0.1', words))).code, 0);
    await assert.rejects(poll('127.0.0.2', words), {
      code: 'DEVICE_NAME_UNKNOWN',
      message: /Devices at this address: left \(port 1\), right \(port 2\)\. Name one, or add its port\.$/,
    });
    const { device, records, poll: report } = JSON.parse(text);
    assert.equal(device.name, 'sw');
    assert.equal(report.values, 1, 'nothing else is asked for');
    assert.deepEqual(
      records.map(({ record }: { record: string }) => record),
      ['SNMPv2-MIB::system'],
    );
    assert.deepEqual(Object.keys(records[0].rows[0].values), ['system.uptime']);
  });

  it('knows devices of the state directory: those of the API, and found ones', async (t) => {
    const other = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    t.after(() => other.close());
    const networks = `lab: { networks: [127.0.0.0/8], port: ${other.port}, credentials: [{ version: 2c, community: public }] }\n`;
    const own = new DefinitionDirectory({
      ...smallDefinitions,
      'autodiscover/networks.yml': networks,
      'autodiscover/sysoids/all.yml': '.1.3.6.1: plain\n',
    });
    t.after(() => own[Symbol.dispose]());
    const place = { ip: '127.0.0.1', port: other.port };
    const found = { ...place, name: 'found-1', network: 'lab', credential: '2c plain' };
    process.env['WAYWISER_TEST_STORED'] = 'public';
    t.after(() => delete process.env['WAYWISER_TEST_STORED']);
    const settings = {
      ...place,
      port: agent.port,
      version: '2c',
      communities: ['${env:WAYWISER_TEST_STORED}'],
    };
    for (const [file, stored] of [
      ['found', found],
      ['devices', { name: 'added-1', settings: { ...settings, device_groups: ['plain'] } }],
    ] as const) {
      const path = join(folder, `stored/device-registry/${file}.journal`);
      const { journal } = Journal.open(path, { groupMs: 0, onError: (error) => assert.fail(String(error)) });
      journal.set(`127.0.0.1 ${file === 'found' ? other.port : agent.port}`, stored);
      journal.close();
    }
    const stored = join(folder, 'stored.yml');
    writeFileSync(
      stored,
      `state_directory: ./stored
plugins: { definitions-loader: { shipped: false, directories: [${JSON.stringify(own.path)}] }, snmp-poller: {} }
`,
    );
    for (const name of ['added-1', 'found-1']) {
      const { code, text } = await run(t, () => poll(name, { config: stored }));
      assert.equal(code, 0, text);
      assert.match(text, new RegExp(`^${name}: \\d+ values`, 'm'));
    }
  });

  it('suggests the device with the nearest name', async () => {
    const unknown = { code: 'DEVICE_NAME_UNKNOWN', message: /"ws".*Did you mean "sw"/ };
    await assert.rejects(poll('ws', { config }), unknown);
  });

  it('gives the reasons when a known device returns no value', async (t) => {
    const state = join(folder, 'known');
    const known = await startPolling(t, definitions, { stateDirectory: state });
    await known.discovered();
    await known.collector.stop();
    const other = join(folder, 'known.yml');
    writeFileSync(
      other,
      `state_directory: ./known
plugins: { definitions-loader: { shipped: false, directories: [${JSON.stringify(definitions.path)}] }, snmp-poller: {} }
`,
    );
    agent.set({ isSilent: true });
    t.after(() => agent.set({ isSilent: false }));
    await assert.rejects(poll('sw', { config: other }), {
      code: 'DEVICE_POLL_EMPTY',
      message: /The poll of "sw" returned no value: \d+ timeout\./,
    });
  });

  it('fails without a poller, and without permission to read the state', async () => {
    const other = join(folder, 'other.yml');
    writeFileSync(other, 'plugins: { definitions-loader: {} }\n');
    await assert.rejects(poll('sw', { config: other }), { code: 'DEVICE_POLLER_MISSING' });
    const journal = join(folder, 'kept', 'snmp-discovery', 'inventories.journal');
    mkdirSync(journal, { recursive: true });
    writeFileSync(other, 'state_directory: ./kept\nplugins: { snmp-poller: {} }\n');
    await assert.rejects(poll('sw', { config: other }), { code: 'DEVICE_STATE_UNREADABLE' });
  });
});

describe('waywiser discover and explain', () => {
  it('show what a device has, and how each value came to be', async (t) => {
    await withLocalDevice({ config, wanted: 'sw' }, async (local) => {
      const discovered = await run(t, () => discoverDevice(local.client, local.place, {}));
      assert.equal(discovered.code, 0);
      const lines = discovered.text;
      assert.match(lines, /^sw answered at 127\.0\.0\.1, sysObjectID [\d.]+\ndevice groups: switch$/m);
      assert.match(lines, /^IF-MIB::ifXEntry +25 +\+25$/m);
      const { inventory } = JSON.parse(
        (await run(t, () => discoverDevice(local.client, local.place, { json: true }))).text,
      );
      const system = inventory.objects.find(({ id }: { id: string }) => id === 'SNMPv2-MIB::system');
      assert.equal(system.instances.length, 1);

      const explain = (subject: string, attribute: string) =>
        run(t, () => explainLocally(local, { subject, attribute }, false));
      const { code, text } = await explain('IF-MIB::ifXEntry.3', 'ifHCInOctets');
      assert.equal(code, 0);
      assert.match(text, /^The last poll returned it\.$/m);
      assert.match(text, /^defined +objects\/interfaces\.yml:9, column 1\.3\.6\.1\.2\.1\.31\.1\.1\.1\.6$/m);
      assert.match(text, /^included by +device group switch → interfaces$/m);
      assert.match(text, /^read +1\.3\.6\.1\.2\.1\.31\.1\.1\.1\.6\.3, every 60 s/m);
      assert.match(text, /^raw +Counter64 2740326354009 at /m);
      assert.match(text, /^written +netif\.bytes\.in of IF-MIB::ifEntry: 2740326354009 B$/m);

      const overridden = await explain('IF-MIB::ifEntry.3', 'ifInOctets');
      assert.equal(overridden.code, 1);
      assert.match(overridden.text, /IF-MIB::ifXEntry ifHCInOctets overrides ifInOctets/);
      const vague = explain('IF-MIB::ifXEntry', 'ifHCInOctets');
      await assert.rejects(vague, {
        code: 'DEVICE_INSTANCE_MISSING',
        message: /such as IF-MIB::ifXEntry\.1\.$/,
      });
      await assert.rejects(explain('IF-MIB::ifXEntri.1', 'ifHCInOctets'), { code: 'DEFINITION_UNKNOWN' });
    });
  });

  it('accept dots in the id of an object', () => {
    const ids = new Set(['A::b.c', 'A::b']);
    const isObject = (id: string) => ids.has(id);
    assert.deepEqual(splitObjectInstance('A::b.c.1.2', isObject), { object: 'A::b.c', instance: '1.2' });
    assert.deepEqual(splitObjectInstance('A::b.1', isObject), { object: 'A::b', instance: '1' });
    assert.deepEqual(splitObjectInstance('A::b.c', isObject), { object: 'A::b.c', instance: undefined });
    assert.deepEqual(splitObjectInstance('A::x.4', isObject), { object: 'A::x', instance: '4' });
  });

  it('show as many columns as fit, or all of them in parts, each with the row keys', () => {
    const rows = [1, 2].map((row) => ({
      key: `row-${row}`,
      labels: { name: 'x'.repeat(15) },
      values: { first: 1e9, third: true, ...(row === 1 ? { second: 5 } : {}) },
      gaps: row === 1 ? {} : { second: 'noSuchInstance' },
    }));
    const at = new Date(0).toISOString();
    const fields = ['first', 'second', 'third'].map((field) => ({ field }));
    const record = { record: 'X-MIB::x', plan: 'p', generation: 1, slotAt: at, at, fields, rows };
    const lines = stripVTControlCharacters(formatRecord(record, { width: 30, all: true }))
      .split('\n')
      .slice(1);
    assert.deepEqual(lines, [
      'row    name',
      'row-1  xxxxxxxxxxxxxxx',
      'row-2  xxxxxxxxxxxxxxx',
      'row    first',
      'row-1  1000000000',
      'row-2  1000000000',
      'row    second            third',
      'row-1  5                 true',
      'row-2  (noSuchInstance)  true',
    ]);
    const tableOf = (layout: Layout) =>
      stripVTControlCharacters(formatRecord(record, layout)).split('\n').slice(1);
    assert.equal(tableOf({ width: 200 })[0]?.split(/ +/).length, 5);
    assert.deepEqual(tableOf({ width: 30 }), [
      ...lines.slice(0, 3),
      '3 columns left out: --all shows all, --columns NAME,NAME some.',
    ]);
    assert.deepEqual(tableOf({ width: 30, columns: ['third', 'first'] }), [
      'row    third  first',
      'row-1  true   1000000000',
      'row-2  true   1000000000',
    ]);
    assert.equal(formatRecord(record, { width: 30, columns: ['none'] }), '');
  });

  it('show states before numbers, and what is 0 in every row last; a pipe gets whole texts', () => {
    const long = 'y'.repeat(60);
    const rows = [1, 2].map((row) => ({
      key: `r${row}`,
      labels: { name: long },
      values: { errors: 0, octets: row, state: 'up' },
      gaps: {},
    }));
    const at = new Date(0).toISOString();
    const fields = ['errors', 'octets', 'state'].map((field) => ({ field }));
    const record = { record: 'X-MIB::x', plan: 'p', generation: 1, slotAt: at, at, fields, rows };
    const [, header, first] = stripVTControlCharacters(
      formatRecord(record, { width: Number.POSITIVE_INFINITY }),
    ).split('\n');
    assert.deepEqual(header?.split(/ +/), ['row', 'name', 'state', 'octets', 'errors']);
    assert.deepEqual(first?.split(/ +/), ['r1', long, 'up', '1', '0']);
  });

  it('show progress on one line, and clear it', () => {
    let written = '';
    const line = new StatusLine((text) => {
      written += text;
    });
    line.clear();
    line.showShare('objects', 1, 2);
    line.showShare('objects', 1, 2);
    line.clear();
    assert.equal(written, `\r\u001b[K${'█'.repeat(10)}${'░'.repeat(10)} objects 1/2\r\u001b[K`);
  });

  it('escape control characters from devices', () => {
    assert.equal(plainText('\u001b[31mred\u0007\u202e'), '\\u001b[31mred\\u0007\\u202e');
  });
});
