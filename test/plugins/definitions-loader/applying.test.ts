import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import loader from '../../../plugins/definitions-loader/index.ts';
import {
  type AcceptedApply,
  type Definitions,
  definitionsToken,
} from '../../../plugins/definitions-loader/service.ts';
import { startThread } from '../../../plugins/definitions-loader/worker/start-thread.ts';
import type { EventMap } from '../../../src/index.ts';
import { checkPlugin, startTestCollector, type TestCollector } from '../../../src/testing/index.ts';
import { baseSet } from './support/base-set.ts';
import { DefinitionDirectory } from './support/definition-directory.ts';

const ifMib = 'objects/if-mib.yml';
const changedIfMib = (baseSet[ifMib] ?? '').replace('syntax: DisplayString', 'syntax: OctetString');

describe('applying definitions', () => {
  let directory: DefinitionDirectory;
  let collector: TestCollector;
  let definitions: Definitions;
  let changed: EventMap['definitions.changed'][];
  let rejected: EventMap['definitions.rejected'][];

  beforeEach(async () => {
    directory = new DefinitionDirectory(baseSet);
    collector = await start({ directories: [directory.path] });
    definitions = collector.getService(definitionsToken);
    changed = [];
    rejected = [];
    collector.events.on('definitions.changed', (event) => void changed.push(event));
    collector.events.on('definitions.rejected', (event) => void rejected.push(event));
  });
  afterEach(async () => {
    await collector.stop();
    directory[Symbol.dispose]();
  });

  it('changes nothing and emits nothing when the content is the same', async () => {
    const before = definitions.current;
    directory.write({ [ifMib]: `# only a comment\n${baseSet[ifMib]}` });
    const result = await accepted(definitions.apply({ requestedBy: 'test' }));
    deepEqual([result.changed, result.generation, result.affectedDevices], [false, before.number, []]);
    equal(definitions.current.getObject('IF-MIB::ifEntry').origin.line, 2);
    deepEqual([changed, rejected], [[], []]);
  });

  it('uses a new description in a new generation, which affects no device', async () => {
    const { number } = definitions.current;
    const path = 'objects/ifx-mib.yml';
    directory.write({ [path]: (baseSet[path] ?? '').replace('Octets received', 'All octets received') });
    const result = await accepted(definitions.apply({ forceRediscovery: true, requestedBy: 'test' }));
    deepEqual([result.changed, result.generation, result.affectedDevices], [true, number + 1, []]);
    deepEqual(result.changes.objects, { added: [], changed: [], removed: [] });
    const { attributes } = definitions.current.getObject('IF-MIB::ifXEntry').definition;
    equal(attributes.get('ifHCInOctets')?.description, 'All octets received.');
  });

  it('replaces what changed and reports the affected devices', async () => {
    const before = definitions.current;
    directory.write({
      'objects/system.yml': (baseSet['objects/system.yml'] ?? '').replace('TimeTicks', 'Integer'),
    });
    const result = await accepted(definitions.apply({ forceRediscovery: true, requestedBy: 'test' }));
    deepEqual(result.changes.objects, { added: [], changed: ['SNMPv2-MIB::system'], removed: [] });
    deepEqual(result.affectedDevices, [{ name: 'router', ip: '192.0.2.1', port: 1161 }]);
    equal(result.generation, before.number + 1);
    equal(definitions.current.number, result.generation);
    equal(
      definitions.current.getObject('SNMPv2-MIB::system').definition.attributes.get('sysUpTime')?.syntax,
      'Integer',
    );
    equal(before.getObject('SNMPv2-MIB::system').definition.attributes.get('sysUpTime')?.syntax, 'TimeTicks');
    equal(changed.length, 1);
    deepEqual(
      [changed[0]?.forceRediscovery, changed[0]?.requestedBy, changed[0]?.previousGeneration],
      [true, 'test', before.number],
    );
    deepEqual(
      definitions.recent.map(({ number, requestedBy }) => [number, requestedBy]),
      [
        [result.generation, 'test'],
        [before.number, 'start'],
      ],
    );
  });

  it('keeps the running definitions when the files have an error', async () => {
    const before = definitions.current;
    directory.write({ [ifMib]: 'IF-MIB::ifEntry: { atributes: {} }\n' });
    const result = await definitions.apply({ requestedBy: 'test' });
    equal(result.accepted, false);
    equal(definitions.current, before);
    deepEqual([changed.length, rejected.length], [0, 1]);
    ok(rejected[0]?.problems.some(({ rule, line }) => rule === 'unknown-key' && line === 1));
    directory.write({ [ifMib]: changedIfMib });
    equal((await accepted(definitions.apply({ requestedBy: 'test' }))).changed, true);
  });

  it('reports in a dry run what would change, and changes nothing', async () => {
    const before = definitions.current;
    directory.write({ [ifMib]: changedIfMib });
    const result = await accepted(definitions.apply({ dryRun: true, requestedBy: 'test' }));
    equal(result.changed, true);
    deepEqual(
      result.affectedDevices.map(({ name }) => name),
      ['router', 'switch'],
    );
    ok((result.cost?.before.objects ?? 0) > 0);
    equal(definitions.current, before);
    equal((await accepted(definitions.apply({ requestedBy: 'test' }))).changed, true);
  });

  it('answers twenty clients at the same time, each with a generation that contains what it saved', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, async (_, client) => {
        await sleep(client);
        directory.write({ [`objects/client${client}.yml`]: `X-MIB::x${client}: { attributes: {} }\n` });
        const result = await accepted(definitions.apply({ requestedBy: `client ${client}` }));
        ok(definitions.current.number >= result.generation);
        ok(definitions.current.findObject(`X-MIB::x${client}`), `client ${client}`);
        return result;
      }),
    );
    const numbers = changed.map(({ generation }) => generation);
    deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    );
    equal(Math.max(...results.map(({ generation }) => generation)), definitions.current.number);
  });

  it('finds affected devices among those of the configured source', async () => {
    const ref = { name: 'found', ip: '192.0.2.9', port: 161 };
    definitions.useDevices(() => [
      { ref, deviceGroups: ['switches'] },
      { ref: { ...ref, name: 'other' }, deviceGroups: [] },
    ]);
    directory.write({ [ifMib]: changedIfMib });
    deepEqual((await accepted(definitions.apply({ requestedBy: 'test' }))).affectedDevices, [ref]);
  });

  it('fills keys that a device leaves out from the defaults', () => {
    const { settings, settingOrigins, origin } = definitions.current.getDevice('router');
    equal(settings.retries, 0);
    deepEqual(
      [settingOrigins['retries'], settingOrigins['communities'], settingOrigins['max_oids']],
      ['device', 'device', 'device'],
    );
    deepEqual(origin, { file: 'devices/core.yml', line: 1 });
    const other = definitions.current.getDevice('switch');
    deepEqual([other.settings.retries, other.settingOrigins['retries']], [2, 'defaults']);
    deepEqual([other.settings.max_oids, other.settingOrigins['max_oids']], [64, 'built-in']);
  });

  it('finds a device group by the longest sysObjectID', () => {
    equal(definitions.current.findDeviceGroupBySysObjectId('.1.3.6.1.4.1.9.1.77.2'), 'routers');
    equal(definitions.current.findDeviceGroupBySysObjectId('1.3.6.1.4.1.90.1'), undefined);
  });

  it('suggests the nearest definition when one is missing', () => {
    try {
      definitions.current.getObject('IF-MIB::ifEntri');
    } catch (error) {
      match(String(error), /Did you mean "IF-MIB::ifEntry"/);
    }
  });
});

