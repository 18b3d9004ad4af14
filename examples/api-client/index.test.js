import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ApiClient } from 'waywiser/client';
import { listDevices } from './list-devices.js';

const run = promisify(execFile);
const program = fileURLToPath(new URL('index.js', import.meta.url));
const names = ['core-1', 'core-2', 'core-3'];
/** A collector of three devices that answers pages of two, and one event. */
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
  if (request.headers.authorization !== 'Bearer secret') {
    const problem = {
      title: 'Unauthorized',
      status: 401,
      code: 'HTTP_TOKEN_MISSING',
      detail: 'A token is needed.',
    };
    response.writeHead(401, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
  } else if (pathname === '/api/v1/snmp/devices') {
    const from = Number(searchParams.get('cursor') ?? 0);
    const devices = names.slice(from, from + 2).map((name) => describeDevice(name));
    const next = from + 2 < names.length ? { next: `${from + 2}` } : {};
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ devices, total: names.length, ...next }));
  } else {
    const data = { device: { name: 'core-2' }, from: 'up', to: 'down', why: 'no answer to three probes' };
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write(`id: 7\nevent: device.state\ndata: ${JSON.stringify(data)}\n\n`);
  }
});
let baseUrl;

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

function describeDevice(name) {
  return { name, ip: '192.0.2.1', port: 161, state: 'up', since: '', why: 'it answered', enabled: true };
}

it('lists the devices of all pages', async () => {
  const found = [];
  for await (const { name } of listDevices(new ApiClient({ baseUrl, token: 'secret' }))) found.push(name);
  assert.deepEqual(found, names);
});

it('prints the devices and then the events', async () => {
  const env = { ...process.env, WAYWISER_TOKEN: 'secret' };
  const { stdout } = await run(process.execPath, [program, baseUrl, '1'], { env });
  assert.match(stdout, /^core-3 +192\.0\.2\.1:161 +up +it answered$/m);
  assert.match(stdout, /^core-2 +up → down: no answer to three probes$/m);
});

it('exits with 1 and the code of the error when the collector refuses', async () => {
  const { WAYWISER_TOKEN: _, ...env } = process.env;
  const failed = await run(process.execPath, [program, baseUrl], { env }).then(
    () => undefined,
    (error) => error,
  );
  assert.equal(failed?.code, 1);
  assert.equal(failed.stderr, 'HTTP_TOKEN_MISSING: A token is needed.\n');
});
