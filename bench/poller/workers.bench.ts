import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { makeWorkshop, startFastAgent } from '../support/processes.ts';
import { type Measurement, measureWorkers } from './workers-family.ts';

/**
 * The same fleet in one process and with two workers, in turn. How much more two can do is measured in CPU time of the collector's processes, so
 * that neither the agent, which shares the two cores, nor what else runs on the machine counts: the process that needs most of a core is the one that
 * limits the fleet. The interval keeps one process busy for more than half of the time. With less work every datagram wakes a process on
 * its own, which costs more per value the less there is to do.
 */
const [count, interfaces, everySeconds, rounds] = [2_000, 60, 2, 2];
const times = { settleSeconds: 6, windowSeconds: 10 };
const goal = 1.8;

buildCode();
const workshop = makeWorkshop();
const agent = await startFastAgent(workshop.folder, interfaces);
try {
  const fleet = { folder: workshop.folder, agent, count, interfaces, everySeconds };
  const [one, two]: [Measurement[], Measurement[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    one.push(await measureWorkers(fleet, 0, times));
    two.push(await measureWorkers(fleet, 2, times));
  }
  for (const [name, results] of [
    ['one process', one],
    ['2 workers', two],
  ] as const)
    printFigure(name, {
      valuesPerSecond: Math.round(
        results.reduce((sum, { values }) => sum + values, 0) / rounds / times.windowSeconds,
      ),
      cpuSecondsPerMillionValues: perMillion(results, ({ cpuSeconds }) => cpuSeconds),
      busiestCpuSecondsPerMillionValues: perMillion(results, busiest),
      ofEachRound: results.map((each) => perMillion([each], busiest)),
    });
  const capacity = perMillion(one, busiest) / perMillion(two, busiest);
  printFigure('capacity of 2 workers', {
    ratio: Number(capacity.toFixed(2)),
    goal,
    reached: capacity >= goal,
  });
} finally {
  agent.process.kill();
  workshop.remove();
}

function busiest({ busiestCpuSeconds }: Measurement): number {
  return busiestCpuSeconds;
}

function perMillion(of: readonly Measurement[], read: (each: Measurement) => number): number {
  const values = of.reduce((sum, each) => sum + each.values / 1e6, 0);
  return Number((of.reduce((sum, each) => sum + read(each), 0) / values).toFixed(3));
}
