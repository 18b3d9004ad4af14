import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { makeWorkshop, startFastAgent } from '../support/processes.ts';
import { measureWorkers } from './workers-family.ts';

/**
 * The memory of one process and of four workers with their parent, for a small fleet and for one that may need workers. What several processes
 * share, such as the program of Node.js, is divided between them.
 */
const interfaces = 60;
const goal = 1.5;
/** After the start the heap grows for some minutes, until V8 looks for garbage in all of it. */
const fleets = [
  { count: 1_000, everySeconds: 10, settleSeconds: 90 },
  { count: 10_000, everySeconds: 20, settleSeconds: 180 },
];

buildCode();
const workshop = makeWorkshop();
const agent = await startFastAgent(workshop.folder, interfaces);
try {
  for (const { count, everySeconds, settleSeconds } of fleets) {
    const times = { settleSeconds, windowSeconds: 4 };
    const fleet = { folder: workshop.folder, agent, count, interfaces, everySeconds };
    const one = await measureWorkers(fleet, 0, times);
    const four = await measureWorkers(fleet, 4, times);
    const ratio = four.memoryMiB / one.memoryMiB;
    printFigure(`memory with ${count} devices`, {
      oneProcessMiB: Math.round(one.memoryMiB),
      fourWorkersMiB: Math.round(four.memoryMiB),
      ratio: Number(ratio.toFixed(2)),
      goal,
      reached: ratio <= goal,
    });
  }
} finally {
  agent.process.kill();
  workshop.remove();
}
