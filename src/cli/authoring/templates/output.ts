import { type PackageTemplate, writeReadme } from './package-template.ts';

/** An output that posts JSON. */
export const outputTemplate: PackageTemplate = (name) => ({
  'README.md': writeReadme(
    name,
    'An output for Waywiser: posts rows as JSON.',
    `  ${name}: { url: http://127.0.0.1:9000/rows }`,
  ),
  'index.js': `// @ts-check
import { defineOutput, PermanentError, rowsOf, Type } from 'waywiser';

export default defineOutput({
  name: '${name}',
  summary: 'Posts rows as JSON to a URL.',
  options: Type.Object({
    url: Type.String({ description: 'where to post' }),
  }),
  open: ({ options }) => ({
    async write(batches, { signal }) {
      const rows = batches.flatMap((batch) =>
        [...rowsOf(batch)].map((row) => ({
          device: batch.device.name,
          record: batch.record,
          time: batch.timeMs,
          ...row,
        })),
      );
      const response = await fetch(options.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
        signal,
      });
      await response.body?.cancel();
      if (response.ok) return;
      const message = \`\${options.url} answered \${response.status}\`;
      // Malformed, too large, unprocessable: these rows will never pass. A wrong token or path may be right in an hour.
      const isLasting = [400, 413, 422].includes(response.status);
      throw isLasting ? new PermanentError(message) : new Error(message);
    },
  }),
});
`,
  'index.test.js': `import assert from 'node:assert/strict';
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
  url = \`http://127.0.0.1:\${server.address().port}/rows\`;
});
after(() => server.close());

it('keeps the contract of a plugin', async () => {
  await checkPlugin(plugin, { options: { url } });
});

it('posts every row, and again after a failure', async () => {
  received = [];
  answers = [503, 401];
  const options = { url, delivery: { retry_from_ms: 10, group_wait_ms: 0 } };
  const collector = await startTestCollector({ plugins: [{ plugin, options }] });
  const rows = [1, 2].map((load) => ({ values: { load } }));
  collector.getService(pipelineToken).push(createTestBatch({ rows }));
  await collector.stop();

  assert.equal(received.length, 3, 'the first posts were answered 503 and 401');
  assert.deepEqual(received[0], received[2]);
  assert.deepEqual(
    received[1].map((row) => row.values.load),
    [1, 2],
  );
});
`,
});
