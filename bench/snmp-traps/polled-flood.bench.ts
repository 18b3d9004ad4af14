import { join } from 'node:path';
import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { makeWorkshop, startFastAgent } from '../support/processes.ts';
import {
  buildFlood,
  devices,
  everySeconds,
  flood,
  interfaces,
  measureIdle,
  share,
  startBareSocket,
  startCollectorChild,
} from './flooded.ts';
import { climb, seconds, sources, warmUp } from './rates.ts';

/**
 * A minute of 20,000 traps per second to a collector that polls 1,000 devices: what it records, and what becomes of the polls, beside the same
 * collector without traps. Then one source that sends far above its limit, beside 200 others.
 */
const goals = {
  recordedPercent: 99.9,
  cpuUsEach: 40,
  timesTheBareSocket: 8,
  moreSlotErrorP99Ms: 20,
  moreFailures: 0,
};
const round = (value: number) => Number(value.toFixed(1));

buildCode();
const workshop = makeWorkshop();
const program = buildFlood(workshop.folder);
const agent = await startFastAgent(workshop.folder, interfaces);
try {
  const own = await startCollectorChild(join(workshop.folder, 'own'), agent.port);
  const idle = await measureIdle(own);
  const idleUsPerSecond = idle.cpuUs / everySeconds;
  const bareSocket = await startBareSocket();
  await warmUp(program, bareSocket);
  const [bare] = await climb(program, bareSocket, { rates: [20_000], idleUsPerSecond: 0 });
  await bareSocket.close();
  await warmUp(program, own);
  const even = await flood(program, own, [
    { perSecond: 20_000, seconds: 12 * seconds, sources, uptime: 101 },
  ]);
  const recordedPercent = share(even.results[0]!);
  const cpuUsEach = round((even.cpuUs - idleUsPerSecond * even.measuredSeconds) / even.results[0]!.recorded);
  const timesTheBareSocket = round(cpuUsEach / bare!.cpuUsEach);
  // Without traps and with them, the time is not the same.
  const moreFailures = even.pollFailures! / even.slots! - idle.pollFailures! / idle.slots!;
  printFigure(`20,000/s and ${devices} polled devices`, {
    seconds: 12 * seconds,
    recordedPercent,
    cpuUsEach,
    dropped: even.dropped,
    kernelDrops: even.kernelDrops,
    drainSeconds: even.drainSeconds,
    failures: even.pollFailures,
    slots: even.slots,
    missedSlots: even.missedSlots,
    slotErrorP99Ms: even.slotErrorP99Ms,
    bareSocketCpuUsEach: bare!.cpuUsEach,
    timesTheBareSocket,
    yardstick: 'without traps',
    yardstickFailures: idle.pollFailures,
    yardstickMissedSlots: idle.missedSlots,
    yardstickSlotErrorP99Ms: idle.slotErrorP99Ms,
    goals,
    reached: {
      recordedPercent: recordedPercent >= goals.recordedPercent,
      cpuUsEach: cpuUsEach <= goals.cpuUsEach,
      timesTheBareSocket: timesTheBareSocket <= goals.timesTheBareSocket,
      moreSlotErrorP99Ms: even.slotErrorP99Ms! - idle.slotErrorP99Ms! <= goals.moreSlotErrorP99Ms,
      moreFailures: moreFailures <= goals.moreFailures,
    },
  });
  const beside = await flood(program, own, [
    { perSecond: 1_000, seconds, sources: 200, uptime: 102 },
    { perSecond: 60_000, seconds, sources: 1, first: 256, uptime: 103 },
  ]);
  const [quiet, loud] = beside.results;
  printFigure('200 sources at 1,000/s beside one at 60,000/s', {
    recordedPercent: share(quiet!),
    loudSent: loud!.sent,
    loudRecorded: loud!.recorded,
    cpuUsEachDatagram: round(
      (beside.cpuUs - idleUsPerSecond * beside.measuredSeconds) / (quiet!.sent + loud!.sent),
    ),
    dropped: beside.dropped,
    kernelDrops: beside.kernelDrops,
    goal: goals.recordedPercent,
    reached: share(quiet!) >= goals.recordedPercent,
  });
  await own.close();
} finally {
  agent.process.kill();
  workshop.remove();
}
