import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Device, DeviceRegistry } from '../../../plugins/device-registry/service.ts';
import { AddressWatch } from '../../../plugins/snmp-discovery/device-addresses.ts';
import { DiscoveryScheduler } from '../../../plugins/snmp-discovery/discovery-scheduler.ts';
import type { InventoryStore } from '../../../plugins/snmp-discovery/inventory-store.ts';
import { KnownDevice } from '../../../plugins/snmp-discovery/known-device.ts';
import { QueuedRun } from '../../../plugins/snmp-discovery/runs/queued-run.ts';
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

/** A scheduler whose device never answers. `requested` has the causes of its requests. */
function buildScheduler(retryMs: number, known?: Inventory, owns = () => true) {
  const device = {
    ref: { name: 'sw', ip: 'localhost', port: 161 },
    settings: { ip: 'localhost', enabled: true, version: '2c' as const, communities: ['a'] },
    settingOrigins: {},
    origin: { file: '', line: 0 },
    source: 'files' as const,
    status: { state: 'unknown' as Device['status']['state'], sinceMs: 0, why: '', silences: 0 },
  };
  const requested: string[] = [];
  const makeRun = (cause: DiscoveryCause) => new QueuedRun(cause, device, cause, 0);
  const queue: Pick<RunQueue, 'request' | 'cancel' | 'close' | 'runs'> = {
    runs: [],
    request(_, cause, pace) {
      requested.push(pace === undefined ? cause : `${cause} at a pace`);
      return { run: makeRun(cause), joined: false };
    },
    cancel: (_, reason) => void requested.push(`cancelled: ${reason}`),
    close: async () => {},
  };
  const registry: Pick<DeviceRegistry, 'devices' | 'devicesIn' | 'findDevice' | 'reportContact'> = {
    devices: () => [device].values(),
    devicesIn: () => [device].values(),
    findDevice: () => device,
    reportContact: () => {},
  };
  const store: Pick<InventoryStore, 'find' | 'delete'> = {
    find: () => known,
    delete: ({ ref }) => void requested.push(`forgot ${ref.ip}`),
  };
  const scheduler = new DiscoveryScheduler({
    registry: registry as DeviceRegistry,
    store: store as InventoryStore,
    queue: queue as RunQueue,
    shards: { owns },
    client: { exportDevice: () => ({ learned: {}, engines: [] }), importDevice() {} },
    schedule: { isDue: () => known !== undefined && known.discoveredMs > 0 },
    retryMs,
    now: () => 0,
  });
  const events = new EventExchange({} as Logger);
  scheduler.listen(events.open('snmp-discovery').bus);
  const fail = (cause: DiscoveryCause = 'initial') => scheduler.onContact(makeRun(cause), timeout);
  return { scheduler, requested, fail, device, events };
}

describe('the retry of a first discovery', () => {
  it('is scheduled once, even after several failures', async () => {
    const { scheduler, requested, fail } = buildScheduler(20);
    scheduler.begin();
    for (let i = 0; i < 3; i++) fail();
    await sleep(80);
    assert.deepEqual(requested, ['initial', 'initial']);
    await scheduler.close();
  });

  it('is not made after the scheduler is closed', async () => {
    const { scheduler, requested, fail } = buildScheduler(20);
    scheduler.begin();
    fail();
    fail();
    scheduler.begin();
    await scheduler.close();
    await sleep(60);
    assert.deepEqual(requested, ['initial', 'initial']);
  });

  it('is not made after the device is disabled, and the waiting run is cancelled', async () => {
    const { scheduler, requested, fail, device, events } = buildScheduler(20);
    scheduler.begin();
    fail();
    Object.assign(device, { settings: { ip: 'localhost', enabled: false } });
    events.emit('device.changed', { device: device.ref, cause: 'the test' });
    fail();
    await sleep(60);
    assert.deepEqual(requested, ['initial', 'cancelled: the device was disabled']);
    await scheduler.close();
  });
});

describe('a discovery that failed', () => {
  it('is repeated once the device answers, for causes that nothing else repeats', () => {
    const known = new KnownDevice(buildScheduler(1).device);
    known.recordOutcome(new QueuedRun('1', known.device, 'forced', 0), timeout, 0);
    assert.equal(known.postponed?.cause, 'forced');
    assert.deepEqual([known.mayBeRetried(299_999), known.mayBeRetried(300_000)], [false, true]);
    known.recordOutcome(new QueuedRun('2', known.device, 'forced', 0), timeout, 300_000);
    assert.deepEqual([known.mayBeRetried(899_999), known.mayBeRetried(900_000)], [false, true]);
    known.recordOutcome(new QueuedRun('3', known.device, 'requested', 0), undefined, 400_000);
    assert.equal(known.postponed, undefined);
    assert.equal(known.mayBeRetried(400_000), true);
    known.recordOutcome(new QueuedRun('4', known.device, 'requested', 0), timeout, 400_000);
    assert.equal(known.postponed, undefined, 'the user saw the failure');
  });

  it('is not repeated by the next check of the schedule', async () => {
    const { scheduler, requested, fail, device } = buildScheduler(20, { ...inventory, discoveredMs: 1 });
    device.status.state = 'up';
    scheduler.begin();
    await sleep(5);
    assert.deepEqual(requested, ['scheduled']);
    fail('scheduled');
    await scheduler.check();
    assert.deepEqual(requested, ['scheduled']);
    await scheduler.close();
  });
});

