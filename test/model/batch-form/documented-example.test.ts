import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { type Batch, BatchDecoder, BatchEncoder, gapCode } from '../../../src/index.ts';

const page = readFileSync(new URL('../../../docs/batch-format.md', import.meta.url), 'utf8');

/** What the page says that its bytes mean. */
const batch: Batch = {
  device: { name: 'r1', ip: '192.0.2.1', port: 161 },
  tags: { site: 'Köln' },
  record: 'A::b',
  plan: 'A::b@60',
  generation: 3,
  sequence: 7,
  slotMs: 1_700_000_000_000,
  timeMs: 1_700_000_000_250,
  rows: { count: 2, keys: ['1', '2'], labels: { i: ['1', '2'] } },
  columns: [
    {
      kind: 'counter',
      metric: 'counter',
      unit: 'By',
      field: 'in',
      words: Uint32Array.of(1000, 0, 5, 1),
      gaps: undefined,
    },
    {
      kind: 'number',
      metric: 'gauge',
      field: 't',
      values: Float64Array.of(21.5, 0),
      gaps: Uint8Array.of(0, gapCode('noSuchInstance')),
    },
    { kind: 'text', field: 'n', values: ['up', undefined], gaps: undefined },
  ],
};

it('encodes and decodes the documented example byte for byte', () => {
  const [, example = ''] = /## Example\n.*?```text\n(.*?)```/s.exec(page) ?? [];
  const hex = example.split('\n').map((line) => /^(?:[0-9a-f]{2} )*(?:[0-9a-f]{2})(?= {2})/.exec(line)?.[0]);
  const documented = Buffer.from(hex.join('').replaceAll(' ', ''), 'hex');
  assert.equal(new BatchEncoder().encode(batch).toString('hex'), documented.toString('hex'));
  assert.deepStrictEqual(new BatchDecoder().decode(documented), batch);
});
