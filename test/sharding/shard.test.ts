import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseOwners, shardCount, shardOf } from '../../src/sharding/shard.ts';

const members = (...names: readonly string[]) => names.map((name) => ({ name, weight: 1 }));
const countOf = (owners: readonly unknown[], name: string) => owners.filter((owner) => owner === name).length;

describe('shards', () => {
  it('of known devices never change', () => {
    const devices = [
      { ip: '192.0.2.1', port: 161 },
      { ip: '192.0.2.2', port: 161 },
      { ip: '2001:db8::1', port: 1161 },
    ];
    assert.deepEqual(devices.map(shardOf), [401, 39, 702]);
  });

  it('have about as many devices each', () => {
    const counts = new Uint32Array(shardCount);
    for (let i = 0; i < 102_400; i++)
      counts[shardOf({ ip: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, port: 161 })]!++;
    assert.ok(Math.max(...counts) < 160 && Math.min(...counts) > 50);
  });

  it('are spread by weight', () => {
    const owners = chooseOwners([
      { name: 'a', weight: 1 },
      { name: 'b', weight: 1 },
      { name: 'c', weight: 2 },
      { name: 'd', weight: 0 },
    ]);
    assert.ok(Math.abs(countOf(owners, 'a') - 256) < 60);
    assert.ok(Math.abs(countOf(owners, 'c') - 512) < 80);
    assert.equal(countOf(owners, 'd'), 0);
  });

  it('move only from or to the member that joined or left', () => {
    const three = chooseOwners(members('a', 'b', 'c'));
    const four = chooseOwners(members('d', 'c', 'b', 'a'));
    const moved = four.filter((owner, shard) => owner !== three[shard]);
    assert.ok(moved.length > 180 && moved.length < 330);
    assert.deepEqual(new Set(moved), new Set(['d']));
  });

  it('have no owner when there is no member', () => {
    assert.ok(chooseOwners([]).every((owner) => owner === undefined));
  });
});
