import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import elasticsearch from '../../../../plugins/outputs/elasticsearch/index.ts';
import { checkPlugin, createTestBatch } from '../../../../src/testing/index.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { startHttpReceiver } from '../support/http-receiver.ts';
import { runOutput } from '../support/running-output.ts';
import { type BulkItem, type ItemAnswer, startBulkServer } from './bulk-server.ts';

const slotMs = 1_700_000_000_000;

async function startWriting(judge?: (item: BulkItem, request: number) => ItemAnswer, options = {}) {
  const server = await startBulkServer(judge);
  const output = await runOutput(
    elasticsearch,
    { url: `${server.url}/`, ...options },
    { env: { KEY: 'a2V5' } },
  );
  return {
    server,
    output,
    deliver: output.deliver,
    async [Symbol.asyncDispose]() {
      await output[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const pollOf = (sequence: number, names: readonly string[]) =>
  createTestBatch({ sequence, slotMs, rows: names.map((name) => ({ key: name, values: { name } })) });

const nameOf = ({ document }: BulkItem) => (document['values'] as { readonly name: string }).name;
const busy = { status: 429, type: 'es_rejected_execution_exception', reason: 'queue is full' };

describe('the elasticsearch plugin', () => {
  it('keeps the contract', async () => {
    await checkPlugin(elasticsearch, { options: { url: 'http://127.0.0.1:9' } });
  });

  it('creates one document per row, with the field names of the definition, flat or nested', async () => {
    for (const nested of [false, true]) {
      await using writing = await startWriting(undefined, { nested, api_key: '${env:KEY}' });
      const values = { 'netif.in': 2n ** 64n - 1n, 'netif.up': true, 'netif.alias': 'a\n"b"' };
      await writing.deliver(
        createTestBatch({
          tags: { site: 'berlin' },
          slotMs,
          rows: [
            { labels: { 'netif.index': '1' }, values },
            { labels: { 'netif.index': '2' }, values: {} },
          ],
        }),
      );
      const [first, second] = [...writing.server.documents.values()];
      assert.match(first!.text, /"in":18446744073709551615|"netif\.in":18446744073709551615/);
      const netif = { in: 2 ** 64, up: true, alias: 'a\n"b"' };
      const flat = { 'netif.in': 2 ** 64, 'netif.up': true, 'netif.alias': 'a\n"b"' };
      assert.deepEqual(first!.document['values'], nested ? { netif } : flat);
      assert.deepEqual(
        second!.document['labels'],
        nested ? { netif: { index: '2' } } : { 'netif.index': '2' },
      );
      assert.equal(first!.document['@timestamp'], new Date(slotMs).toISOString());
      assert.deepEqual(first!.document['tags'], { site: 'berlin' });
      assert.equal(writing.server.requests[0]!.headers.authorization, 'ApiKey a2V5');
    }
  });

  it('stores repeated documents once, and distinguishes rows, polls, plans and devices', async () => {
    await using writing = await startWriting();
    const poll = pollOf(1, ['a', 'b']);
    const others = [
      pollOf(2, ['a']),
      { ...pollOf(1, ['a']), slotMs: slotMs + 1 },
      { ...pollOf(1, ['a']), plan: 'other' },
      { ...pollOf(1, ['a']), record: 'other' },
      { ...pollOf(1, ['a']), device: { name: 'router-1', ip: '192.0.2.1', port: 162 } },
    ];
    await writing.deliver(poll, ...others);
    assert.equal(writing.server.documents.size, 7);
    await writing.deliver(pollOf(1, ['a', 'b']));
    assert.equal(writing.server.documents.size, 7);
    const { delivered, dropped, retries } = writing.output.counters;
    assert.deepEqual([delivered, dropped, retries], [7, 0, 0]);
  });

  it('retries only documents that may succeed', async () => {
    const unavailable = { status: 503, type: 'unavailable_shards_exception', reason: 'no shard' };
    await using writing = await startWriting((item, request) => {
      if (nameOf(item) === 'b' && request < 3) return busy;
      return nameOf(item) === 'c' && request < 2 ? unavailable : 201;
    });
    await writing.deliver(pollOf(1, ['a', 'b', 'c', 'd']));
    assert.deepEqual(
      writing.server.items.map((items) => items.map(nameOf)),
      [['a', 'b', 'c', 'd'], ['b', 'c'], ['b']],
    );
    const { delivered, dropped, retries } = writing.output.counters;
    assert.deepEqual([delivered, dropped, retries], [1, 0, 2]);
  });

  it('waits for a missing index, and for one that is read-only', async () => {
    for (const status of [401, 403, 404]) {
      await using writing = await startWriting((_, request) =>
        request === 1 ? { status, type: 'index_not_found_exception', reason: 'no such index' } : 201,
      );
      await writing.deliver(pollOf(1, ['a', 'b']));
      const { delivered, dropped, retries } = writing.output.counters;
      assert.deepEqual([delivered, dropped, retries], [1, 0, 1]);
      assert.equal(writing.server.documents.size, 2);
    }
  });

  it('drops refused documents with a logged reason, and delivers all others', async () => {
    await using writing = await startWriting((item, request) => {
      if (nameOf(item) === 'bad')
        return { status: 400, type: 'document_parsing_exception', reason: 'no "long"\n' };
      return nameOf(item) === 'slow' && request === 1 ? busy : 201;
    });
    await writing.deliver(pollOf(1, ['a', 'bad', 'slow']));
    await writing.deliver(pollOf(2, ['b']));
    const kept = [...writing.server.documents.values()].map(nameOf).sort();
    assert.deepEqual(kept, ['a', 'b', 'slow']);
    assert.deepEqual(
      writing.server.items.map((items) => items.map(nameOf)),
      [['a', 'bad', 'slow'], ['slow'], ['b']],
    );
    const { delivered, dropped } = writing.output.counters;
    assert.deepEqual([delivered, dropped], [1, 1]);
    assert.match(
      writing.output.logText,
      /1 documents were refused, the first one with 400 \\+"document_parsing_exception/,
    );
  });

  it('counts only the batches of refused documents as dropped', async () => {
    await using writing = await startWriting((item) =>
      nameOf(item) === 'bad' ? { status: 400, type: 'mapper_parsing_exception', reason: '' } : 201,
    );
    writing.output.push(pollOf(1, ['a']), pollOf(2, ['b', 'bad']), pollOf(3, ['c']));
    await writing.output.until(() => writing.output.counters.queued === 0);
    const { delivered, dropped } = writing.output.counters;
    assert.deepEqual([delivered, dropped], [2, 1]);
  });

  it('does not mistake another answer for a success', async () => {
    for (const body of [
      '',
      'null',
      '<html>',
      '{"errors":false}',
      '{"items":[]}',
      '{"items":[{},{"create":{}}]}',
    ]) {
      await using receiver = await startHttpReceiver((_, count) =>
        count === 1 ? { status: 200, body } : 400,
      );
      await using output = await runOutput(elasticsearch, { url: receiver.url });
      await output.deliver(pollOf(1, ['a', 'b']));
      assert.deepEqual([output.counters.delivered, output.counters.retries], [0, 1], body);
    }
  });

  it('transfers hostile texts intact, never as an action', async () => {
    const texts = Object.values(hostileStrings);
    for (const nested of [false, true]) {
      await using writing = await startWriting(undefined, { nested });
      const batches = texts.map((text, sequence) =>
        createTestBatch({
          sequence,
          device: { name: text, ip: '192.0.2.1', port: 161 },
          tags: { note: text },
          rows: [
            {
              key: text,
              labels: { name: text },
              values: { text, [`f${text.slice(0, 40)}`.replaceAll('.', '_')]: 1 },
            },
          ],
        }),
      );
      await writing.deliver(...batches);
      const kept = writing.server.items.flat();
      assert.equal(kept.length, texts.length);
      for (const [i, text] of texts.entries()) {
        const { device, tags, labels, key, values } = kept[i]!.document as Record<
          string,
          Record<string, string>
        >;
        const all = [device!['name'], tags!['note'], labels!['name'], key, values!['text']];
        assert.deepEqual(all, new Array(5).fill(text));
        assert.equal(Object.keys(values!).length, 2);
      }
    }
  });
});
