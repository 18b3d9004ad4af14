import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { watchIdle } from '../support/idle-delay.ts';
import { makeWorkshop, measureScript, startFastAgent } from '../support/processes.ts';
import type { FleetFigures } from './fleet-child.ts';
import { alikeDevices, type BenchDevice, writeDefinitions } from './interface-definitions.ts';
import { writeInventories } from './inventories.ts';

/** A device with 20,000 interfaces next to 100 small devices that are polled once per second. */
const [longInterfaces, smallInterfaces, small, seconds] = [20_000, 4, 100, 20];
buildCode();
const workshop = makeWorkshop();
const longAgent = await startFastAgent(workshop.folder, longInterfaces);
const smallAgent = await startFastAgent(workshop.folder, smallInterfaces);
try {
  const smallDevices = alikeDevices(small, smallAgent.port, 1).map((device) => ({
    ...device,
    name: `small-${device.name}`,
  }));
  const longDevice: BenchDevice = { name: 'long', ip: '127.9.0.1', port: longAgent.port, everySeconds: 20 };
  const alone = await measure([]);
  const { result: beside, ...idle } = await watchIdle(measure([longDevice]));
  const growth = Math.round(10 * (beside.slotErrorP99Ms - alone.slotErrorP99Ms)) / 10;
  printFigure('20,000 interfaces: delay of other devices, slot error p99, ms', {
    value: growth,
    goal: 20,
    reached: growth <= 20,
    aloneMs: alone.slotErrorP99Ms,
    besideMs: beside.slotErrorP99Ms,
    besideMaxMs: beside.slotErrorMaxMs,
    aloneMaxMs: alone.slotErrorMaxMs,
    ...idle,
  });
  printFigure('20,000 interfaces: event loop delay p99, ms', {
    value: beside.loopDelayP99Ms,
    goal: 20,
    reached: beside.loopDelayP99Ms <= 20,
    maxMs: beside.loopDelayMaxMs,
    aloneMaxMs: alone.loopDelayMaxMs,
    varbinds: beside.varbinds,
    gaps: beside.gaps,
  });

  async function measure(others: readonly BenchDevice[]): Promise<FleetFigures> {
    const { folder, remove } = makeWorkshop();
    try {
      writeDefinitions(folder, [...smallDevices, ...others]);
      writeInventories(folder, smallDevices, smallInterfaces);
      writeInventories(folder, others, longInterfaces);
      return await measureScript('poller/fleet-child.ts', folder, 22, seconds, 'small');
    } finally {
      remove();
    }
  }
} finally {
  longAgent.process.kill();
  smallAgent.process.kill();
  workshop.remove();
}
