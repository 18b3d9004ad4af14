import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { watchIdle } from '../support/idle-delay.ts';
import { makeWorkshop, measureScript, startFastAgent } from '../support/processes.ts';
import type { FleetFigures } from './fleet-child.ts';
import { alikeDevices, type BenchDevice, writeDefinitions } from './interface-definitions.ts';
import { writeInventories } from './inventories.ts';

/**
 * The effect on live devices when three of ten devices are dead: 1,000 devices polled every five seconds, measured when each dead
 * device has missed five slots.
 */
const [count, interfaces, everySeconds, seconds] = [1_000, 24, 5, 15];
const missedSlots = 5;
buildCode();
const agents = makeWorkshop();
const agent = await startFastAgent(agents.folder, interfaces);
/** Receives everything and never answers. */
const grave = createSocket('udp4').bind(0);
await once(grave, 'listening');
try {
  const living = alikeDevices(count, agent.port, everySeconds).map(
    (device, i): BenchDevice => ({ ...device, name: `${i % 10 < 3 ? 'dying' : 'living'}${i}` }),
  );
  const withDead = living.map((device) =>
    device.name.startsWith('dying') ? { ...device, port: grave.address().port } : device,
  );
  const alone = await measure(living);
  const { result: beside, ...idle } = await watchIdle(measure(withDead));
  const growth = Math.round(10 * (beside.slotErrorP99Ms - alone.slotErrorP99Ms)) / 10;
  printFigure('30 % dead: growth of the slot error p99 of the others, ms', {
    value: growth,
    goal: 100,
    reached: growth <= 100,
    aloneMs: alone.slotErrorP99Ms,
    besideMs: beside.slotErrorP99Ms,
    missedSlots: beside.missedSlots,
    slots: beside.slots,
    ...idle,
  });
  const share = Number((beside.unansweredPackets / beside.packetsSent).toFixed(4));
  printFigure('30 % dead: share of the packets that goes to them', {
    value: share,
    goal: 0.05,
    reached: share <= 0.05,
    packets: beside.packetsSent,
  });
} finally {
  grave.close();
  agent.process.kill();
  agents.remove();
}

async function measure(devices: readonly BenchDevice[]): Promise<FleetFigures> {
  const { folder, remove } = makeWorkshop();
  try {
    writeDefinitions(folder, devices);
    writeInventories(folder, devices, interfaces);
    const warmSeconds = (missedSlots + 1) * everySeconds;
    return await measureScript('poller/fleet-child.ts', folder, warmSeconds, seconds, 'living');
  } finally {
    remove();
  }
}
