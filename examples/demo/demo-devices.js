// @ts-check
import { randomBytes } from 'node:crypto';
import { setInterval as repeat } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { definePlugin } from 'waywiser';
import { createNotificationSender } from 'waywiser/snmp';
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
/** Port 3 of switch-3 is down for 15 seconds of every minute, and the switch says so with traps. */
const link = { everyMs: 60_000, downMs: 15_000 };
const reporting = [
  ...traffic,
  { under: ifOperStatusOfPort3, at: alternating(1, 2, link.everyMs, link.downMs) },
];
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

/**
 * All devices share one address, so a trap is known by the SNMPv3 engine that signs it. As an engine counts its starts, each start of the
 * demonstration is another engine.
 */
const engine = { id: Buffer.concat([Buffer.from('80007ed905', 'hex'), randomBytes(8)]), boots: 1 };

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
  {
    port: 16110,
    walk: 'switch',
    knobs: { ...moving, values: reporting },
    users: [user],
    engineId: engine.id,
  },
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
      devices.map(({ port, walk, knobs, users = [], engineId }) => ({
        recording: fileURLToPath(new URL(`../../test/recordings/${walk}.snmprec`, import.meta.url)),
        port,
        knobs,
        users,
        ...(engineId && { engineId }),
        community: 'public',
      })),
    );
    onStop(() => Promise.all(agents.map((agent) => agent.close())).then(() => undefined));
    devices.forEach(({ rebootsEveryMs }, i) => {
      if (rebootsEveryMs === undefined) return;
      const timer = repeat(() => agents[i]?.reboot(), rebootsEveryMs);
      onStop(() => clearInterval(timer));
    });
    const startedMs = Date.now();
    events.on('collector.ready', async () => {
      // After the messages of the collector itself.
      setImmediate(() => console.log(greeting));
      onStop(sendTraps(await findTrapPort(), startedMs));
    });
  },
});

/** The system has chosen the port. The API says it as soon as everything is ready. */
async function findTrapPort() {
  for (;;) {
    const answer = await fetch('http://127.0.0.1:8080/api/v1/snmp/traps/statistics');
    const { listeners } = await answer.json();
    if (answer.ok) return listeners[0].port;
    await sleep(500);
  }
}

/**
 * Sends a linkDown and a linkUp of switch-3 when its port 3 changes its state. Returns a function that ends it.
 * @param {number} port
 * @param {number} startedMs
 */
function sendTraps(port, startedMs) {
  const sender = createNotificationSender({ address: '127.0.0.1', port, version: '3', user }, { engine });
  let wasDown = false;
  const timer = repeat(() => {
    const elapsedMs = Date.now() - startedMs;
    const isDown = elapsedMs % link.everyMs >= link.everyMs - link.downMs;
    if (isDown === wasDown) return;
    wasDown = isDown;
    const [linkDown, linkUp] = ['1.3.6.1.6.3.1.1.5.3', '1.3.6.1.6.3.1.1.5.4'];
    void sender.trap({
      oid: isDown ? linkDown : linkUp,
      uptime: Math.floor(elapsedMs / 10),
      varbinds: [
        { oid: '1.3.6.1.2.1.2.2.1.1.3', type: 'Integer32', value: 3 },
        { oid: '1.3.6.1.2.1.2.2.1.7.3', type: 'Integer32', value: 1 },
        { oid: ifOperStatusOfPort3, type: 'Integer32', value: isDown ? 2 : 1 },
      ],
      agentAddress: undefined,
      enterprise: undefined,
    });
  }, 1_000);
  return () => {
    clearInterval(timer);
    sender.close();
  };
}
