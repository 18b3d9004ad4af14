import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { makeWorkshop, startFastAgent } from '../support/processes.ts';
import { type Measurement, measureWorkers } from './workers-family.ts';

/**
 * One process, and two workers with twice its devices, in turn: each process has the same to do, because a value costs more CPU time the less
 * there is to read at once. How much more two can do is measured in CPU time of the collector's processes, so that neither the agent, which
 * shares the two cores, nor what else runs on the machine counts: the process that needs most of a core is the one that limits the fleet.
 */
const loads = [1_000, 1_500];
const [interfaces, everySeconds, rounds] = [60, 2, 3];
const times = { settleSeconds: 6, windowSeconds: 10 };
const goal = 1.8;

buildCode();
const workshop = makeWorkshop();
const agent = await startFastAgent(workshop.folder, interfaces);
try {
  const fleetOf = (count: number) => ({ folder: workshop.folder, agent, count, interfaces, everySeconds });
  for (const perProcess of loads) {
    const [one, two]: [Measurement[], Measurement[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      one.push(await measureWorkers(fleetOf(perProcess), 0, times));
      two.push(await measureWorkers(fleetOf(2 * perProcess), 2, times));
    }
    printResults(`one process, ${perProcess} devices`, one);
    printResults(`2 workers, ${2 * perProcess} devices`, two);
    const capacity = perMillion(one, busiest) / perMillion(two, busiest);
    printFigure(`capacity of 2 workers, ${perProcess} devices each`, {
      ratio: Number(capacity.toFixed(2)),
      goal,
      reached: capacity >= goal,
    });
  }
} finally {
  agent.process.kill();
  workshop.remove();
}

function printResults(name: string, results: readonly Measurement[]): void {
  const seconds = rounds * times.windowSeconds;
  printFigure(name, {
    valuesPerSecond: Math.round(sumOf(results, ({ values }) => values) / seconds),
    cpuSecondsPerMillionValues: perMillion(results, ({ cpuSeconds }) => cpuSeconds),
    busiestCpuSecondsPerMillionValues: perMillion(results, busiest),
    busiestCores: Number((sumOf(results, busiest) / seconds).toFixed(2)),
    ofEachRound: results.map((each) => perMillion([each], busiest)),
  });
}

function busiest({ busiestCpuSeconds }: Measurement): number {
  return busiestCpuSeconds;
}

function perMillion(of: readonly Measurement[], read: (each: Measurement) => number): number {
  const millions = sumOf(of, ({ values }) => values) / 1e6;
  return Number((sumOf(of, read) / millions).toFixed(3));
}

function sumOf(of: readonly Measurement[], read: (each: Measurement) => number): number {
  return of.reduce((sum, each) => sum + read(each), 0);
}
