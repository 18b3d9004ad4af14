import assert from 'node:assert/strict';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { definitionsToken, type Generation } from '../../../plugins/definitions-loader/service.ts';
import plugin from '../../../plugins/device-registry/index.ts';
import { ManagedDevices } from '../../../plugins/device-registry/managed-devices.ts';
import { deviceRegistryToken } from '../../../plugins/device-registry/service.ts';
import type { EventMap } from '../../../src/index.ts';
import { Journal } from '../../../src/storage/index.ts';
import { checkPlugin, startTestCollector } from '../../../src/testing/index.ts';
import { until } from '../../support/until.ts';

type Settings = Readonly<Record<string, unknown>>;

describe('device-registry', () => {
  it('fulfils the contract of a plugin', async () => {
    await checkPlugin(plugin, { needs: { definitions: definitionsOf([]) } });
  });

  it('follows the definition files, and emits additions, changes and removals', async () => {
    const definitions = definitionsOf([device('a', '192.0.2.1'), device('b', '192.0.2.2')]);
    const { collector, registry, heard } = await start(definitions);
    assert.equal(registry.size, 2);

    definitions.list = [device('a', '192.0.2.1', { retries: 7 }), device('c', '192.0.2.3')];
    collector.events.emit('definitions.changed', emptyChange);
    assert.deepEqual(heard, ['device.added c', 'device.changed a', 'device.removed b']);
    assert.equal(registry.findDevice('192.0.2.1', 161)?.settings.retries, 7);
    assert.equal(registry.findDeviceNamed('b'), undefined);
    await collector.stop();
  });

  it('changes the state by reported contacts, and emits each step once', async () => {
    const { collector, registry, heard } = await start(definitionsOf([device('a', '192.0.2.1')]));
    const a = registry.findDeviceNamed('a')!;
    const silence = { answered: false, why: 'no reply' } as const;
    for (const contact of [{ answered: true } as const, silence, silence, silence, silence, silence]) {
      registry.reportContact(a, contact);
    }
    assert.deepEqual(heard, [
      'device.state unknown → up',
      'device.state up → suspect',
      'device.state suspect → down',
    ]);
    await collector.stop();
    registry.reportContact({ ...a }, silence);
    assert.equal(heard.length, 3, 'what is not the registry’s own device moves nothing');
  });

  it('keeps devices of the API over a restart, and prefers a device of the files', async () => {
    const first = await start(definitionsOf([device('file', '192.0.2.1')]));
    const settings = {
      ip: '::ffff:192.0.2.9',
      port: 1161,
      version: '2c' as const,
      communities: ['${env:C}'],
    };
    assert.equal(first.registry.putManaged('api', settings).ref.ip, '192.0.2.9');
    assert.equal(
      first.registry.putManaged('shadow', { ...settings, ip: '192.0.2.1', port: 161 }).ref.name,
      'file',
    );
    assert.ok(first.registry.removeManaged('192.0.2.1', 161));
    assert.ok(!first.registry.removeManaged('192.0.2.1', 161), 'a device of the files stays');
    const written = join(first.collector.stateDirectory, 'device-registry', 'devices.journal');
    const kept = join(tmpdir(), `waywiser-devices-${process.pid}.journal`);
    const generation = definitionsOf([]).current as unknown as Generation;
    const readKept = () => {
      copyFileSync(written, kept);
      const { journal, content } = Journal.open(kept, { groupMs: 0, onError: assert.ifError });
      const devices = [...new ManagedDevices(journal, content.values).list(generation)];
      journal.close();
      rmSync(kept);
      return devices.map(({ ref, settings }) => [ref.name, ref.ip, settings.communities]);
    };
    await until(() => existsSync(written) && readKept().length > 0);
    assert.deepEqual(readKept(), [['api', '192.0.2.9', ['${env:C}']]]);
    await first.collector.stop();
  });

  it('rejects a plain-text secret for a device of the API, and never prints it', async () => {
    const { collector, registry } = await start(definitionsOf([]));
    const settings = { ip: '192.0.2.9', version: '2c' as const, communities: ['canary'] };
    assert.throws(
      () => registry.putManaged('api', settings),
      (error: Error) => /reference/.test(error.message) && !inspect(error).includes('canary'),
    );
    assert.equal(registry.size, 0);
    await collector.stop();
  });

  it('returns one target per credential, in order, with the current secrets', async () => {
    const user = {
      username: 'u',
      authentication_protocol: 'sha256',
      authentication_passphrase: '${env:WAYWISER_TEST_FIRST}',
      privacy_protocol: 'aes',
      privacy_passphrase: '${env:WAYWISER_TEST_FIRST}',
    };
    process.env['WAYWISER_TEST_FIRST'] = 'one';
    const { collector, registry } = await start(
      definitionsOf([
        device('c', '192.0.2.1', { communities: ['${env:WAYWISER_TEST_FIRST}', 'two'], timeout: 500 }),
        device('u', '192.0.2.2', {
          version: 3,
          v3_credentials: [{ username: 'plain' }, user],
          context: 'vrf',
        }),
        device('x', '192.0.2.3', { communities: ['${env:WAYWISER_TEST_MISSING}'] }),
      ]),
    );
    const targetsOf = (name: string) => registry.getTargets(registry.findDeviceNamed(name)!, '192.0.2.7');
    assert.deepEqual(
      targetsOf('c').map((target) => (target.version === '3' ? '' : target.community)),
      ['one', 'two'],
    );
    assert.equal(targetsOf('c')[0]?.timeoutMs, 500);
    const [plain, secured] = targetsOf('u');
    assert.deepEqual(plain?.version === '3' && plain.user, { name: 'plain' });
    assert.equal(secured?.version === '3' && secured.context, 'vrf');
    assert.throws(() => targetsOf('x'), { code: 'SECRET_UNRESOLVED' });
    delete process.env['WAYWISER_TEST_FIRST'];
    await collector.stop();
  });
});

