import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { makeWorkshop, measureScript } from '../support/processes.ts';
import { alikeDevices, writeDefinitions } from './interface-definitions.ts';
import { writeInventories } from './inventories.ts';
import type { StartFigures } from './start-child.ts';

/**
 * 100,000 devices with 24 interfaces whose inventories are on disk and that do not answer, as after a power cut: the time from the
 * start until all are scheduled. The early slots of the first minute run meanwhile.
 */
const [count, interfaces, everySeconds] = [100_000, 24, 300];
buildCode();
const { folder, remove } = makeWorkshop();
try {
  const devices = alikeDevices(count, 9, everySeconds);
  writeDefinitions(folder, devices);
  writeInventories(folder, devices, interfaces);
  // The second start is measured: the first one fills the loader's cache, which a collector that ran before has.
  await measureScript<StartFigures>('poller/start-child.ts', folder);
  const start = await measureScript<StartFigures>('poller/start-child.ts', folder);
  printFigure('100,000 devices: start to scheduled, s', {
    value: start.seconds,
    goal: 10,
    reached: start.seconds <= 10,
    startedSeconds: start.startedSeconds,
    cpuSeconds: start.cpuSeconds,
    longestStallMs: start.longestStallMs,
    rssMiB: start.rssMiB,
  });
  printFigure('100,000 devices: busiest second over the mean', {
    value: start.busiestOverMean,
    goal: 1.2,
    reached: start.busiestOverMean <= 1.2,
  });
} finally {
  remove();
}
