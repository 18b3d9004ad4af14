import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { uncompress } from 'snappyjs';
import { MetadataSender } from '../../../../plugins/outputs/prometheus-remote-write/sending/metadata-sender.ts';
import { FamilyTable } from '../../../../src/output-kit/naming/family-table.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';
import { recordLog } from '../../../kernel/support/log-lines.ts';
import { readMetadata, readWriteRequest } from './read-write-request.ts';
import { type Answering, modern, pollOf, slotMs, startWriting } from './start-writing.ts';

describe('answers of a receiver of remote write', () => {
  it('sends type, help and unit with 1.0 in separate requests, once per minute', async () => {
    await using writing = await startWriting(() => 204, { protocol: '1.0' });
    const batch = createTestBatch({ slotMs, rows: [{ values: { c: 5n, temp: 1, t: 'x' } }] });
    const columns = batch.columns.map((column) =>
      column.field === 'temp' ? { ...column, unit: '°C' } : column,
    );
    for (const minute of [0, 1])
      await writing.deliver({ ...batch, columns, sequence: minute, slotMs: slotMs + minute });
    assert.equal(writing.requests.length, 2);
    assert.deepEqual(writing.metadata.map(readMetadata), [
      [
        ['snmp_c_total', 1, 'c of the device.', ''],
        ['snmp_temp_celsius', 2, 'temp of the device.', 'celsius'],
        ['snmp_test_mib_test_entry_info', 6, 'Texts of TEST-MIB::testEntry.', ''],
      ],
    ]);
  });

  it('repeats metadata after a minute, with at most 2,000 families per request', async () => {
    let nowMs = 0;
    const families = new FamilyTable('snmp_');
    for (let i = 0; i < 4_001; i++) families.getFamily(`f${i}`, 'gauge');
    const sizes: number[] = [];
    const post = async (body: Buffer) => void sizes.push(uncompress(body).length);
    const { log } = recordLog();
    const teller = new MetadataSender({ families, post, log, now: () => nowMs });
    for (const atMs of [0, 59_999, 60_000]) {
      nowMs = atMs;
      await teller.send(new AbortController().signal);
    }
    assert.equal(sizes.length, 6);
    assert.ok(sizes[2]! < 100 && sizes[5]! < 100, 'the third request has one family');
  });

  it('loses no sample when the receiver refuses metadata', async () => {
    for (const status of [400, 401, 503]) {
      await using writing = await startWriting(() => 204, { protocol: '1.0' }, status);
      for (const minute of [0, 1]) await writing.deliver(pollOf(minute, [{ values: { v: minute } }]));
      assert.deepEqual([writing.requests.length, writing.metadata.length], [2, 1]);
      const { delivered, dropped, retries } = writing.output.counters;
      assert.deepEqual([delivered, dropped, retries], [2, 0, 0]);
    }
  });

  it('falls back to 1.0 without loss, and stays with it', async () => {
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

  it('waits when the path does not exist in either version, or the token is wrong', async () => {
    for (const [status, protocol] of [
      [404, 'auto'],
      [404, '2.0'],
      [415, '2.0'],
      [401, 'auto'],
      [403, '1.0'],
    ] as const) {
      let isRepaired = false;
      await using writing = await startWriting(() => (isRepaired ? modern : status), { protocol });
      writing.output.push(pollOf(0, [{ values: { v: 1 } }]));
      await writing.output.until(() => writing.output.counters.retries > 1);
      isRepaired = true;
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

  it('drops samples that the protocol forbids to repeat', async () => {
    await using writing = await startWriting((_, count) => (count === 1 ? 409 : modern), { protocol: '1.0' });
    for (const minute of [0, 1]) await writing.deliver(pollOf(minute, [{ values: { v: minute } }]));
    assert.deepEqual([writing.output.counters.delivered, writing.output.counters.dropped], [1, 1]);
  });

  it('stays with 2.0 after a success, and then treats a refusal as one of the samples', async () => {
    await using writing = await startWriting((_, count) =>
      count === 2 ? { ...modern, status: 400 } : modern,
    );
    for (const minute of [0, 1, 2]) await writing.deliver(pollOf(minute, [{ values: { v: minute } }]));
    assert.deepEqual(writing.versions(), ['2.0.0', '2.0.0', '2.0.0']);
    assert.deepEqual([writing.output.counters.delivered, writing.output.counters.dropped], [2, 1]);
  });
});
