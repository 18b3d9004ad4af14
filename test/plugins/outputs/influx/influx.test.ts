import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import influx from '../../../../plugins/outputs/influx/index.ts';
import { checkPlugin, createTestBatch } from '../../../../src/testing/index.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { type ReceivedRequest, startHttpReceiver } from '../support/http-receiver.ts';
import { runOutput, startFailure } from '../support/running-output.ts';
import { readPoints } from './line-reader.ts';

const slotMs = 1_700_000_000_123;

/** The request for one batch, and its points. */
async function write(batch: Parameters<typeof createTestBatch>[0], options = {}) {
  await using receiver = await startHttpReceiver(() => 204);
  const target = { url: `${receiver.url}/`, database: 'snmp', ...options };
  await using output = await runOutput(influx, target, { env: { TOKEN: 'correct-horse' } });
  await output.deliver(createTestBatch({ slotMs, ...batch }));
  assert.equal(output.counters.delivered, 1);
  const [request] = receiver.requests as [ReceivedRequest];
  return { request, points: readPoints(request.body.toString()) };
}

describe('the influx plugin', () => {
  it('keeps the contract', async () => {
    await checkPlugin(influx, { options: { url: 'http://127.0.0.1:9', database: 'snmp' } });
  });

  it('extends the path of its URL and keeps its parameters', async () => {
    await using receiver = await startHttpReceiver(() => 204);
    const target = { url: `${receiver.url}/metrics/?consistency=any`, database: 'snmp' };
    await using output = await runOutput(influx, target);
    await output.deliver(createTestBatch({ slotMs, rows: [{ values: { n: 1 } }] }));
    assert.deepEqual(
      receiver.requests.map(({ path }) => path),
      ['/metrics/write?consistency=any&db=snmp&precision=ms'],
    );
  });

  it('writes one point per row, with every kind of value', async () => {
    const { points } = await write({
      record: 'IF-MIB::ifEntry',
      tags: { site: 'berlin', device: 'mine' },
      rows: [
        {
          labels: { 'netif.index': '1' },
          values: { c: 2n ** 53n + 1n, n: -1.5e-7, b: true, t: 'up', l: ['a', 'b'], x: Number.NaN },
        },
        { labels: { 'netif.index': '2' }, values: { n: 3 } },
        { labels: { 'netif.index': '3' } },
      ],
    });
    const common = { address: '192.0.2.1:161', device: 'router-1', device_2: 'mine', site: 'berlin' };
    assert.deepEqual(
      points.map(({ measurement, tags, time }) => [measurement, { ...tags }, time]),
      ['1', '2'].map((index) => ['IF-MIB::ifEntry', { ...common, 'netif.index': index }, `${slotMs}`]),
    );
    assert.deepEqual(points[0]!.fields, {
      c: { integer: '9007199254740993i' },
      n: -1.5e-7,
      b: true,
      t: 'up',
      l: 'a,b',
    });
    assert.deepEqual(points[1]!.fields, { n: 3 });
  });

  it('writes counters as configured, and restarts them from zero beyond 63 bits', async () => {
    const rows = [{ values: { a: 2n ** 63n - 1n, b: 2n ** 63n + 5n, c: 2n ** 64n - 1n } }];
    const countersAs = async (counters: string) => (await write({ rows }, { counters })).points[0]!.fields;
    assert.deepEqual(await countersAs('integer'), {
      a: { integer: '9223372036854775807i' },
      b: { integer: '5i' },
      c: { integer: '9223372036854775807i' },
    });
    assert.deepEqual(await countersAs('unsigned'), {
      a: { integer: '9223372036854775807u' },
      b: { integer: '9223372036854775813u' },
      c: { integer: '18446744073709551615u' },
    });
    assert.deepEqual(await countersAs('float'), { a: 2 ** 63, b: 2 ** 63, c: 2 ** 64 });
  });

  it('writes to version 1 and 2 with their paths, tokens and precisions', async () => {
    const pathOf = async (options: object) => {
      const { request, points } = await write({}, options);
      return [request.path, points[0]!.time, request.headers.authorization];
    };
    assert.deepEqual(await pathOf({ retention_policy: 'a b', precision: 'us', token: '${env:TOKEN}' }), [
      '/write?db=snmp&rp=a+b&precision=u',
      '1700000000123000',
      'Bearer correct-horse',
    ]);
    const version2 = { database: undefined, bucket: 'b/1', org: 'o' };
    assert.deepEqual(await pathOf({ ...version2, token: '${env:TOKEN}', precision: 'ns' }), [
      '/api/v2/write?org=o&bucket=b%2F1&precision=ns',
      '1700000000123000000',
      'Token correct-horse',
    ]);
    assert.deepEqual((await pathOf({ ...version2, precision: 's' })).slice(1), ['1700000000', undefined]);
  });

  it('requires a database or a bucket, and refuses options of the other version', async () => {
    const url = 'http://127.0.0.1:9';
    assert.match(await startFailure(influx, { url }), /It has neither/);
    for (const [options, given] of [
      [{ database: 'a', bucket: 'b' }, 'database and bucket'],
      [{ database: 'a', org: 'o' }, 'database and org'],
      [{ bucket: 'b', retention_policy: 'r' }, 'retention_policy and bucket'],
      [{ org: 'o' }, 'org'],
    ] as const) {
      assert.match(await startFailure(influx, { url, ...options }), new RegExp(`It has ${given}\\.`));
    }
  });

  it('keeps events of one millisecond apart by their sequence, where the precision has room for it', async () => {
    const timeOf = async (parts: object, precision: string) =>
      (await write({ kind: 'event', sequence: 1_234, trapId: '01KB', ...parts }, { precision })).points[0]!;
    assert.equal((await timeOf({}, 'ns')).time, '1700000000123001234');
    assert.equal((await timeOf({}, 'us')).time, '1700000000123234');
    assert.equal((await timeOf({}, 'ms')).time, '1700000000123');
    assert.equal((await timeOf({ kind: undefined }, 'ns')).time, '1700000000123000000');
    assert.equal((await timeOf({}, 'ns')).fields['trap_id'], '01KB');
  });

  it('distinguishes rows that differ only in their key', async () => {
    const { points } = await write({
      rows: [{ key: 'x' }, { key: 'y' }].map((row) => ({ ...row, values: { v: 1 } })),
    });
    assert.deepEqual(
      points.map(({ tags }) => tags['key']),
      [undefined, 'y'],
    );
  });

  it('writes hostile texts as fields and tags, never as syntax', async () => {
    const texts = Object.values(hostileStrings);
    for (const isRaw of [true, false]) {
      const rows = texts.map((text, i) => ({
        labels: { index: String(i), [`n,=" ${i}\\`]: text },
        values: { [`f,=" ${i}\\`]: text },
      }));
      const { request, points } = await write({ record: 'a,b c=d\\', rows }, { raw_line_ends: isRaw });
      assert.equal(points.length, texts.length);
      if (!isRaw) assert.equal(request.body.toString().split('\n').length, texts.length + 1);
      for (const [i, text] of texts.entries()) {
        const { measurement, tags, fields } = points[i]!;
        assert.equal(measurement, 'a,b c=d\uFF3C');
        assert.deepEqual(Object.keys(fields), [`f,=" ${i}\uFF3C`]);
        const expected = Buffer.from(
          isRaw ? text : text.replaceAll('\n', '\\n').replaceAll('\r', '\\r'),
        ).toString();
        const [value] = Object.values(fields) as [string];
        if (text.length < 9_000) assert.equal(value, expected);
        else assert.ok(expected.startsWith(value) && value.length > 30_000);
        assert.equal(tags[`n,=" ${i}\uFF3C`], text === '' ? undefined : asTag(text));
      }
    }
  });
});

/** A tag as it is read: cut, control characters written out, no backslash before a separator or at the end. */
function asTag(text: string): string {
  return Buffer.from(text.slice(0, 1024))
    .toString()
    .replace(/\\(?=[,= ]|$)/g, '\uFF3C')
    .replace(/[\p{Cc}\u2028\u2029]/gu, (character) => {
      const escaped = JSON.stringify(character).slice(1, -1);
      const isShort = '\n\r\t\f'.includes(character);
      return isShort ? escaped : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
}
