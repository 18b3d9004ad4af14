import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Device, DeviceRegistry } from '../../../plugins/device-registry/service.ts';
import { DiscoveryKeeper } from '../../../plugins/snmp-discovery/discovery-keeper.ts';
import type { InventoryStore } from '../../../plugins/snmp-discovery/inventory-store.ts';
import { Run } from '../../../plugins/snmp-discovery/runs/run.ts';
import type { RunQueue } from '../../../plugins/snmp-discovery/runs/run-queue.ts';

const device: Device = {
  ref: { name: 'sw', ip: '127.0.0.1', port: 161 },
  settings: { ip: '127.0.0.1' },
  settingOrigins: {},
  origin: { file: '', line: 0 },
  source: 'files',
  status: { state: 'unknown', sinceMs: 0, why: '', silences: 0 },
};

/** A keeper whose device never answers; `asked` are the causes of what it requests. */
function buildKeeper(retryMs: number) {
  const asked: string[] = [];
  const makeRun = (cause: string) => new Run(cause, device, 'initial', 0);
  const queue: Pick<RunQueue, 'request' | 'close' | 'runs'> = {
    runs: [],
    request(_, cause) {
      asked.push(cause);
      return { run: makeRun(cause), joined: false };
    },
    close: async () => {},
  };
  const registry: Pick<DeviceRegistry, 'devices' | 'findDevice' | 'reportContact'> = {
    devices: () => [device].values(),
    findDevice: () => device,
    reportContact: () => {},
  };
  const store: Pick<InventoryStore, 'find'> = { find: () => undefined };
  const keeper = new DiscoveryKeeper({
    registry: registry as DeviceRegistry,
    store: store as InventoryStore,
    queue: queue as RunQueue,
    schedule: undefined,
    retryMs,
    now: () => 0,
  });
  const fail = () => keeper.onContact(makeRun('x'), { code: 'SNMP_TIMEOUT', message: 'no reply' });
  return { keeper, asked, fail };
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
});
