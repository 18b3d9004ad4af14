import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { argv, cpuUsage, execArgv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { definitionsToken } from '../../plugins/definitions-loader/service.ts';
import { DeviceTable } from '../../plugins/device-registry/device-table.ts';
import { deviceRegistryToken } from '../../plugins/device-registry/service.ts';
import httpApi from '../../plugins/http-api/index.ts';
import { httpApiToken } from '../../plugins/http-api/service.ts';
import httpRoutes from '../../plugins/http-routes/index.ts';
import { discoveryToken } from '../../plugins/snmp-discovery/service.ts';
import { startTestCollector } from '../../src/testing/index.ts';
import { printFigure } from '../support/figure.ts';

/** What the HTTP API costs: its own server in this process, its clients in another one. */
const requests = 40_000;
const sockets = 20;
const deviceCount = 100_000;

if (argv[2] === undefined) await measure();
else await ask(argv[2]);

async function measure(): Promise<void> {
  const table = new DeviceTable();
  table.replaceAll(makeDevices(), Date.now());
  const collector = await startTestCollector({
    plugins: [
      { plugin: httpRoutes },
      { plugin: httpApi, options: { port: 0, limits: { requests_per_second: 1_000_000 } } },
    ],
    services: [
      [definitionsToken, {}],
      [deviceRegistryToken, { size: table.size, devices: () => table.values() }],
      [discoveryToken, { runs: [], findInventory: () => undefined }],
    ],
  });
  const { baseUrl } = collector.getService(httpApiToken);
  await measureProbes(baseUrl);
  await measurePages(baseUrl);
  await collector.stop();
}

async function measureProbes(baseUrl: string): Promise<void> {
  const client = fork(fileURLToPath(import.meta.url), [baseUrl], { execArgv });
  await once(client, 'message');
  const before = cpuUsage();
  client.send('go');
  await once(client, 'exit');
  const { user, system } = cpuUsage(before);
  const perCpuSecond = Math.round(requests / ((user + system) / 1e6));
  const goal = 15_000;
  printFigure('GET /readyz', { requestsPerCpuSecond: perCpuSecond, goal, reached: perCpuSecond >= goal });
}

/** In CPU time of both ends, as other work on the machine says nothing about ours. */
async function measurePages(baseUrl: string): Promise<void> {
  const before = cpuUsage();
  let pages = 0;
  let next: string | undefined = '';
  while (next !== undefined) {
    const cursor: string = next === '' ? '' : `&cursor=${next}`;
    const response = await fetch(`${baseUrl}/api/v1/snmp/devices?limit=500${cursor}`);
    ({ next } = (await response.json()) as { next?: string });
    pages++;
  }
  const { user, system } = cpuUsage(before);
  const cpuMsPerPage = Number(((user + system) / 1000 / pages).toFixed(2));
  const facts = { pages, cpuMsPerPage, goalMs: 10, reached: cpuMsPerPage <= 10 };
  printFigure(`a page of 500 of ${deviceCount} devices, with the client's parsing`, facts);
}

function* makeDevices() {
  for (let i = 0; i < deviceCount; i++) {
    const ip = `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
    const ref = { name: `device-${i}`, ip, port: 161 };
    yield {
      ref,
      settings: { ip, device_groups: ['switch'] },
      settingOrigins: {},
      origin: { file: 'x', line: 1 },
    };
  }
}

/** The client: waits for the word, then sends on every socket, one request behind the other. */
async function ask(baseUrl: string): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  const open = await Promise.all(
    Array.from({ length: sockets }, async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      return socket;
    }),
  );
  process.send!('ready');
  await once(process, 'message');
  const request = 'GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n';
  await Promise.all(
    open.map(
      (socket) =>
        new Promise<void>((resolve) => {
          let left = requests / sockets;
          socket.on('data', () => {
            if (--left > 0) socket.write(request);
            else resolve();
          });
          socket.write(request);
        }),
    ),
  );
  process.exit(0);
}