describe('starting with definitions', () => {
  it('uses the last good definitions and reports it when the files are broken', async () => {
    using directory = new DefinitionDirectory(baseSet);
    using state = new DefinitionDirectory();
    const plain = (baseSet['devices/core.yml'] ?? '').replace(
      '${env:WAYWISER_TEST_COMMUNITY}',
      'canary-7f3a',
    );
    directory.write({ 'devices/core.yml': plain });
    await withStore(directory, state, async (definitions) => equal(definitions.degraded, undefined));
    for (const name of readdirSync(state.path, { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('ndjson')) ok(!readFileSync(join(state.path, name), 'utf8').includes('canary-7f3a'));
    }
    directory.write({ [ifMib]: 'oops: [' });
    await withStore(directory, state, async (definitions) => {
      ok((definitions.degraded?.length ?? 0) > 0);
      ok(definitions.current.findObject('IF-MIB::ifEntry'));
      deepEqual(definitions.current.getDevice('router').settings.communities, ['canary-7f3a']);
      directory.write({ [ifMib]: changedIfMib });
      const result = await accepted(definitions.apply({ requestedBy: 'test' }));
      deepEqual(result.changes.objects.changed, ['IF-MIB::ifEntry', 'IF-MIB::ifXEntry']);
      equal(definitions.degraded, undefined);
    });
  });

  it('keeps the generation number across a restart with the same files, and increases it when they differ', async () => {
    using directory = new DefinitionDirectory(baseSet);
    using state = new DefinitionDirectory();
    const numbers: number[] = [];
    const note = async (definitions: Definitions) => void numbers.push(definitions.current.number);
    await withStore(directory, state, note);
    await withStore(directory, state, note);
    directory.write({ [ifMib]: changedIfMib });
    await withStore(directory, state, note);
    deepEqual(numbers, [1, 1, 2]);
  });

  it('fails with all problems when there is no last good set', async () => {
    using directory = new DefinitionDirectory({
      ...baseSet,
      'objects/a.yml': 'A: { attributs: {} }\n',
      'objects/b.yml': 'B: [\n',
    });
    await rejects(start({ directories: [directory.path] }), (error: unknown) => {
      const text = String((error as Error).cause ?? error);
      match(text, /objects\/a\.yml:1:6 {2}unknown-key/);
      match(text, /objects\/b\.yml:2:1 {2}syntax/);
      return true;
    });
  });

  it('prefers the definition of a later directory', async () => {
    using directory = new DefinitionDirectory(baseSet);
    using mine = new DefinitionDirectory({
      'object_groups/mine.yml': 'system: { objects: [IF-MIB::ifEntry] }\n',
    });
    using devices = new DefinitionDirectory({ 'lab.yml': 'lab: { ip: 192.0.2.50 }\n' });
    const collector = await start({
      directories: [directory.path, mine.path],
      paths: { devices: [devices.path] },
    });
    const { current } = collector.getService(definitionsToken);
    deepEqual(current.getObjectGroup('system').definition.objects, ['IF-MIB::ifEntry']);
    match(current.getObjectGroup('system').origin.file, /mine\.yml$/);
    equal(current.getDevice('lab').ref.ip, '192.0.2.50');
    deepEqual(current.facts.warnings, []);
    await collector.stop();
  });

  it('applies changed files automatically when it watches them', async () => {
    using directory = new DefinitionDirectory(baseSet);
    const collector = await start({ directories: [directory.path], watch: true });
    const event = new Promise<EventMap['definitions.changed']>((resolve) => {
      collector.events.on('definitions.changed', resolve);
    });
    directory.write({ [ifMib]: changedIfMib });
    equal((await event).requestedBy, 'watch');
    await collector.stop();
  });

  it('fulfils the contract of a plugin', async () => {
    using directory = new DefinitionDirectory(baseSet);
    await checkPlugin(loader, { options: { shipped: false, directories: [directory.path] } });
  });
});

function start(options: object): Promise<TestCollector> {
  return startTestCollector({ plugins: [{ plugin: loader, options: { shipped: false, ...options } }] });
}

async function accepted(applying: ReturnType<Definitions['apply']>): Promise<AcceptedApply> {
  const result = await applying;
  if (!result.accepted) throw new Error(JSON.stringify(result.problems));
  return result;
}

/** Runs a store with a state directory that stays when the store is closed. */
async function withStore(
  directory: DefinitionDirectory,
  state: DefinitionDirectory,
  use: (definitions: Definitions) => Promise<unknown>,
): Promise<void> {
  const { DefinitionStore } = await import(
    '../../../plugins/definitions-loader/generation/definition-store.ts'
  );
  const collector = await startTestCollector({ plugins: [] });
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const store = new DefinitionStore({
    sources: { directories: [directory.path] },
    collector: { stateDirectory: state.path, secretsDirectory: undefined },
    events: collector.events,
    log: quiet as never,
    now: Date.now,
    startThread,
  });
  try {
    await store.load();
    await use(store);
  } finally {
    await store.close();
    await collector.stop();
  }
}
