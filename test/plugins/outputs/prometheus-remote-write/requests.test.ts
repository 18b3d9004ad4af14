import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import remoteWrite from '../../../../plugins/outputs/prometheus-remote-write/index.ts';
import { checkPlugin, createTestBatch } from '../../../../src/testing/index.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { type GivenAnswer, type ReceivedRequest, startHttpReceiver } from '../support/http-receiver.ts';
import { runOutput } from '../support/running-output.ts';
import { type ReadSeries, readWriteRequest } from './read-write-request.ts';

const slotMs = 1_700_000_000_000;
const device = { name: 'router-1', ip: '192.0.2.1', port: 161 };
const modern: GivenAnswer = {
  status: 204,
  headers: { 'x-prometheus-remote-write-samples-written': '1000000' },
};

type Answering = (request: ReceivedRequest, count: number) => GivenAnswer | number;

async function startWriting(answer: Answering, options = {}) {
  const receiver = await startHttpReceiver(answer);
  const output = await runOutput(remoteWrite, { url: `${receiver.url}/write`, ...options });
  return {
    output,
    deliver: output.deliver,
    requests: receiver.requests,
    versions: () => receiver.requests.map(({ headers }) => headers['x-prometheus-remote-write-version']),
    series: () => receiver.requests.flatMap(readWriteRequest),
    async [Symbol.asyncDispose]() {
      await output[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

const pollOf = (minute: number, rows: NonNullable<Parameters<typeof createTestBatch>[0]>['rows']) =>
  createTestBatch({
    slotMs: slotMs + minute * 60_000,
    timeMs: slotMs + minute * 60_000 + 250,
    sequence: minute,
    rows: rows!,
  });

/** What is left of a series when its constant labels are known. */
const short = ({ labels, value, timestamp }: ReadSeries) => {
  const { __name__: name, device: _, address: __, object: ___, ...rest } = labels;
  return [name, rest, value, (timestamp - slotMs) / 60_000];
};

describe('the prometheus-remote-write plugin', () => {
  it('keeps the contract', async () => {
    await checkPlugin(remoteWrite, { options: { url: 'http://127.0.0.1:9/' } });
  });

  it('writes every value with its slot, in both versions, named as the prometheus output names them', async () => {
    for (const protocol of ['1.0', '2.0']) {
      await using writing = await startWriting(() => modern, { protocol, state_sets: ['netif.state'] });
      await writing.deliver(
        createTestBatch({
          device,
          tags: { site: 'berlin' },
          record: 'IF-MIB::ifEntry',
          slotMs,
          rows: [
            {
              labels: { 'netif.index': '1' },
              values: {
                'netif.in': 2n ** 40n,
                speed: 1.5,
                up: true,
                'netif.alias': 'to "x"',
                'netif.state': 'up',
              },
            },
            { labels: { 'netif.index': '2' }, values: { 'netif.in': 7n, up: false, 'netif.state': 'down' } },
          ],
        }),
      );
      const all = writing.series();
      const common = {
        address: '192.0.2.1:161',
        device: 'router-1',
        object: 'IF-MIB::ifEntry',
        site: 'berlin',
      };
      for (const { labels, timestamp } of all) {
        for (const [name, value] of Object.entries(common)) assert.equal(labels[name], value);
        assert.equal(timestamp, slotMs);
      }
      assert.deepEqual(
        all.map(({ labels: { site: _, ...labels }, ...rest }) => short({ labels, ...rest })),
        [
          ['snmp_netif_in_total', { netif_index: '1' }, 2 ** 40, 0],
          ['snmp_speed', { netif_index: '1' }, 1.5, 0],
          ['snmp_up', { netif_index: '1' }, 1, 0],
          ['snmp_if_mib_if_entry_info', { netif_alias: 'to "x"', netif_index: '1' }, 1, 0],
          ['snmp_netif_state', { netif_index: '1', snmp_netif_state: 'up' }, 1, 0],
          ['snmp_netif_in_total', { netif_index: '2' }, 7, 0],
          ['snmp_up', { netif_index: '2' }, 0, 0],
          ['snmp_netif_state', { netif_index: '2', snmp_netif_state: 'up' }, 0, 0],
          ['snmp_netif_state', { netif_index: '2', snmp_netif_state: 'down' }, 1, 0],
        ],
      );
    }
  });

  it('says type, help and unit in 2.0, and when counters began', async () => {
    await using writing = await startWriting(() => modern);
    await writing.deliver(
      createTestBatch({
        record: 'SYSTEM',
        timeMs: slotMs,
        slotMs,
        rows: [{ values: { 'system.uptime': 60_000 } }],
      }),
      createTestBatch({ slotMs, timeMs: slotMs, rows: [{ values: { c: 5n, g: 1, t: 'x' } }] }),
    );
    const told = writing
      .series()
      .map(({ labels, type, help, start }) => [labels['__name__'], type, help, start]);
    assert.deepEqual(told, [
      ['snmp_system_uptime', 2, 'system.uptime of the device.', undefined],
      ['snmp_c_total', 1, 'c of the device.', slotMs - 60_000],
      ['snmp_g', 2, 'g of the device.', undefined],
      ['snmp_test_mib_test_entry_info', 6, 'Texts of TEST-MIB::testEntry.', undefined],
    ]);
  });

  it('falls back to 1.0, loses nothing by it and remembers', async () => {
    const refusals: Answering[] = [
      ({ headers }) => (headers['x-prometheus-remote-write-version'] === '2.0.0' ? 415 : 204),
      ({ headers }) => (headers['x-prometheus-remote-write-version'] === '2.0.0' ? 400 : 204),
      () => 204,
    ];
    for (const answer of refusals) {
      await using writing = await startWriting(answer);
      for (const minute of [0, 1, 2]) await writing.deliver(pollOf(minute, [{ values: { v: minute } }]));
      assert.deepEqual(writing.versions(), ['2.0.0', '0.1.0', '0.1.0', '0.1.0']);
      const values = writing.requests
        .slice(1)
        .flatMap(readWriteRequest)
        .map(({ value }) => value);
      assert.deepEqual(values, [0, 1, 2]);
      assert.deepEqual(writing.output.counters.dropped, 0);
    }
  });

  it('waits for a place that is not there in either version, and loses nothing by a wrong token', async () => {
    for (const [status, protocol] of [
      [404, 'auto'],
      [404, '2.0'],
      [415, '2.0'],
      [401, 'auto'],
      [403, '1.0'],
    ] as const) {
      let isMended = false;
      await using writing = await startWriting(() => (isMended ? modern : status), { protocol });
      writing.output.push(pollOf(0, [{ values: { v: 1 } }]));
      await writing.output.until(() => writing.output.counters.retries > 1);
      isMended = true;
      await writing.output.until(() => writing.output.counters.queued === 0);
      assert.deepEqual([writing.output.counters.delivered, writing.output.counters.dropped], [1, 0]);
    }
  });

  it('counts the samples that a receiver of 2.0 did not write', async () => {
    const written = ['1', '0', 'some'];
    await using writing = await startWriting((_, count) => ({
      status: 204,
      headers: { 'x-prometheus-remote-write-samples-written': written[count - 1] ?? '3' },
    }));
    const rows = ['a', 'b', 'c'].map((name) => ({ labels: { name }, values: { v: 1 } }));
    for (const minute of [0, 1, 2]) await writing.deliver(pollOf(minute, rows));
    const { delivered, dropped, refusedValues } = writing.output.counters;
    assert.deepEqual([delivered, dropped, refusedValues], [2, 1, 2]);
    assert.match(writing.output.logText, /wrote 1 of 3 samples/);
  });

  it('drops what the protocol forbids to send again', async () => {
    await using writing = await startWriting((_, count) => (count === 1 ? 409 : modern), { protocol: '1.0' });
    for (const minute of [0, 1]) await writing.deliver(pollOf(minute, [{ values: { v: minute } }]));
    assert.deepEqual([writing.output.counters.delivered, writing.output.counters.dropped], [1, 1]);
  });

  it('stays with 2.0 once it was written, and takes a refusal then as one of the samples', async () => {
    await using writing = await startWriting((_, count) =>
      count === 2 ? { ...modern, status: 400 } : modern,
    );
    for (const minute of [0, 1, 2]) await writing.deliver(pollOf(minute, [{ values: { v: minute } }]));
    assert.deepEqual(writing.versions(), ['2.0.0', '2.0.0', '2.0.0']);
    assert.deepEqual([writing.output.counters.delivered, writing.output.counters.dropped], [2, 1]);
  });

  it('marks as stale what the next poll does not have: values, rows, texts that are others', async () => {
    await using writing = await startWriting(() => 204, { protocol: '1.0' });
    const row = (name: string, values: Readonly<Record<string, number | string>>) => ({
      labels: { name },
      values,
    });
    await writing.deliver(pollOf(0, [row('a', { v: 1, w: 2, t: 'old' }), row('b', { v: 3, t: 'same' })]));
    const before = writing.requests.length;
    await writing.deliver(pollOf(1, [row('a', { v: 4, t: 'new' }), row('c', { v: 5 })]));
    const info = 'snmp_test_mib_test_entry_info';
    assert.deepEqual(writing.requests.slice(before).flatMap(readWriteRequest).map(short), [
      ['snmp_w', { name: 'a' }, 'stale', 1],
      [info, { name: 'a', t: 'old' }, 'stale', 1],
      ['snmp_v', { name: 'b' }, 'stale', 1],
      [info, { name: 'b', t: 'same' }, 'stale', 1],
      ['snmp_v', { name: 'a' }, 4, 1],
      [info, { name: 'a', t: 'new' }, 1, 1],
      ['snmp_v', { name: 'c' }, 5, 1],
    ]);
  });

  it('marks all of a device that goes down, behind its last values, although nothing else is polled', async () => {
    await using writing = await startWriting((_, count) => (count === 2 ? 503 : 204), { protocol: '1.0' });
    const now = Date.now();
    await writing.deliver(
      createTestBatch({ device, slotMs: now - 500, timeMs: now - 400, rows: [{ values: { v: 1, t: 'x' } }] }),
    );
    writing.output.collector.events.emit('device.state', {
      device,
      from: 'suspect',
      to: 'down',
      why: 'silence',
    });
    for (const end = Date.now() + 6_000; writing.requests.length < 3 && Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const [, failed, last] = writing.requests.map(readWriteRequest);
    assert.deepEqual(failed, last, 'it is sent again as it was');
    assert.deepEqual(
      last!.map(({ labels, value }) => [labels['__name__'], value]),
      [
        ['snmp_v', 'stale'],
        ['snmp_test_mib_test_entry_info', 'stale'],
      ],
    );
    assert.ok(last!.every(({ timestamp }) => timestamp >= now));
  });

  it('brings hostile texts as labels, never as anything else', async () => {
    const texts = Object.values(hostileStrings);
    for (const protocol of ['1.0', '2.0']) {
      await using writing = await startWriting(() => modern, { protocol });
      const rows = texts.map((text, i) => ({
        labels: { index: String(i), name: text },
        values: { v: i, t: text },
      }));
      await writing.deliver(
        createTestBatch({ rows, device: { ...device, name: texts[4]! }, tags: { note: texts[6]! } }),
      );
      const expected = (text: string) => text.slice(0, 1024).replaceAll('\0', '\uFFFD');
      // An unpaired half of a character has no UTF-8.
      const asUtf8 = (text: string) => Buffer.from(expected(text)).toString();
      const all = writing.series();
      for (const [i, text] of texts.entries()) {
        const [number, info] = all.filter(({ labels }) => labels['index'] === String(i));
        assert.equal(number!.labels['name'] ?? '', asUtf8(text));
        assert.equal(number!.labels['device'], asUtf8(texts[4]!));
        assert.equal(number!.labels['note'], asUtf8(texts[6]!));
        assert.equal(info?.labels['t'] ?? '', asUtf8(text));
      }
    }
  });
});
