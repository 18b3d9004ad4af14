import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { definitionsToken } from '../../../plugins/definitions-loader/service.ts';
import plugin from '../../../plugins/device-registry/index.ts';
import { deviceRegistryToken } from '../../../plugins/device-registry/service.ts';
import { startTestCollector } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { inlineLoader } from '../support/inline-loader.ts';

const networks = `office:
  credentials:
    - { version: 2c, community: canary-one }
    - { version: 2c, community: canary-two }
    - { version: 3, v3_credential: { username: reader } }
  poll_interval: 30
  retries: 0
  networks: [192.0.2.0/24, '2001:db8::/120']
`;

async function start(test: TestContext, text = networks) {
  const folder = new DefinitionFolder(test, {
    'autodiscover/networks.yml': text,
    'defaults/device.yml':
      'defaults: { version: "1", communities: [other], retries: 9, max_oids: 7, device_groups: [plain] }\n',
  });
  const stateDirectory = mkdtempSync(join(tmpdir(), 'waywiser-found-'));
  process.env['WAYWISER_TEST_FOUND'] = 'new';
  test.after(() => delete process.env['WAYWISER_TEST_FOUND']);
  const heard: string[] = [];
  const open = async () => {
    const collector = await startTestCollector({
      plugins: [
        { plugin: inlineLoader, options: { shipped: false, directories: [folder.path] } },
        { plugin },
      ],
      stateDirectory,
    });
    test.after(async () => {
      await collector.stop();
      rmSync(stateDirectory, { recursive: true, force: true });
    });
    for (const name of ['device.added', 'device.changed', 'device.removed'] as const) {
      collector.events.on(name, ({ device, cause }) => void heard.push(`${name} ${device.name}: ${cause}`));
    }
    const definitions = collector.getService(definitionsToken);
    return {
      collector,
      registry: collector.getService(deviceRegistryToken),
      apply: async () => assert.ok((await definitions.apply({ requestedBy: 'test' })).accepted),
    };
  };
  return { folder, stateDirectory, heard, open };
}

const router = { name: 'router', ip: '192.0.2.7', port: 161, network: 'office', credential: 1 };

describe('found devices', () => {
  it('have the settings of their network, and defaults except credentials and groups', async (t) => {
    const { open, heard } = await start(t);
    const { registry } = await open();
    const { settings, settingOrigins, origin, source } = registry.putFound(router)!;
    assert.deepEqual(
      [settings.version, settings.communities, settings.poll_interval, settings.retries, settings.max_oids],
      ['2c', ['canary-two'], 30, 0, 7],
    );
    assert.equal(settings.device_groups, undefined);
    assert.deepEqual(
      [settingOrigins['retries'], settingOrigins['max_oids'], settingOrigins['timeout']],
      ['network', 'defaults', 'built-in'],
    );
    assert.deepEqual([origin.file, origin.line, source], ['autodiscover/networks.yml', 1, 'networks']);
    const secured = registry.putFound({ ...router, name: 'six', ip: '2001:DB8::9', credential: 2 })!;
    assert.equal(secured.ref.ip, '2001:db8::9');
    assert.deepEqual(secured.settings.v3_credentials, [{ username: 'reader' }]);
    assert.equal(secured.settings.communities, undefined);
    assert.equal(registry.putFound({ ...router, ip: '198.51.100.1' }), undefined);
    assert.deepEqual(heard, [
      'device.added router: a scan of the network office',
      'device.added six: a scan of the network office',
    ]);
  });

  it('exist after a restart, without a secret on disk', async (t) => {
    const { open, stateDirectory } = await start(t);
    const first = await open();
    first.registry.putFound(router);
    await first.collector.stop();
    const kept = readFileSync(join(stateDirectory, 'device-registry', 'found.journal'), 'utf8');
    assert.match(kept, /192\.0\.2\.7/);
    assert.doesNotMatch(kept, /canary/);
    const { registry } = await open();
    assert.deepEqual(registry.findDeviceNamed('router')?.settings.communities, ['canary-two']);
    assert.ok(registry.removeFound('192.0.2.7', 161, 'a test'));
    assert.ok(!registry.removeFound('192.0.2.7', 161, 'a test'));
    assert.equal(registry.size, 0);
  });

  it('are replaced by a device of the files or of the API, and return when it is removed', async (t) => {
    const { open, folder, heard } = await start(t);
    const { registry, apply } = await open();
    const found = registry.putFound(router);
    const managed = { ip: router.ip, version: '2c' as const, communities: ['${env:WAYWISER_TEST_FOUND}'] };
    assert.equal(registry.putManaged('mine', managed), found);
    assert.equal(found?.source, 'api');
    assert.ok(registry.removeManaged(router.ip, 161));
    assert.deepEqual([found.source, found.ref.name], ['networks', 'router']);
    folder.write('devices/a.yml', `filed: { ip: ${router.ip}, version: 2c, communities: [x] }\n`);
    await apply();
    assert.deepEqual([found.source, registry.putFound(router)?.ref.name], ['files', 'filed']);
    folder.write('devices/a.yml', '{}\n');
    await apply();
    assert.equal(registry.findDevice(router.ip, 161)?.ref.name, 'router');
    assert.deepEqual(heard.slice(1), [
      'device.changed mine: the API',
      'device.changed router: the API',
      'device.changed filed: the definition files',
      'device.changed router: the definition files',
    ]);
  });

  it('follow changes of their network: settings, credentials, removal and return', async (t) => {
    const { open, folder } = await start(t);
    const { registry, apply } = await open();
    const found = registry.putFound(router)!;
    const change = (from: string, to: string) =>
      folder.write('autodiscover/networks.yml', networks.replace(from, to));
    change('poll_interval: 30', 'poll_interval: 20');
    await apply();
    assert.equal(found.settings.poll_interval, 20);
    change('canary-two', "'${env:WAYWISER_TEST_FOUND}'");
    await apply();
    assert.deepEqual(found.settings.communities, ['canary-one', '${env:WAYWISER_TEST_FOUND}']);
    change('192.0.2.0/24, ', '');
    await apply();
    assert.equal(registry.size, 0);
    change('office', 'branch');
    await apply();
    assert.deepEqual(registry.findDeviceNamed('router')?.settings.communities, ['canary-two']);
    change('credentials', 'port: 1161\n  credentials');
    await apply();
    assert.equal(registry.size, 0);
  });

  it('have safe names that no other device has', async (t) => {
    const { open, folder } = await start(t);
    const { registry, apply } = await open();
    const nameOf = (name: string, ip: string) => registry.putFound({ ...router, name, ip })!.ref.name;
    assert.equal(nameOf('switch', '192.0.2.1'), 'switch');
    assert.equal(nameOf('switch', '192.0.2.2'), 'switch-192.0.2.2');
    assert.equal(nameOf('', '192.0.2.3'), '192.0.2.3');
    assert.equal(nameOf('__proto__', '192.0.2.4'), 'proto');
    assert.equal(nameOf('../\u001b[2J<script>', '192.0.2.5'), '2J-script');
    assert.equal(nameOf('renamed', '192.0.2.1'), 'switch', 'a device keeps its name');
    assert.equal(nameOf('', '2001:db8::5'), '2001-db8-5');
    folder.write('devices/a.yml', 'switch: { ip: 198.51.100.1, version: 2c, communities: [x] }\n');
    await apply();
    assert.equal(registry.findDevice('192.0.2.1', 161)?.ref.name, 'switch-192.0.2.1');
    assert.equal(registry.findDeviceNamed('switch')?.ref.ip, '198.51.100.1');
  });
});
