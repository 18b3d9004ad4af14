import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, beforeEach, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { pipelineToken } from 'waywiser';
import { checkPlugin, createTestBatch, startTestCollector } from 'waywiser/testing';
import plugin from './index.js';

let answers;
let requests;
const server = createServer(async (request, response) => {
  const text = gunzipSync(await buffer(request)).toString();
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  requests.push({ url: request.url, authorization: request.headers.authorization, rows });
  const isBad = rows.some((row) => row.values.load === 13);
  response.writeHead(answers.shift() ?? (isBad ? 400 : 204)).end();
});
let url;

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${server.address().port}`;
});
beforeEach(() => {
  answers = [];
  requests = [];
});
after(() => server.close());

async function deliver(loads) {
  const options = {
    url,
    table: 'interfaces',
    token: '${env:TOKEN}',
    delivery: { retry_from_ms: 10, group_wait_ms: 0 },
  };
  const collector = await startTestCollector({
    plugins: [{ plugin, options }],
    env: { TOKEN: 'correct-horse' },
  });
  const rows = loads.map((load) => ({ values: { load } }));
  collector.getService(pipelineToken).push(createTestBatch({ rows }));
  await collector.stop();
}

it('keeps the contract of a plugin', async () => {
  await checkPlugin(plugin, { options: { url, table: 'interfaces' } });
});

it('posts every row with its token, and again after a failure', async () => {
  answers = [503];
  await deliver([1, 2]);
  assert.equal(requests.length, 2);
  assert.deepEqual(requests[0], requests[1]);
  assert.equal(requests[1].url, '/tables/interfaces');
  assert.equal(requests[1].authorization, 'Bearer correct-horse');
  assert.deepEqual(
    requests[1].rows.map((row) => row.values.load),
    [1, 2],
  );
});

it('loses only the row that the server refuses', async () => {
  await deliver([1, 13, 2, 3]);
  const accepted = requests.map(({ rows }) => rows.map((row) => row.values.load));
  const taken = accepted.filter((loads) => !loads.includes(13)).flat();
  assert.deepEqual(taken.sort(), [1, 2, 3]);
  assert.deepEqual(accepted[0], [1, 13, 2, 3], 'the group is refused first, then sent in halves');
});
