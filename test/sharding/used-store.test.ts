import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsedStore } from '../../src/sharding/used-store.ts';

describe('the data of the store that a member uses', () => {
  it('are none until the verdict on the first that were found', async () => {
    const store = new UsedStore();
    const others: (string | undefined)[] = [];
    const seen: (string | undefined)[] = [];
    const mayUse = async () => {
      seen.push(store.identity);
      return false;
    };
    await store.judge('k2', undefined, { mayUse }, () => others.push(store.identity));
    assert.deepEqual(seen, [undefined], 'nobody takes entries from data that may be foreign');
    assert.equal(store.identity, undefined);
    assert.deepEqual(others, [], 'there was no data before');
  });

  it('are those that were allowed, until others are found', async () => {
    const store = new UsedStore();
    const others: (string | undefined)[] = [];
    await store.judge('k1', undefined, { mayUse: () => true }, () => others.push(store.identity));
    assert.equal(store.identity, 'k1');
    await store.judge('k2', undefined, { mayUse: () => false }, () => others.push(store.identity));
    assert.equal(store.identity, undefined);
    assert.deepEqual(others, [undefined]);
  });
});
