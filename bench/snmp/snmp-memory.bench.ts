import { memoryUsage } from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { createManager } from '../../src/snmp/index.ts';
import { printFigure } from '../support/figure.ts';
import { makeWorkshop, startFastAgent } from '../support/processes.ts';
import { addressOf } from './load.ts';

/** The memory of 50,000 open sessions, and of a walk of 20,000 interfaces, which must not grow. */
const [devices, interfaces] = [50_000, 20_000];
const mebibytes = () => Math.round(memoryUsage().rss / 2 ** 20);
const workshop = makeWorkshop();
const agent = await startFastAgent(workshop.folder, interfaces);
const { port } = agent;
const manager = createManager();
try {
  const target = { port, version: '2c', community: 'public' } as const;
  const columns = [2, 5, 7, 8, 10, 13, 14, 16, 19, 20].map((column) => `1.3.6.1.2.1.2.2.1.${column}`);
  const session = manager.open({ ...target, address: '127.0.0.1' });
  const readings: number[] = [];
  let varbinds = 0;
  for await (const array of session.walk(columns, { maxVarbinds: 1_000_000 })) {
    if (Math.floor((varbinds + array.length) / 20_000) > Math.floor(varbinds / 20_000))
      readings.push(mebibytes());
    varbinds += array.length;
  }
  const later = readings.slice(3);
  const growthMiB = Math.max(...later) - later[0]!;
  printFigure('snmp walk of 20,000 interfaces', { varbinds, growthMiB, goal: 30, reached: growthMiB <= 30 });

  const opened = [];
  for (let device = 0; device < devices; device++) {
    const one = manager.open({ ...target, address: addressOf(device) });
    opened.push(one);
    if (device % 10 === 0) await one.get(['1.3.6.1.2.1.1.3.0']);
  }
  await setImmediate();
  const { sockets } = manager.counters();
  printFigure('snmp sessions open', {
    sessions: opened.length,
    rssMiB: mebibytes(),
    sockets,
    goal: 200,
    reached: mebibytes() <= 200 && sockets <= 8,
  });
} finally {
  manager.close();
  agent.process.kill();
  workshop.remove();
}
