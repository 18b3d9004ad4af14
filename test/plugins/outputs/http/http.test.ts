import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import http from '../../../../plugins/outputs/http/index.ts';
import { pipelineToken } from '../../../../src/index.ts';
import { checkPlugin, createTestBatch, startTestCollector } from '../../../../src/testing/index.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { startHttpReceiver } from '../support/http-receiver.ts';
import { runOutput } from '../support/running-output.ts';

/** Answers with the given statuses, then with 204. 0 closes the connection. */
async function startReceiver(statuses: number[] = []) {
  const requests: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const isPacked = request.headers['content-encoding'] === 'gzip';
    requests.push({ headers: request.headers, body: (isPacked ? gunzipSync(bytes) : bytes).toString() });
    const status = statuses.shift() ?? 204;
    if (status === 0) request.socket.destroy();
    else response.writeHead(status, { location: '/elsewhere' }).end('x'.repeat(status === 204 ? 0 : 100_000));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?key=1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function deliver(
  options: Readonly<Record<string, unknown>>,
  rows = [{ values: { c: 2n ** 64n - 1n } }],
) {
  const delivery = { group_wait_ms: 0, retry_from_ms: 1, retry_to_ms: 2 };
  const collector = await startTestCollector({
    plugins: [{ plugin: http, options: { ...options, delivery } }],
    env: { TOKEN: 'correct-horse' },
  });
  const pipeline = collector.getService(pipelineToken);
  pipeline.push(createTestBatch({ rows }));
  while (pipeline.counters.outputs['http']!.queued > 0) await sleep(2);
  const counters = pipeline.counters.outputs['http']!;
  const logText = JSON.stringify(collector.logLines);
  await collector.stop();
  return { counters, logText };
}

describe('the http plugin', () => {
  it('keeps the contract', async () => {
    await checkPlugin(http, { options: { url: 'http://127.0.0.1:9/' } });
  });

  it('posts one array per group, with every digit', async () => {
    await using receiver = await startReceiver();
    const rows = [{ values: { c: 2n ** 64n - 1n, t: 'a\nb,"' } }, { values: { c: 1n } }];
    await deliver({ url: receiver.url, headers: { 'x-team': 'network' } }, rows as never);
    const [{ headers, body }] = receiver.requests as [(typeof receiver.requests)[0]];
    assert.match(body, /"c":18446744073709551615,/);
    assert.deepEqual(
      JSON.parse(body).map((document: { values: unknown }) => document.values),
      [{ c: 2 ** 64, t: 'a\nb,"' }, { c: 1 }],
    );
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['x-team'], 'network');
  });

  it('posts one document per line, uncompressed, with a bearer token', async () => {
    await using receiver = await startReceiver();
    await deliver({ url: receiver.url, format: 'ndjson', gzip: false, token: '${env:TOKEN}' });
    const [{ headers, body }] = receiver.requests as [(typeof receiver.requests)[0]];
    assert.match(body, /^\{.*\}\n$/);
    assert.equal(headers['content-encoding'], undefined);
    assert.equal(headers.authorization, 'Bearer correct-horse');
  });

  it('authenticates with user name and password', async () => {
    await using receiver = await startReceiver();
    await deliver({ url: receiver.url, username: 'me', password: '${env:TOKEN}' });
    const expected = `Basic ${Buffer.from('me:correct-horse').toString('base64')}`;
    assert.equal(receiver.requests[0]!.headers.authorization, expected);
  });

  it('transfers hostile texts intact, in both formats', async () => {
    const texts = Object.values(hostileStrings);
    for (const format of ['json', 'ndjson']) {
      await using receiver = await startReceiver();
      const rows = texts.map((text) => ({
        key: text,
        labels: { name: text },
        values: { text, [`f${text}`]: 1 },
      }));
      await deliver({ url: receiver.url, format, nested: false }, rows as never);
      const { body } = receiver.requests[0]!;
      const documents =
        format === 'json'
          ? JSON.parse(body)
          : body
              .trimEnd()
              .split('\n')
              .map((line) => JSON.parse(line));
      const read = documents.map(({ key, labels, values }: Record<string, Record<string, string>>) => [
        key,
        labels!['name'],
        values!['text'],
        Object.keys(values!)[1],
      ]);
      assert.deepEqual(
        read,
        texts.map((text) => [text, text, text, `f${text}`]),
      );
    }
  });

  it('sends the same body again after a retryable failure', async () => {
    await using receiver = await startReceiver([503, 429, 408, 0, 500]);
    const { counters } = await deliver({ url: receiver.url });
    assert.equal(receiver.requests.length, 6);
    assert.equal(new Set(receiver.requests.map(({ body }) => body)).size, 1);
    assert.deepEqual([counters.delivered, counters.dropped, counters.retries], [1, 0, 5]);
  });

  it('drops and counts refused data, and logs no secret', async () => {
    for (const status of [400, 413, 422]) {
      await using receiver = await startReceiver([status]);
      const { counters, logText } = await deliver({ url: receiver.url, token: '${env:TOKEN}' });
      assert.deepEqual([receiver.requests.length, counters.delivered, counters.dropped], [1, 0, 1]);
      assert.match(logText, new RegExp(`answered ${status}`));
      assert.doesNotMatch(logText, /correct-horse|key=1/);
    }
  });

  it('waits while its token is wrong, reports that, and loses nothing', async () => {
    const denials = {
      401: 'refused the login',
      403: 'does not allow writing',
      404: 'has no /in',
      407: 'refused the login',
    };
    for (const [status, reason] of Object.entries({ ...denials, 302: 'answered 302', 405: 'answered 405' })) {
      let isRepaired = false;
      await using receiver = await startHttpReceiver(() => (isRepaired ? 204 : Number(status)));
      await using output = await runOutput(
        http,
        { url: `${receiver.url}/in`, token: '${env:TOKEN}' },
        { env: { TOKEN: 'correct-horse' }, delivery: { stall_after_ms: 0 } },
      );
      output.push(createTestBatch());
      await output.until(() => output.stalls.length > 0 && receiver.requests.length > 1);
      assert.match(output.stalls[0]!, new RegExp(reason));
      assert.doesNotMatch(output.stalls[0]!, /correct-horse/);
      isRepaired = true;
      await output.until(() => output.counters.queued === 0);
      assert.deepEqual([output.counters.delivered, output.counters.dropped], [1, 0], status);
    }
  });

  it('fails its start when a configured TLS file is missing', async () => {
    const options = { url: 'https://127.0.0.1:9/', tls: { ca: 'nowhere.pem' } };
    await assert.rejects(startTestCollector({ plugins: [{ plugin: http, options }] }), (error: Error) => {
      assert.match(String(error.cause), /nowhere\.pem/);
      return true;
    });
  });
});