async function start(definitions: ReturnType<typeof definitionsOf>) {
  const collector = await startTestCollector({
    plugins: [{ plugin }],
    services: [[definitionsToken, definitions]],
  });
  const heard: string[] = [];
  for (const name of ['device.added', 'device.changed', 'device.removed'] as const) {
    collector.events.on(name, ({ device }) => void heard.push(`${name} ${device.name}`));
  }
  collector.events.on('device.state', ({ from, to }) => void heard.push(`device.state ${from} → ${to}`));
  return { collector, heard, registry: collector.getService(deviceRegistryToken) };
}

function definitionsOf(list: readonly ReturnType<typeof device>[]) {
  const fillDevice = (name: string, settings: { readonly ip: string; readonly port?: number }) => {
    const { ip, port = 161 } = settings;
    return { ref: { name, ip, port }, settings, settingOrigins: {} };
  };
  const sections = { deviceDefaults: new Map(), networks: new Map() };
  const fake = { list, current: { devices: () => fake.list, fillDevice, sections } };
  return fake;
}

function device(name: string, ip: string, more: Settings = {}) {
  const settings = { ip, port: 161, version: '2c', communities: ['public'], ...more };
  return { ref: { name, ip, port: 161 }, settings, settingOrigins: {}, origin: { file: 'x.yml', line: 1 } };
}

const none = { added: [], changed: [], removed: [] };
const emptyChange: EventMap['definitions.changed'] = {
  generation: 2,
  previousGeneration: 1,
  changes: {
    objects: none,
    objectGroups: none,
    deviceGroups: none,
    notifications: none,
    enums: none,
    devices: none,
    sysObjectIds: none,
    networks: none,
  },
  affectedDevices: [],
  forceRediscovery: false,
  requestedBy: 'test',
};
