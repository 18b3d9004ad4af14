import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { makeWorkshop, startFastAgent } from '../support/processes.ts';
import {
  buildFlood,
  devices,
  everySeconds,
  interfaces,
  measureIdle,
  type Receiver,
  startBareSocket,
  startCollectorChild,
  startTrapd,
  trapd,
} from './flooded.ts';
import { climb, type Step, warmUp } from './rates.ts';

/**
 * Traps to a whole collector that polls 1,000 devices, beside Debian's snmptrapd that writes a text file, and a socket that only counts: which
 * rate each records, with how much CPU time, and what the kernel dropped. Senders, agent and receiver share the cores of the machine.
 */
const rates = [1_000, 5_000, 20_000, 40_000];
/** A rate at which this share is recorded, and nothing waits long, is sustained. */
const sustainedPercent = 99.9;
const sustainedDrainSeconds = 2;
const goalRate = 20_000;
const goals = { cpuUsEach: 40, timesTheBareSocket: 8 };

const isSustained = ({ recordedPercent, drainSeconds }: Step) =>
  recordedPercent >= sustainedPercent && drainSeconds <= sustainedDrainSeconds;
const sustained = (steps: readonly Step[]) =>
  Math.max(0, ...steps.filter(isSustained).map((step) => step.perSecond));
const ratio = (own: number, other: number) => Number((own / other).toFixed(2));

buildCode();
const workshop = makeWorkshop();
const program = buildFlood(workshop.folder);
const agent = await startFastAgent(workshop.folder, interfaces);
try {
  const measure = async (receiver: Receiver, idleUsPerSecond: number) => {
    await warmUp(program, receiver);
    const steps = await climb(program, receiver, { rates, idleUsPerSecond });
    await receiver.close();
    return steps;
  };
  const own = await startCollectorChild(join(workshop.folder, 'own'), agent.port);
  const idle = await measureIdle(own);
  const steps = await measure(own, idle.cpuUs / everySeconds);
  const bareSteps = await measure(await startBareSocket(), 0);
  const otherSteps = existsSync(trapd)
    ? await measure(await startTrapd(join(workshop.folder, 'trapd')), 0)
    : [];
  for (const step of steps) {
    const at = (list: readonly Step[]) => list.find(({ perSecond }) => perSecond === step.perSecond);
    const [bare, other] = [at(bareSteps)!, at(otherSteps)];
    const timesTheBareSocket = ratio(step.cpuUsEach, bare.cpuUsEach);
    const reached = {
      recorded: step.recordedPercent >= sustainedPercent,
      cpuUsEach: step.cpuUsEach <= goals.cpuUsEach,
      timesTheBareSocket: timesTheBareSocket <= goals.timesTheBareSocket,
    };
    printFigure(`traps at ${step.perSecond}/s, ${devices} devices polled`, {
      ...step,
      bareSocket: bare,
      timesTheBareSocket,
      ...(other && { snmptrapd: other, timesSnmptrapd: ratio(step.cpuUsEach, other.cpuUsEach) }),
      ...(step.perSecond === goalRate && { goals, reached }),
    });
  }
  printFigure('sustained rate of traps', {
    perSecond: sustained(steps),
    bareSocketPerSecond: sustained(bareSteps),
    ...(otherSteps.length === 0
      ? { skipped: 'The yardstick is not installed: apt-get install snmptrapd' }
      : {
          yardstick: 'snmptrapd -n -On, nothing polled',
          yardstickPerSecond: sustained(otherSteps),
          ratio: ratio(sustained(steps), Math.max(1, sustained(otherSteps))),
        }),
  });
} finally {
  agent.process.kill();
  workshop.remove();
}
