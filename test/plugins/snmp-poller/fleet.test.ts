import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Definitions } from '../../../plugins/definitions-loader/service.ts';
import type { Device, DeviceRegistry } from '../../../plugins/device-registry/service.ts';
import type { DeviceTools } from '../../../plugins/snmp-poller/device/device-tools.ts';
import { DeviceFleet } from '../../../plugins/snmp-poller/fleet/device-fleet.ts';
import type { Logger } from '../../../src/index.ts';
import { EventExchange } from '../../../src/kernel/event-bus.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';

const count = 20_000;

/** A fleet of many devices without inventories. */
function build() {
  const devices = Array.from(
    { length: count },
    (_, i): Device => ({
      ref: { name: `d${i}`, ip: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, port: 161 },
      settings: { ip: '127.0.0.1' },
      settingOrigins: {},
      origin: { file: '', line: 0 },
      source: 'files',
      status: { state: 'unknown', sinceMs: 0, why: '', silences: 0 },
    }),
  );
  const registry: Pick<DeviceRegistry, 'devices'> = { devices: () => devices.values() };
  const fleet = new DeviceFleet({
    tools: {
      clock: new SimulatedClock(),
      generation: () => 1,
      shards: { owns: () => true },
    } as unknown as DeviceTools,
    registry: registry as DeviceRegistry,
    definitions: {} as Definitions,
    decodeOptions: {},
    finishWithinMs: 0,
  });
  const events = new EventExchange({} as Logger);
  fleet.listen(events.open('snmp-poller').bus);
  return { fleet, devices, events };
}

describe('a fleet of many devices', () => {
  it('removes devices in any order', () => {
    const { fleet, devices, events } = build();
    fleet.begin();
    for (const device of devices.toReversed())
      events.emit('device.removed', { device: { ...device.ref }, cause: 'the test' });
    for (const device of devices) assert.equal(fleet.deviceCounters(device), undefined);
    assert.equal(fleet.slowest().length, 0);
  });
});
