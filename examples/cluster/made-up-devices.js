// @ts-check
import { fileURLToPath } from 'node:url';
import { dailyTraffic, startReplayAgents } from 'waywiser/testing';

/** Two dozen made-up switches on loopback ports. Each is an entry of definitions/devices/fleet.yml, by its port. */
const firstPort = 16201;
const count = 24;

const recording = fileURLToPath(new URL('../../test/recordings/switch.snmprec', import.meta.url));
const values = [{ under: '1.3.6.1.2.1.31.1.1.1.6', at: dailyTraffic(2_000_000, 90_000_000) }];
await startReplayAgents(
  Array.from({ length: count }, (_, i) => ({
    recording,
    port: firstPort + i,
    knobs: { hasMovingUptime: true, values },
  })),
);
console.log(`${count} made-up switches answer on the ports from ${firstPort} on. Ctrl-C stops them.`);
