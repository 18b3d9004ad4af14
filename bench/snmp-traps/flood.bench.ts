import { existsSync } from 'node:fs';
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
  type Receiver,
  share,
  startCollectorChild,
  startTrapd,
  trapd,
} from './flooded.ts';

/**
 * Traps to a whole collector that polls 1,000 devices, beside Debian's snmptrapd that writes a text file: which rate each records, with how much
 * CPU time, and what the kernel dropped. Senders, agent and receiver share the cores of the machine.
 */
const seconds = Number(process.env['BENCH_SECONDS'] ?? 5);
const rates = [1_000, 2_500, 5_000, 10_000, 20_000, 40_000];
const sources = 250;
/** A rate at which this share is recorded, and nothing waits long, is sustained. */
const sustainedPercent = 99.9;
const sustainedDrainSeconds = 2;
/** Below this share, higher rates say nothing new. */
const hopelessPercent = 50;
const round = (value: number) => Number(value.toFixed(1));

interface Step {
  readonly perSecond: number;
  readonly recordedPercent: number;
  readonly cpuSecondsPer1000: number;
  readonly kernelDrops: number;
  /** How long it wrote after the last one was sent. */
  readonly drainSeconds: number;
}

/** `idleCpuUs`: what it uses without notifications, per second. */
async function climb(program: string, receiver: Receiver, idleUsPerSecond: number) {
  const steps: Step[] = [];
  for (const [position, perSecond] of rates.entries()) {
    const startedMs = performance.now();
    const { cpuUs, kernelDrops, drainSeconds, results } = await flood(program, receiver, [
      { perSecond, seconds, sources, uptime: position + 1 },
    ]);
    const idleUs = (idleUsPerSecond * (performance.now() - startedMs)) / 1000;
    const [result] = results;
    const step: Step = {
      perSecond,
      recordedPercent: share(result!),
      cpuSecondsPer1000: Number(((cpuUs - idleUs) / 1e3 / Math.max(1, result!.recorded)).toFixed(4)),
      kernelDrops,
      drainSeconds,
    };
    steps.push(step);
    if (step.recordedPercent < hopelessPercent) break;
  }
  return steps;
}

const isSustained = ({ recordedPercent, drainSeconds }: Step) =>
  recordedPercent >= sustainedPercent && drainSeconds <= sustainedDrainSeconds;
const sustained = (steps: readonly Step[]) =>
  Math.max(0, ...steps.filter(isSustained).map((step) => step.perSecond));

buildCode();
const workshop = makeWorkshop();
const program = buildFlood(workshop.folder);
const agent = await startFastAgent(workshop.folder, interfaces);
try {
  const own = await startCollectorChild(join(workshop.folder, 'own'), agent.port);
  const idleSeconds = everySeconds;
  await own.begin();
  await new Promise((done) => setTimeout(done, idleSeconds * 1000));
  const idle = await own.end();
  const steps = await climb(program, own, idle.cpuUs / idleSeconds);
  const other = existsSync(trapd) ? await startTrapd(join(workshop.folder, 'trapd')) : undefined;
  const otherSteps = other === undefined ? [] : await climb(program, other, 0);
  await other?.close();
  for (const step of steps) {
    const beside = otherSteps.find(({ perSecond }) => perSecond === step.perSecond);
    printFigure(`traps at ${step.perSecond}/s, ${devices} devices polled`, {
      ...step,
      ...(beside && {
        yardstick: 'snmptrapd -n -On, nothing polled',
        yardstickRecordedPercent: beside.recordedPercent,
        yardstickCpuSecondsPer1000: beside.cpuSecondsPer1000,
        yardstickKernelDrops: beside.kernelDrops,
        yardstickDrainSeconds: beside.drainSeconds,
        ratio: Number((step.cpuSecondsPer1000 / beside.cpuSecondsPer1000).toFixed(2)),
      }),
    });
  }
  printFigure('sustained rate of traps', {
    perSecond: sustained(steps),
    ...(other === undefined
      ? { skipped: 'The yardstick is not installed: apt-get install snmptrapd' }
      : {
          yardstick: 'snmptrapd -n -On, nothing polled',
          yardstickPerSecond: sustained(otherSteps),
          ratio: round(sustained(steps) / Math.max(1, sustained(otherSteps))),
        }),
  });

  const beganMs = performance.now();
  const even = await flood(program, own, [
    { perSecond: 20_000, seconds: 12 * seconds, sources, uptime: 101 },
  ]);
  const idleUs = (idle.cpuUs / idleSeconds) * ((performance.now() - beganMs) / 1000);
  printFigure('20,000/s and 1,000 polled devices', {
    seconds: 12 * seconds,
    recordedPercent: share(even.results[0]!),
    cpuUsEach: round((even.cpuUs - idleUs) / even.results[0]!.recorded),
    dropped: even.dropped,
    kernelDrops: even.kernelDrops,
    drainSeconds: even.drainSeconds,
    failures: even.pollFailures,
    slots: even.slots,
    missedSlots: even.missedSlots,
    slotErrorP99Ms: even.slotErrorP99Ms,
    yardstick: 'without traps',
    yardstickFailures: idle.pollFailures,
    yardstickMissedSlots: idle.missedSlots,
    yardstickSlotErrorP99Ms: idle.slotErrorP99Ms,
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
    dropped: beside.dropped,
    kernelDrops: beside.kernelDrops,
    goal: sustainedPercent,
    reached: share(quiet!) >= sustainedPercent,
  });
  await own.close();
} finally {
  agent.process.kill();
  workshop.remove();
}
