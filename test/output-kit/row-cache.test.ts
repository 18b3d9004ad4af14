import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RowCache } from '../../src/output-kit/row-cache.ts';
import { createTestBatch } from '../../src/testing/index.ts';

describe('RowCache', () => {
  it('makes a value again when rows, tags or the name of the device change, not when a processor copies the tags', () => {
    const cache = new RowCache<number>();
    let made = 0;
    const get = (batch: ReturnType<typeof createTestBatch>) => cache.get(batch, () => ++made);
    const batch = createTestBatch({ tags: { site: 'a', rack: '1' } });
    assert.equal(get(batch), 1);
    assert.equal(get({ ...batch, tags: { ...batch.tags } }), 1);
    assert.equal(get({ ...batch, tags: { site: 'b', rack: '1' } }), 2);
    assert.equal(get({ ...batch, tags: { site: 'b' } }), 3);
    assert.equal(get({ ...batch, tags: { site: 'b', rack: '' } }), 4);
    assert.equal(get({ ...batch, tags: { site: 'b', rack: '' }, rows: { ...batch.rows } }), 5);
    assert.equal(get({ ...batch, device: { ...batch.device, name: 'other' } }), 6);
  });
});
