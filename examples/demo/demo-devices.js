// @ts-check
import { randomBytes } from 'node:crypto';
import { setInterval as repeat } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { definePlugin } from 'waywiser';
import { httpRoutesToken } from 'waywiser/plugins/http-routes';
import { createNotificationSender } from 'waywiser/snmp';
import { startReplayAgents } from 'waywiser/testing';
import { api } from './api-address.js';
import { devices, link } from './devices.js';

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

const greet = (/** @type {string} */ address) => `
Open ${address}/ in a browser.

A dozen made-up devices run here, and the collector polls them every five seconds. It prints the first values in
about 15 seconds.
`;

export default definePlugin({
  name: 'demo-devices',
  kind: 'service',
  summary:
    'A dozen made-up devices on loopback ports: busy, flapping, rebooting, on battery, lossy, secured, dead.',
  needs: { routes: httpRoutesToken },
  async start({ needs, events, onStop }) {
    const agents = await startReplayAgents(
      devices.map(({ port, walk, moving, values = [], loss = 0, isSilent = false, isSecure = false }) => ({
        recording: fileURLToPath(new URL(`../../test/recordings/${walk}.snmprec`, import.meta.url)),
        port,
        knobs: {
          hasMovingUptime: true,
          values: [...moving.map(({ under, moves }) => ({ under, at: moves.at })), ...values],
          loss,
          isSilent,
        },
        users: isSecure ? [user] : [],
        ...(isSecure && { engineId: engine.id }),
        community: 'public',
      })),
    );
    onStop(() => Promise.all(agents.map((agent) => agent.close())).then(() => undefined));
    devices.forEach(({ rebootsEveryMs }, i) => {
      if (rebootsEveryMs === undefined) return;
      const timer = repeat(() => agents[i]?.reboot(), rebootsEveryMs);
      onStop(() => clearInterval(timer));
    });
    /** @type {import('node:http').Server | undefined} */
    let server;
    needs.routes.add(async (app) => {
      server = app.server;
    });
    const startedMs = Date.now();
    events.on('collector.ready', async () => {
      const address = addressOf(server);
      if (address === undefined) return;
      api.address = address;
      // After the messages of the collector itself.
      setImmediate(() => console.log(greet(address)));
      onStop(sendTraps(await findTrapPort(address), startedMs));
    });
  },
});

/**
 * Where a browser on this machine reaches the server, without a slash at the end. Undefined without http-api.
 * @param {import('node:http').Server | undefined} server
 */
function addressOf(server) {
  const bound = server?.address();
  if (server === undefined || bound === null || typeof bound !== 'object') return undefined;
  const isAny = ['0.0.0.0', '::'].includes(bound.address);
  const host = isAny ? '127.0.0.1' : bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return `${'setSecureContext' in server ? 'https' : 'http'}://${host}:${bound.port}`;
}

/**
 * The system has chosen the port. The API says it as soon as everything is ready.
 * @param {string} address
 */
async function findTrapPort(address) {
  for (;;) {
    const answer = await fetch(`${address}/api/v1/snmp/traps/statistics`);
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
        { oid: link.oid, type: 'Integer32', value: isDown ? 2 : 1 },
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
