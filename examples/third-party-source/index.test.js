import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, it } from 'node:test';
import { rowsOf } from 'waywiser';
import { checkPlugin, createRecordingOutput, startTestCollector } from 'waywiser/testing';
import plugin from './index.js';

const server = createServer((request, response) => {
  if (request.url !== '/hangs') response.writeHead(request.url === '/fine' ? 200 : 500).end('hello');
});
let url;

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

it('keeps the contract of a plugin', async () => {
  await checkPlugin(plugin, { options: { pages: { fine: `${url}/fine` } } });
});

it('measures pages that answer, fail and hang, each in its own record', async () => {
  const output = createRecordingOutput();
  const pages = { fine: `${url}/fine`, broken: `${url}/broken`, hangs: `${url}/hangs` };
  const options = { pages, timeout_ms: 1_000 };
  const collector = await startTestCollector({ plugins: [{ plugin, options }, { plugin: output.plugin }] });
  await output.waitFor((batches) => batches.length >= 3);
  await collector.stop();

  const valuesOf = (name) => {
    const batch = output.batches.find(({ device }) => device.name === name);
    return [...rowsOf(batch)][0].values;
  };
  assert.equal(valuesOf('fine')['page.up'], true);
  assert.equal(valuesOf('fine')['page.status'], 200);
  assert.ok(valuesOf('fine')['page.duration'] > 0);
  assert.equal(valuesOf('broken')['page.up'], false);
  assert.equal(valuesOf('broken')['page.status'], 500);
  assert.deepEqual(valuesOf('hangs'), { 'page.up': false });
});
