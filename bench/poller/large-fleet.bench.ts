import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { watchIdle } from '../support/idle-delay.ts';
import { makeWorkshop, measureFloor, measureScript, startFastAgent } from '../support/processes.ts';
import type { FleetFigures } from './fleet-child.ts';
import { alikeDevices, writeDefinitions } from './interface-definitions.ts';
import { writeInventories } from './inventories.ts';

/** 10,000 devices with 60 interfaces, 1,900 values each, polled once per minute for two minutes: 19 million values per minute. */
const [count, interfaces, everySeconds] = [10_000, 60, 60];
buildCode();
const workshop = makeWorkshop();
const agent = await startFastAgent(workshop.folder, interfaces);
try {
  const devices = alikeDevices(count, agent.port, everySeconds);
  writeDefinitions(workshop.folder, devices);
  writeInventories(workshop.folder, devices, interfaces);
  const floor = await measureFloor(1_000, 40, agent.port);
  const { result: fleet, ...idle } = await watchIdle(
    measureScript<FleetFigures>('poller/fleet-child.ts', workshop.folder, everySeconds + 5, 2 * everySeconds),
  );
  const machine = { starvedSeconds: fleet.starvedSeconds, ...idle };
  const print = (name: string, value: number, goal: number, facts: object = {}) =>
    printFigure(`10,000 devices: ${name}`, { value, goal, reached: value <= goal, ...facts });
  print('slots missed', fleet.missedSlots, 0, { slots: fleet.slots, gaps: fleet.gaps });
  print('slot error p99, ms', fleet.slotErrorP99Ms, 100, { maxMs: fleet.slotErrorMaxMs, ...machine });
  print('event loop delay p99, ms', fleet.loopDelayP99Ms, 20, { maxMs: fleet.loopDelayMaxMs, ...machine });
  const cores = fleet.cpuSeconds / fleet.seconds;
  const labels = 2 * interfaces * fleet.slots;
  const floorCores = ((fleet.varbinds + labels) * floor.cpuSeconds) / floor.varbinds / fleet.seconds;
  print('cores', Number(cores.toFixed(3)), 0.35, {
    valuesAMinute: Math.round((60 * (fleet.varbinds + labels)) / fleet.seconds),
    yardstick: 'floor at 75 repetitions',
    yardstickCores: Number(floorCores.toFixed(3)),
    ratio: Number((floorCores / cores).toFixed(2)),
  });
  print('resident memory, MiB', fleet.rssMiB, 1_024);
} finally {
  agent.process.kill();
  workshop.remove();
}
