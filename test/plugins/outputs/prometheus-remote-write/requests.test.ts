import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import remoteWrite from '../../../../plugins/outputs/prometheus-remote-write/index.ts';
import { checkPlugin, createTestBatch } from '../../../../src/testing/index.ts';
import { until } from '../../../support/until.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { type ReadSeries, readWriteRequest } from './read-write-request.ts';
import { device, modern, pollOf, slotMs, startWriting } from './start-writing.ts';

/** A series without its constant labels. */
const short = ({ labels, value, timestamp }: ReadSeries) => {
  const { __name__: name, device: _, address: __, object: ___, ...rest } = labels;
  return [name, rest, value, (timestamp - slotMs) / 60_000];
};

describe('the prometheus-remote-write plugin', () => {
  it('keeps the contract', async () => {
    await checkPlugin(remoteWrite, { options: { url: 'http://127.0.0.1:9/' } });
  });

  it('writes every value with its slot in both versions, with the names of the prometheus output', async () => {
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

  it('sends type, help, unit and start times with 2.0', async () => {
    await using writing = await startWriting(() => modern);
    await writing.deliver(
      createTestBatch({
        record: 'SYSTEM',
        timeMs: slotMs,
        slotMs,
        rows: [{ values: { 'system.uptime': 60_000 } }],
      }),
      createTestBatch({
        slotMs,
        timeMs: slotMs,
        startedMs: slotMs - 60_000,
        rows: [{ values: { c: 5n, g: 1, t: 'x' } }],
      }),
    );
    const reported = writing
      .series()
      .map(({ labels, type, help, start }) => [labels['__name__'], type, help, start]);
    assert.deepEqual(reported, [
      ['snmp_system_uptime', 2, 'system.uptime of the device.', undefined],
      ['snmp_c_total', 1, 'c of the device.', slotMs - 60_000],
      ['snmp_g', 2, 'g of the device.', undefined],
      ['snmp_test_mib_test_entry_info', 6, 'Texts of TEST-MIB::testEntry.', undefined],
    ]);
  });

  it('marks missing values, missing rows and changed texts as stale', async () => {
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

  it('writes an alias on the info metric only, by one plan of the record', async () => {
    const row = (alias: string) => ({
      labels: { 'netif.index': '1', 'netif.alias': alias },
      values: { v: 1 },
    });
    const poll = (plan: string, minute: number, alias: string) => ({
      ...pollOf(minute, [row(alias)]),
      plan,
      intervalMs: 60_000,
    });
    const write = async (options: object) => {
      await using writing = await startWriting(() => 204, { protocol: '1.0', ...options });
      for (const minute of [0, 1]) {
        const alias = minute === 0 ? 'old' : 'new';
        await writing.deliver(poll('a', minute, alias));
        await writing.deliver(poll('b', minute, alias));
      }
      // The definitions have changed: the plan `a` is not polled any more.
      for (const minute of [3, 4]) await writing.deliver(poll('b', minute, 'new'));
      return writing.series().map(short);
    };
    const info = 'snmp_test_mib_test_entry_info';
    const v = (minute: number) => ['snmp_v', { netif_index: '1' }, 1, minute];
    const texts = (alias: string, value: number | string, minute: number) => [
      info,
      { netif_alias: alias, netif_index: '1' },
      value,
      minute,
    ];
    assert.deepEqual(await write({}), [
      v(0),
      texts('old', 1, 0),
      v(0),
      texts('old', 'stale', 1),
      v(1),
      texts('new', 1, 1),
      v(1),
      v(3),
      v(4),
      texts('new', 1, 4),
    ]);
    const labelled = await write({ info_labels: [] });
    assert.deepEqual(labelled[0], ['snmp_v', { netif_alias: 'old', netif_index: '1' }, 1, 0]);
    assert.ok(labelled.every(([name]) => name === 'snmp_v'));
  });

  it('marks all series of a device that goes down as stale, after its last values, even if nothing else is polled', async () => {
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
    await until(() => writing.requests.length >= 3);
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

  it('writes hostile texts only as labels', async () => {
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
