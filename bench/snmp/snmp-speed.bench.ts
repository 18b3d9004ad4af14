import { printFigure, printRatio } from '../support/figure.ts';
import {
  buildGosnmp,
  makeWorkshop,
  measureEngine,
  measureFloor,
  measureNetSnmp,
  measureProgram,
  startFastAgent,
} from '../support/processes.ts';

/** Walks and polls of 3,000 devices with 48 interfaces, against gosnmp, npm's net-snmp and the floor. */
const [devices, inFlight] = [3_000, 40];
const workshop = makeWorkshop();
const agent = await startFastAgent(workshop.folder, 48);
const { port } = agent;
try {
  const gosnmp = await measureProgram(buildGosnmp(workshop.folder), ['many', port, devices, inFlight]);
  const netSnmp = await measureNetSnmp(port, devices / 5, inFlight);
  const walk = await measureEngine('walk', port, devices, inFlight);
  const floor = await measureFloor(devices, inFlight, port);
  const poll = await measureEngine('poll', port, devices, inFlight);
  printRatio('snmp walk', walk, 'gosnmp BulkWalk', gosnmp, 1.5);
  printRatio('snmp walk', walk, 'net-snmp subtree', netSnmp, 3);
  printRatio('snmp poll', poll, 'gosnmp BulkWalk', gosnmp, 3);
  printRatio('snmp poll', poll, 'floor at 75 repetitions', floor, 0.9);
  // The agent ends a reply at 1,360 octets by its own generous estimate: no manager gets below 17 for these columns.
  const perThousand = (poll.packets! / poll.varbinds) * 1000;
  const floorPerThousand = (floor.packets! / floor.varbinds) * 1000;
  printFigure('snmp poll, packets per 1,000 varbinds', {
    value: Number(perThousand.toFixed(1)),
    yardstick: 'floor at 75 repetitions',
    yardstickValue: Number(floorPerThousand.toFixed(1)),
    goal: 16,
    reached: perThousand <= 16,
  });
} finally {
  agent.process.kill();
  workshop.remove();
}
