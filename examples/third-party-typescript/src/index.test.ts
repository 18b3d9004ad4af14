import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, before, it } from 'node:test';
import { pipelineToken } from 'waywiser';
import { checkPlugin, createTestBatch, startTestCollector } from 'waywiser/testing';
import plugin from './index.js';

const received: unknown[] = [];
const server = createServer(async (request, response) => {
  received.push(await json(request));
  response.writeHead(204).end();
});
let url: string;

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rows`;
});
after(() => server.close());

it('keeps the contract of a plugin', async () => {
  await checkPlugin(plugin, { options: { url } });
});

it('posts every row', async () => {
  const options = { url, delivery: { group_wait_ms: 0 } };
  const collector = await startTestCollector({ plugins: [{ plugin, options }] });
  const rows = [1, 2].map((load) => ({ values: { load } }));
  collector.getService(pipelineToken).push(createTestBatch({ rows }));
  await collector.stop();
  const [posted] = received as [readonly { readonly values: unknown }[]];
  assert.deepEqual(
    posted.map(({ values }) => values),
    [{ load: 1 }, { load: 2 }],
  );
});
