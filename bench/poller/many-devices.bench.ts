import type { Definitions } from '../../plugins/definitions-loader/service.ts';
import type { Device, DeviceRegistry } from '../../plugins/device-registry/service.ts';
import { atTimes, everyHours } from '../../plugins/snmp-discovery/rediscovery-plan.ts';
import { RunQueue } from '../../plugins/snmp-discovery/runs/run-queue.ts';
import type { DeviceTools } from '../../plugins/snmp-poller/device/device-tools.ts';
import { DeviceFleet } from '../../plugins/snmp-poller/fleet/device-fleet.ts';
import { SlotSchedule } from '../../plugins/snmp-poller/slot-schedule.ts';
import type { Logger } from '../../src/index.ts';
import { EventExchange } from '../../src/kernel/event-bus.ts';
import { systemClock } from '../../src/timing/clock.ts';
import { printFigure } from '../support/figure.ts';

/** CPU time of what happens to many devices together: it must not hold up polls. */
const hourMs = 3_600_000;
const devices = makeDevices(100_000);

measure('100,000 slots opened, CPU ms', 2_000, () => {
  const schedule = new SlotSchedule(systemClock);
  for (const { ref } of devices) schedule.open(`${ref.ip} ${ref.port}`, 60_000, silentListener());
  return () => schedule.close();
});

measure('20,000 devices removed, CPU ms', 1_000, removeFleet());

measure('100,000 discoveries requested twice, CPU ms', 2_000, () => {
  const queue = new RunQueue({
    startsPerSecond: 20,
    maxConcurrent: 100,
    now: Date.now,
    generation: () => 1,
    execute: () => new Promise(() => {}),
  });
  for (const device of devices) queue.request(device, 'initial');
  for (const device of devices) queue.request(device, 'scheduled');
  return () => void queue.close();
});

const nowMs = Date.UTC(2026, 0, 1, 12);
for (const [name, schedule] of [
  ['every_hours', everyHours(24)],
  ['schedule', atTimes('0 3 * * *')],
] as const) {
  for (const [order, ageMsOf] of [
    ['newest first', (i: number) => i * 500],
    ['oldest first', (i: number) => 60 * hourMs * (1 - i / devices.length)],
  ] as const) {
    measure(`${name} checked for 100,000 devices, ${order}, CPU ms`, 600, () => {
      for (const [i, device] of devices.entries())
        schedule.isDue(device, { discoveredMs: nowMs - ageMsOf(i) }, nowMs);
      return () => {};
    });
  }
}

/** Prints the CPU time of `work`. What `work` returns is called afterwards. */
function measure(figure: string, goal: number, work: () => () => void): void {
  const before = process.cpuUsage();
  const cleanUp = work();
  const { user, system } = process.cpuUsage(before);
  cleanUp();
  const value = Math.round((user + system) / 1000);
  printFigure(figure, { value, goal, reached: value <= goal });
}

/** Builds a fleet, and returns the removal of its devices, the newest first. */
function removeFleet(): () => () => void {
  const some = devices.slice(0, 20_000);
  const registry: Pick<DeviceRegistry, 'devices'> = { devices: () => some.values() };
  const fleet = new DeviceFleet({
    tools: { clock: systemClock, generation: () => 1 } as unknown as DeviceTools,
    registry: registry as DeviceRegistry,
    definitions: {} as Definitions,
    decodeOptions: {},
    finishWithinMs: 0,
  });
  const events = new EventExchange({} as Logger);
  fleet.listen(events.open('snmp-poller').bus);
  fleet.begin();
  return () => {
    for (const device of some.toReversed())
      events.emit('device.removed', { device: { ...device.ref }, cause: 'the benchmark' });
    return () => void fleet.close();
  };
}

function silentListener() {
  return { isHeld: false, onSlot() {}, onSkipped() {} };
}

function makeDevices(count: number): Device[] {
  return Array.from({ length: count }, (_, i) => ({
    ref: { name: `d${i}`, ip: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, port: 161 },
    settings: { ip: '127.0.0.1' },
    settingOrigins: {},
    origin: { file: '', line: 0 },
    source: 'files',
    status: { state: 'unknown', sinceMs: 0, why: '', silences: 0 },
  }));
}
