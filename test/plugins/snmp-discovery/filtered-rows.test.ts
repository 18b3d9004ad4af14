import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { startPolling } from '../snmp-poller/support/poller-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';

const [hrStorageType, hrStorageSize, ram, swap] = [
  '1.3.6.1.2.1.25.2.3.1.2',
  '1.3.6.1.2.1.25.2.3.1.5',
  '1.3.6.1.2.1.25.2.1.2',
  '.1.3.6.1.2.1.25.2.1.3',
];

/** The rows of hrStorageEntry that a discovery finds with these keys; a silent column is not answered. */
async function discover(t: TestContext, keys: string, silentUnder: readonly string[] = []) {
  const agent = await startReplayAgent({
    recording: 'test/recordings/host.snmprec',
    knobs: { silentUnder },
  });
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t);
  folder.write(
    'objects/storage.yml',
    `HOST-RESOURCES-MIB::hrStorageEntry:
  index:
    - { type: Integer, name: storage.index, syntax: IntegerAsID }
  ${keys}
  attributes:
    hrStorageType: { oid: .${hrStorageType}, name: storage.type, syntax: ObjectIdentifier }
    hrStorageDescr: { oid: .1.3.6.1.2.1.25.2.3.1.3, name: storage.name, syntax: DisplayString }
    hrStorageSize: { oid: .1.3.6.1.2.1.25.2.3.1.5, syntax: Integer32 }
`,
  );
  folder.write('object_groups/groups.yml', 'all: { objects: [HOST-RESOURCES-MIB::hrStorageEntry] }\n');
  folder.write('device_groups/groups.yml', 'host: { object_groups: [all] }\n');
  folder.writeDevices([{ name: 'host', port: agent.port, groups: 'device_groups: [host]' }]);
  const { discovered, discovery, device } = await startPolling(t, folder);
  await discovered();
  return discovery.findInventory(device('host'))!.objects.get('HOST-RESOURCES-MIB::hrStorageEntry')!
    .instances;
}

describe('rows that an object chooses', { concurrency: true }, () => {
  const discovery = 'discovery_attribute: hrStorageType';

  it('are those whose discovery attribute has one of the values', async (t) => {
    assert.deepEqual(await discover(t, `${discovery}\n  rows: { only: [${ram}, ${swap}] }`), ['1', '10']);
  });

  it('are those whose discovery attribute has none of the values', async (t) => {
    assert.deepEqual(await discover(t, `${discovery}\n  rows: { except: [${ram}, ${swap}] }`), ['31', '32']);
  });

  it('are compared with text as the device sends it', async (t) => {
    const keys = 'discovery_attribute: hrStorageDescr\n  rows: { only: ["Physical memory", /] }';
    assert.deepEqual(await discover(t, keys), ['1', '31']);
  });

  it('are those that every condition accepts, also of an attribute that is not the discovery attribute', async (t) => {
    const where = 'where: { hrStorageDescr: { except: ["*memory", "/m*/*c*"] } }';
    assert.deepEqual(await discover(t, `${discovery}\n  rows: { ${where} }`), ['10', '31']);
    assert.deepEqual(await discover(t, `${discovery}\n  rows: { except: [${swap}], ${where} }`), ['31']);
    const without = [hrStorageSize];
    const size = 'where: { hrStorageSize: { except: [0] } }';
    assert.deepEqual(await discover(t, `${discovery}\n  rows: { ${size} }`, without), [
      '1',
      '10',
      '31',
      '32',
    ]);
    const only = size.replace('except: [0]', 'only: [0]');
    assert.deepEqual(await discover(t, `${discovery}\n  rows: { ${only} }`, without), []);
  });

  it('are none where all are left out, not those of another column', async (t) => {
    assert.deepEqual(await discover(t, `${discovery}\n  rows: { except: ["*"] }`), []);
  });

  it('are all or none where the device does not answer for the attribute', async (t) => {
    const silent = [hrStorageType];
    assert.deepEqual(await discover(t, `${discovery}\n  rows: { only: [${ram}] }`, silent), []);
    const all = ['1', '10', '31', '32'];
    assert.deepEqual(await discover(t, `${discovery}\n  rows: { except: [${ram}] }`, silent), all);
  });
});
