import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { after, before, it } from 'node:test';
import { pipelineToken } from 'waywiser';
import { checkPlugin, createTestBatch, startTestCollector } from 'waywiser/testing';
import plugin from './index.js';

let answers;
let received;
const server = createServer(async (request, response) => {
  received.push(await json(request));
  response.writeHead(answers.shift() ?? 204).end();
});
let url;

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${server.address().port}/rows`;
});
after(() => server.close());

it('keeps the contract of a plugin', async () => {
  await checkPlugin(plugin, { options: { url } });
});

it('posts every row with the tags of its device, and again after a failure', async () => {
  received = [];
  answers = [503, 401];
  const options = { url, delivery: { retry_from_ms: 10, group_wait_ms: 0 } };
  const collector = await startTestCollector({ plugins: [{ plugin, options }] });
  const rows = [1, 2].map((load) => ({ values: { load } }));
  collector.getService(pipelineToken).push(createTestBatch({ tags: { site: 'berlin' }, rows }));
  await collector.stop();

  assert.equal(received.length, 3, 'the first posts were answered 503 and 401');
  assert.deepEqual(received[0], received[2]);
  assert.deepEqual(
    received[1].map(({ tags, values }) => [tags, values.load]),
    [
      [{ site: 'berlin' }, 1],
      [{ site: 'berlin' }, 2],
    ],
  );
});