describe('a device that no longer answers to its credential', () => {
  it('is discovered with its other credentials once it is down, and not at every check', async () => {
    const { scheduler, requested, fail, device } = buildScheduler(20, inventory);
    const settings = { ...device.settings, ip: '192.0.2.7' };
    Object.assign(device, { ref: { ...device.ref, ip: '192.0.2.7' }, settings });
    scheduler.begin();
    device.status.state = 'down';
    await scheduler.check();
    assert.deepEqual(requested, [], 'the device has no other credential');
    Object.assign(device, { settings: { ...settings, communities: ['a', 'b'] } });
    await scheduler.check();
    assert.deepEqual(requested, ['changed']);
    fail('changed');
    await scheduler.check();
    assert.deepEqual(requested, ['changed']);
    await scheduler.close();
  });

  it('is discovered at the start when the credential was removed from the files', async () => {
    const { scheduler, requested } = buildScheduler(20, { ...inventory, credential: 1 });
    scheduler.begin();
    assert.deepEqual(requested, ['changed']);
    await scheduler.close();
  });
});

describe('a device with a host name', () => {
  it('is discovered at the new address of its name once it is down', async () => {
    const { scheduler, requested, device } = buildScheduler(20, inventory);
    scheduler.begin();
    await scheduler.check();
    assert.deepEqual(requested, []);
    device.status.state = 'down';
    await scheduler.check();
    assert.deepEqual(requested, ['changed']);
    await scheduler.close();
  });

  it('keeps its address while its name resolves to it among others, or does not resolve', async () => {
    const moved: Device[] = [];
    const { device } = buildScheduler(20);
    const nowhere = { ...device, ref: { ...device.ref, ip: 'no name at all' } };
    const address = '127.0.0.1';
    const watch = new AddressWatch({
      findInventory: () => ({ ...inventory, address }),
      onMoved: (each) => void moved.push(each),
    });
    await watch.check([device, nowhere]);
    assert.deepEqual(moved, []);
  });
});

describe('a device that seems to restart at every poll', () => {
  it('is discovered immediately the first time, and then after pauses that double up to an hour', () => {
    const device = new KnownDevice({} as Device);
    const startsMs: number[] = [];
    const everyMs = 10_000;
    for (let nowMs = 0; nowMs < 4 * 3_600_000; nowMs += everyMs)
      if (device.maySuggest(nowMs)) startsMs.push(nowMs);
    const pauses = startsMs.slice(1).map((startMs, i) => (startMs - startsMs[i]!) / 60_000);
    assert.equal(startsMs[0], 0);
    assert.deepEqual(pauses.slice(0, 6), [1, 2, 4, 8, 16, 32]);
    assert.ok(startsMs.length <= 10, `${startsMs.length} discoveries in four hours`);
  });

  it('waits for the next check, which requests the discovery once the pause is over', async () => {
    const { scheduler, requested, device } = buildScheduler(20, inventory);
    scheduler.begin();
    scheduler.suggest(device, 'reset');
    for (let i = 0; i < 5; i++) scheduler.suggest(device, 'reset');
    assert.deepEqual(requested, ['reset']);
    await scheduler.close();
  });

  it('keeps the pace of a notification also when the discovery has to wait, and when it was not answered', async () => {
    const { scheduler, requested, device } = buildScheduler(20, inventory);
    const pace = { take: async () => {}, charge() {} };
    scheduler.begin();
    const run = new QueuedRun('id', device, 'reset', 0, pace);
    scheduler.onContact(run, timeout);
    const known = new KnownDevice(device);
    known.recordOutcome(run, timeout, 0);
    assert.deepEqual(known.postponed, { cause: 'reset', pace });
    scheduler.suggest(device, 'reset', pace);
    assert.deepEqual(requested, ['reset at a pace']);
    await scheduler.close();
  });
});

describe('a device of another collector', () => {
  it('is neither discovered nor forced, until its shard is gained', async () => {
    let isOwned = false;
    const { scheduler, requested, device, events } = buildScheduler(20, undefined, () => isOwned);
    scheduler.begin();
    events.emit('device.changed', { device: device.ref, cause: 'the test' });
    await scheduler.check();
    assert.deepEqual(requested, []);
    isOwned = true;
    scheduler.gain([0]);
    assert.deepEqual(requested, ['initial']);
    await scheduler.close();
  });

  it('has its inventory deleted when it is removed', async () => {
    const { scheduler, requested, device, events } = buildScheduler(20, inventory, () => false);
    scheduler.begin();
    events.emit('device.removed', { device: device.ref, cause: 'the test' });
    assert.deepEqual(requested, ['forgot localhost']);
    await scheduler.close();
  });
});
