import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type Batch, BatchDecoder, BatchEncoder, gapCode } from '../../../src/index.ts';
import { formVersion } from '../../../src/model/batch-form/batch-codes.ts';

/** What each `fixtures/version-N.batch` holds. The files are never rewritten: every released version stays readable. */
const first: Batch = {
  device: { name: 'router-1', ip: '2001:db8::1', port: 1161 },
  tags: { site: 'Zürich', rack: '日本' },
  record: 'IF-MIB::ifEntry',
  plan: 'IF-MIB::ifEntry@60',
  generation: 3,
  sequence: 17,
  slotMs: 1_767_225_600_000,
  timeMs: 1_767_225_600_212,
  rows: {
    count: 3,
    keys: ['netif.name=Gi0/1', 'netif.name=Gi0/2', '3'],
    labels: { 'netif.index': ['1', '2', '3'], 'netif.name': ['Gi0/1', 'Gi0/2', undefined] },
  },
  columns: [
    {
      kind: 'counter',
      metric: 'counter',
      unit: 'By',
      field: 'netif.bytes.in',
      words: Uint32Array.of(7, 0, 0xffffffff, 0xffffffff, 0, 0),
      gaps: Uint8Array.of(0, 0, gapCode('noSuchInstance')),
    },
    {
      kind: 'number',
      metric: 'gauge',
      field: 'netif.temperature',
      values: Float64Array.of(21.5, -3.25, 0),
      gaps: undefined,
    },
    {
      kind: 'number',
      field: 'netif.rate',
      values: Float64Array.of(1 / 3, -0, Number.NaN),
      gaps: undefined,
    },
    { kind: 'boolean', field: 'netif.up', values: Uint8Array.of(1, 0, 1), gaps: undefined },
    { kind: 'text', field: 'netif.alias', values: ['uplink', undefined, 'broken \ud800'], gaps: undefined },
    { kind: 'list', field: 'netif.flags', values: [['up', 'running'], [], undefined], gaps: undefined },
  ],
};
const second: Batch = { ...first, startedMs: 1_766_000_000_123 };
const names = new Map([
  [1, 'up'],
  [2, 'down'],
]);
/** Descriptions are not written. */
const third: Batch = {
  ...second,
  intervalMs: 60_000,
  columns: first.columns.map((column) => {
    if (column.field === 'netif.rate') return { ...column, about: { derived: 'rate' } };
    return column.field === 'netif.alias' ? { ...column, about: { names, isTime: true } } : column;
  }),
};
const fourth: Batch = { ...third, shard: 1_023, epoch: 123_456_789_012 };
const fifth: Batch = { ...fourth, kind: 'event', trapId: '01KB0000000000000000000000' };
const batches: readonly Batch[] = [first, second, third, fourth, fifth];

describe('batches written by released versions', () => {
  for (const [i, batch] of batches.entries()) {
    it(`reads version ${i + 1}`, () => {
      const bytes = readFileSync(new URL(`fixtures/version-${i + 1}.batch`, import.meta.url));
      assert.deepStrictEqual(new BatchDecoder().decode(bytes), batch);
    });
  }

  it('has a file of the version that is written', () => {
    assert.equal(batches.length, formVersion);
    const bytes = readFileSync(new URL(`fixtures/version-${formVersion}.batch`, import.meta.url));
    assert.equal(new BatchEncoder().encode(batches.at(-1)!)[0], bytes[0]);
  });

  it('writes the first version when no start time is known, so that older readers still read the batch', () => {
    for (const batch of [first, { ...first, startedMs: undefined }]) {
      const bytes = new BatchEncoder().encode(batch);
      assert.deepEqual(bytes, readFileSync(new URL('fixtures/version-1.batch', import.meta.url)));
    }
  });

  it('writes the fifth version only for events, and for polls that a notification caused', () => {
    for (const [batch, version] of [
      [{ ...first, kind: 'event' }, 5],
      [{ ...first, trapId: 'x' }, 5],
      [{ ...first, kind: undefined, trapId: undefined }, 1],
      [fourth, 4],
    ] as const) {
      const bytes = new BatchEncoder().encode(batch);
      assert.equal(bytes[0], version);
      const { kind, trapId } = new BatchDecoder().decode(bytes);
      assert.deepEqual([kind, trapId], [(batch as Batch).kind, (batch as Batch).trapId]);
    }
  });

  it('rejects versions that it does not know', () => {
    for (const version of [0, formVersion + 1, 255]) {
      const bytes = Buffer.from(new BatchEncoder().encode(first));
      bytes[0] = version;
      assert.throws(() => new BatchDecoder().decode(bytes), {
        message: `The batch has version ${version}. This Waywiser reads versions up to ${formVersion}.`,
      });
    }
  });
});
