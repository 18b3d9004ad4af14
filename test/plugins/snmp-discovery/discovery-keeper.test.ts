import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Device, DeviceRegistry } from '../../../plugins/device-registry/service.ts';
import { AddressWatch } from '../../../plugins/snmp-discovery/address-watch.ts';
import { DiscoveryKeeper } from '../../../plugins/snmp-discovery/discovery-keeper.ts';
import type { InventoryStore } from '../../../plugins/snmp-discovery/inventory-store.ts';
import { KnownDevice } from '../../../plugins/snmp-discovery/known-device.ts';
import { Run } from '../../../plugins/snmp-discovery/runs/run.ts';
import type { RunQueue } from '../../../plugins/snmp-discovery/runs/run-queue.ts';
import type { DiscoveryCause, Inventory, Logger } from '../../../src/index.ts';
import { EventExchange } from '../../../src/kernel/event-bus.ts';

const inventory: Inventory = {
  version: 1,
  discoveredMs: 0,
  generation: 1,
  sysObjectId: undefined,
  sysUpTime: undefined,
  address: '192.0.2.7',
  credential: 0,
  deviceGroups: [],
  objects: new Map(),
};
const timeout = { code: 'SNMP_TIMEOUT', message: 'no reply' };

/** A keeper whose device never answers; `asked` are the causes of what it requests. */
function buildKeeper(retryMs: number, known?: Inventory) {
  const device = {
    ref: { name: 'sw', ip: 'localhost', port: 161 },
    settings: { ip: 'localhost', enabled: true, version: '2c' as const, communities: ['a'] },
    settingOrigins: {},
    origin: { file: '', line: 0 },
    source: 'files' as const,
    status: { state: 'unknown' as Device['status']['state'], sinceMs: 0, why: '', silences: 0 },
  };
  const asked: string[] = [];
  const makeRun = (cause: DiscoveryCause) => new Run(cause, device, cause, 0);
  const queue: Pick<RunQueue, 'request' | 'cancel' | 'close' | 'runs'> = {
    runs: [],
    request(_, cause) {
      asked.push(cause);
      return { run: makeRun(cause), joined: false };
    },
    cancel: (_, reason) => void asked.push(`cancelled: ${reason}`),
    close: async () => {},
  };
  const registry: Pick<DeviceRegistry, 'devices' | 'findDevice' | 'reportContact'> = {
    devices: () => [device].values(),
    findDevice: () => device,
    reportContact: () => {},
  };
  const store: Pick<InventoryStore, 'find'> = { find: () => known };
  const keeper = new DiscoveryKeeper({
    registry: registry as DeviceRegistry,
    store: store as InventoryStore,
    queue: queue as RunQueue,
    schedule: { isDue: () => known !== undefined && known.discoveredMs > 0 },
    retryMs,
    now: () => 0,
  });
  const events = new EventExchange({} as Logger);
  keeper.listen(events.open('snmp-discovery').bus);
  const fail = (cause: DiscoveryCause = 'initial') => keeper.onContact(makeRun(cause), timeout);
  return { keeper, asked, fail, device, events };
}

describe('the next try of a device that was never discovered', () => {
  it('is one, however many discoveries of it have failed', async () => {
    const { keeper, asked, fail } = buildKeeper(20);
    keeper.begin();
    for (let i = 0; i < 3; i++) fail();
    await sleep(80);
    assert.deepEqual(asked, ['initial', 'initial']);
    await keeper.close();
  });

  it('does not come once the keeper is closed', async () => {
    const { keeper, asked, fail } = buildKeeper(20);
    keeper.begin();
    fail();
    fail();
    keeper.begin();
    await keeper.close();
    await sleep(60);
    assert.deepEqual(asked, ['initial', 'initial']);
  });

  it('does not come once the device is disabled, and what waits is given up', async () => {
    const { keeper, asked, fail, device, events } = buildKeeper(20);
    keeper.begin();
    fail();
    Object.assign(device, { settings: { ip: 'localhost', enabled: false } });
    events.emit('device.changed', { device: device.ref, cause: 'the test' });
    fail();
    await sleep(60);
    assert.deepEqual(asked, ['initial', 'cancelled: the device was disabled']);
    await keeper.close();
  });
});

describe('a discovery that failed', () => {
  it('is made up for once the device answers, where nothing else would come back to it', () => {
    const known = new KnownDevice(buildKeeper(1).device, {});
    known.noteOutcome(new Run('1', known.device, 'forced', 0), timeout, 0);
    assert.equal(known.owed, 'forced');
    assert.deepEqual([known.hasRested(299_999), known.hasRested(300_000)], [false, true]);
    known.noteOutcome(new Run('2', known.device, 'forced', 0), timeout, 300_000);
    assert.deepEqual([known.hasRested(899_999), known.hasRested(900_000)], [false, true]);
    known.noteOutcome(new Run('3', known.device, 'requested', 0), undefined, 400_000);
    assert.equal(known.owed, undefined);
    assert.equal(known.hasRested(400_000), true);
    known.noteOutcome(new Run('4', known.device, 'requested', 0), timeout, 400_000);
    assert.equal(known.owed, undefined, 'a person saw it fail');
  });

  it('is not begun again by the schedule at its next look', async () => {
    const { keeper, asked, fail, device } = buildKeeper(20, { ...inventory, discoveredMs: 1 });
    device.status.state = 'up';
    keeper.begin();
    await sleep(5);
    assert.deepEqual(asked, ['scheduled']);
    fail('scheduled');
    await keeper.check();
    assert.deepEqual(asked, ['scheduled']);
    await keeper.close();
  });
});

describe('a device that does not answer to the credential of before', () => {
  it('is asked by its others once it is down, and not at every look', async () => {
    const { keeper, asked, fail, device } = buildKeeper(20, inventory);
    const settings = { ...device.settings, ip: '192.0.2.7' };
    Object.assign(device, { ref: { ...device.ref, ip: '192.0.2.7' }, settings });
    keeper.begin();
    device.status.state = 'down';
    await keeper.check();
    assert.deepEqual(asked, [], 'it has no other');
    Object.assign(device, { settings: { ...settings, communities: ['a', 'b'] } });
    await keeper.check();
    assert.deepEqual(asked, ['changed']);
    fail('changed');
    await keeper.check();
    assert.deepEqual(asked, ['changed']);
    await keeper.close();
  });

  it('is discovered at the start when that one is gone from the files', async () => {
    const { keeper, asked } = buildKeeper(20, { ...inventory, credential: 1 });
    keeper.begin();
    assert.deepEqual(asked, ['changed']);
    await keeper.close();
  });
});

describe('a device known by a host name', () => {
  it('is discovered where its name leads now, once it is down', async () => {
    const { keeper, asked, device } = buildKeeper(20, inventory);
    keeper.begin();
    await keeper.check();
    assert.deepEqual(asked, []);
    device.status.state = 'down';
    await keeper.check();
    assert.deepEqual(asked, ['changed']);
    await keeper.close();
  });

  it('stays where it is while its name leads there among others, or nowhere', async () => {
    const moved: Device[] = [];
    const { device } = buildKeeper(20);
    const nowhere = { ...device, ref: { ...device.ref, ip: 'no name at all' } };
    const address = '127.0.0.1';
    const watch = new AddressWatch({
      findInventory: () => ({ ...inventory, address }),
      onMoved: (each) => void moved.push(each),
    });
    await watch.look([device, nowhere]);
    assert.deepEqual(moved, []);
  });
});
