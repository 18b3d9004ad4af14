import { buildCode } from '../support/built-code.ts';
import { printFigure, printRatio } from '../support/figure.ts';
import { makeWorkshop, measureFloor, measureScript, startFastAgent } from '../support/processes.ts';
import { alikeDevices, writeDefinitions } from './interface-definitions.ts';
import { writeInventories } from './inventories.ts';

/** The whole collector, from the poll to the batch: 3,000 devices with 48 interfaces, ifTable and ifXTable, with rates. */
const [count, inFlight, interfaces] = [3_000, 40, 48];
buildCode();
const workshop = makeWorkshop();
const agent = await startFastAgent(workshop.folder, interfaces);
try {
  const devices = alikeDevices(count, agent.port, 86_400);
  writeDefinitions(workshop.folder, devices);
  writeInventories(workshop.folder, devices, interfaces);
  const floor = await measureFloor(count, inFlight, agent.port);
  const poll = await measureScript('poller/poll-cost-child.ts', workshop.folder, inFlight);
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
