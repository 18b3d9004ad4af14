import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Coordinator } from '../../src/sharding/coordinator.ts';
import { MemoryStore } from '../../src/sharding/memory-coordinator.ts';
import { checkCoordinator } from '../../src/testing/index.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

const connectTo = (
  store: MemoryStore,
  change: (coordinator: Coordinator) => Partial<Coordinator> = () => ({}),
) => {
  return () => {
    const coordinator = store.connect();
    return { ...coordinator, ...change(coordinator) };
  };
};

describe('the check of coordinators', () => {
  it('passes the one in memory', async () => {
    const clock = new SimulatedClock();
    const store = new MemoryStore(clock);
    await checkCoordinator({ connect: connectTo(store), wait: async (ms) => clock.pass(ms) });
  });

  const broken: readonly [
    title: string,
    change: (good: Coordinator) => Partial<Coordinator>,
    fault: RegExp,
  ][] = [
    ['claims that always succeed', () => ({ claim: async () => 1 }), /two members claim the same shard/],
    [
      'claims without a lease',
      ({ claim }) => ({ claim: async (...all) => claim(...all).catch(() => 5) }),
      /has ended claims/,
    ],
    [
      'leases that never end',
      () => ({ renewLease: async () => true }),
      /a lease that has ended is renewed|does not end|lease is renewed/,
    ],
    ['names that are not unique', () => ({ register: async () => true }), /two leases have the same name/],
    [
      'states that anybody may write',
      ({ saveState }) => ({ saveState: async (...all) => (await saveState(...all)) || true }),
      /former owner overwrites/,
    ],
    ['reports that never come', () => ({ watch: () => () => {} }), /no snapshot is reported/],
    [
      'an identity for each connection',
      () => ({ identify: async () => String(Math.random()) }),
      /different stores/,
    ],
  ];
  for (const [title, change, fault] of broken) {
    it(`refuses one with ${title}`, async () => {
      const clock = new SimulatedClock();
      const connect = connectTo(new MemoryStore(clock), change);
      await assert.rejects(checkCoordinator({ connect, wait: async (ms) => clock.pass(ms) }), fault);
    });
  }
});
