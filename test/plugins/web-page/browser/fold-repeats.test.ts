import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foldRepeats } from '../../../../plugins/web-page/browser/views/fold-repeats.ts';
import { joinMoves } from '../../../../plugins/web-page/browser/views/join-moves.ts';
import type { FollowedEvent } from '../../../../src/client/index.ts';

/** One each second. */
function seen(id: number, name: string, data: object) {
  return { event: { id: `${id}`, name, data } as unknown as FollowedEvent, at: id * 1000 };
}
const device = (ip: string) => ({ name: ip, ip, port: 161 });
const [a, b] = [device('192.0.2.1'), device('192.0.2.2')];
const failed = (id: number, device: object, message: string) =>
  seen(id, 'discovery.failed', { device, message });
const state = (id: number, device: object, to: string) => seen(id, 'device.state', { device, to, why: '' });
const trap = (id: number, device: object, message: string) =>
  seen(id, 'trap.received', { device, name: 'IF-MIB::linkDown', severity: 'error', message });

const fold = (events: readonly ReturnType<typeof seen>[]) =>
  foldRepeats(events).map(({ event, times }) => `${event.id} × ${times}`);

describe('what happened in a cluster', () => {
  const gained = (id: number, member: string, shards: number) => {
    const { event, at } = seen(id, 'shard.gained', { shards });
    return { event: { ...event, member }, at };
  };
  it('joins the shards that a member gains in a row', () => {
    const left = seen(5, 'member.left', { member: 'c' });
    const events = [gained(9, 'a', 10), gained(8, 'a', 11), gained(7, 'b', 3), left, gained(4, 'b', 2)];
    assert.deepEqual(
      joinMoves(events).map(({ event, at }) => [event.id, at, 'shards' in event.data && event.data.shards]),
      [
        ['9', 9000, 21],
        ['7', 7000, 3],
        ['5', 5000, false],
        ['4', 4000, 2],
      ],
    );
  });
  it('keeps moves of other times apart', () =>
    assert.equal(joinMoves([gained(900, 'a', 1), gained(1, 'a', 1)]).length, 2));
});

describe('changes on the page', () => {
  it('counts what a device repeats, whatever times are in its text', () => {
    const events = [failed(9, a, 'within 1016 ms'), state(8, b, 'up'), failed(7, a, 'within 1013 ms')];
    assert.deepEqual(fold(events), ['9 × 2', '8 × 1']);
  });

  it('keeps devices, states and rows of traps apart', () => {
    const events = [
      state(9, a, 'up'),
      state(8, a, 'down'),
      state(7, b, 'up'),
      state(6, a, 'up'),
      trap(5, a, 'ge-0/3 is down'),
      trap(4, a, 'ge-0/4 is down'),
      trap(3, a, 'ge-0/3 is down'),
    ];
    assert.deepEqual(fold(events), ['9 × 2', '8 × 1', '7 × 1', '5 × 2', '4 × 1']);
  });

  it('joins what at least four devices do at about the same time', () => {
    const crowd = [9, 8, 7, 6].map((id) => state(id, device(`192.0.2.${id}`), 'down'));
    const long = state(-900, device('192.0.2.1'), 'down');
    const folded = foldRepeats([...crowd, long]);
    assert.deepEqual(
      folded.map(({ event, others }) => `${event.id} and ${others}`),
      ['9 and 3', '-900 and 0'],
    );
    assert.deepEqual(fold(crowd.slice(1)), ['8 × 1', '7 × 1', '6 × 1']);
  });

  it('counts discoveries of a device that found nothing new, and keeps those that did', () => {
    const found = (id: number, added: object) =>
      seen(id, 'discovery.completed', { device: a, cause: 'reset', inventory: { added, removed: {} } });
    assert.deepEqual(fold([found(4, {}), found(3, { o: 2 }), found(2, {}), found(1, { o: 0 })]), [
      '4 × 3',
      '3 × 1',
    ]);
  });

  it('never joins events without a device, nor other kinds', () => {
    const applied = [2, 1].map((id) => seen(id, 'definitions.changed', { generation: id }));
    const discovered = [4, 3].map((id) => seen(id, 'discovery.completed', { device: a }));
    assert.deepEqual(fold([...discovered, ...applied]), ['4 × 1', '3 × 1', '2 × 1', '1 × 1']);
  });
});
