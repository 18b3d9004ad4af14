// @ts-check
import { setInterval as repeat } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { definePlugin } from 'waywiser';
import { alternating, counting, dailyTraffic, startReplayAgents } from 'waywiser/testing';

const ifHCInOctets = '1.3.6.1.2.1.31.1.1.1.6';
const ifHCOutOctets = '1.3.6.1.2.1.31.1.1.1.10';
const ifInOctets = '1.3.6.1.2.1.2.2.1.10';
const ifOutOctets = '1.3.6.1.2.1.2.2.1.16';
const ifOperStatusOfPort3 = '1.3.6.1.2.1.2.2.1.8.3';
const upsBatteryStatus = '1.3.6.1.2.1.33.1.2.1.0';
const upsSecondsOnBattery = '1.3.6.1.2.1.33.1.2.2.0';
const upsOutputSource = '1.3.6.1.2.1.33.1.4.1.0';

const traffic = [
  { under: ifHCInOctets, at: dailyTraffic(2_000_000, 90_000_000) },
  { under: ifHCOutOctets, at: dailyTraffic(1_000_000, 40_000_000) },
  { under: ifInOctets, at: dailyTraffic(20_000, 900_000) },
  { under: ifOutOctets, at: dailyTraffic(10_000, 400_000) },
];
const moving = { hasMovingUptime: true, values: traffic };
const flapping = [...traffic, { under: ifOperStatusOfPort3, at: alternating(1, 2, 40_000, 15_000) }];
const onBattery = [
  { under: upsBatteryStatus, at: alternating(2, 3, 60_000, 20_000) },
  { under: upsSecondsOnBattery, at: alternating(0, 10, 60_000, 20_000) },
  { under: upsOutputSource, at: alternating(3, 5, 60_000, 20_000) },
];
const user = {
  name: 'demo',
  authProtocol: 'sha256',
  authPassphrase: 'maplesyrup-auth',
  privProtocol: 'aes',
  privPassphrase: 'maplesyrup-priv',
};

/** Each of them is an entry of definitions/devices/demo.yml, by its port. */
const devices = [
  { port: 16101, walk: 'switch', knobs: moving },
  { port: 16102, walk: 'switch', knobs: { ...moving, values: flapping } },
  { port: 16103, walk: 'router', knobs: moving },
  { port: 16104, walk: 'router', knobs: moving, rebootsEveryMs: 120_000 },
  { port: 16105, walk: 'host', knobs: moving },
  { port: 16106, walk: 'host', knobs: { ...moving, loss: 0.1 } },
  { port: 16107, walk: 'ups', knobs: { hasMovingUptime: true, values: onBattery } },
  { port: 16108, walk: 'printer', knobs: moving },
  { port: 16109, walk: 'rack-sensors', knobs: { hasMovingUptime: true } },
  { port: 16110, walk: 'switch', knobs: moving, users: [user] },
  {
    port: 16111,
    walk: 'host',
    knobs: { hasMovingUptime: true, values: [{ under: ifHCInOctets, at: counting(5e8) }] },
  },
  { port: 16112, walk: 'printer', knobs: { isSilent: true } },
];

const greeting = `
Open http://127.0.0.1:8080/ in a browser.

A dozen made-up devices run here, and the collector polls them every five seconds. It prints the first values in
about 15 seconds.
`;

export default definePlugin({
  name: 'demo-devices',
  kind: 'service',
  summary:
    'A dozen made-up devices on loopback ports: busy, flapping, rebooting, on battery, lossy, secured, dead.',
  async start({ events, onStop }) {
    const agents = await startReplayAgents(
      devices.map(({ port, walk, knobs, users = [] }) => ({
        recording: fileURLToPath(new URL(`../../test/recordings/${walk}.snmprec`, import.meta.url)),
        port,
        knobs,
        users,
        community: 'public',
      })),
    );
    onStop(() => Promise.all(agents.map((agent) => agent.close())).then(() => undefined));
    devices.forEach(({ rebootsEveryMs }, i) => {
      if (rebootsEveryMs === undefined) return;
      const timer = repeat(() => agents[i]?.reboot(), rebootsEveryMs);
      onStop(() => clearInterval(timer));
    });
    // After the messages of the collector itself.
    events.on('collector.ready', () => void setImmediate(() => console.log(greeting)));
  },
});
