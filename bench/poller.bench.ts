import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { printFigure, printRatio } from './snmp/figure.ts';
import { makeWorkshop, measureFloor, measureProgram, startFastAgent } from './snmp/processes.ts';

/** From the poll to the batch, the whole collector: 3,000 devices with 48 interfaces, ifTable and ifXTable, rates too. */
const [devices, inFlight] = [3_000, 40];
const child = fileURLToPath(new URL('./poller/poller-child.ts', import.meta.url));
const workshop = makeWorkshop();
const agent = await startFastAgent(workshop.folder, 48);
const { port } = agent;
try {
  const floor = await measureFloor(devices, inFlight, port);
  const poll = await measureProgram(execPath, ['--import', 'tsx', child, port, devices, inFlight]);
  printRatio('collector poll', poll, 'floor at 75 repetitions', floor, 0.45);
  const perSecond = Math.round(poll.varbinds / poll.cpuSeconds);
  printFigure('collector poll, varbinds per CPU second', {
    value: perSecond,
    goal: 2_200_000,
    reached: perSecond >= 2_200_000,
  });
} finally {
  agent.process.kill();
  workshop.remove();
}
