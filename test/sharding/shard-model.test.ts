import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../../src/testing/index.ts';
import { isLong } from '../support/long-run.ts';
import { SimulatedFleet, type SimulatedMember } from './simulated-fleet.ts';

/** A fault, or time that passes; `who` chooses one of the members. */
interface Step {
  readonly name: string;
  readonly act: (fleet: SimulatedFleet, member: SimulatedMember) => Promise<void> | void;
}

const nat = (max: number) => fc.nat({ max });
const step = <Value>(
  name: string,
  value: fc.Arbitrary<Value>,
  act: (fleet: SimulatedFleet, member: SimulatedMember, value: Value) => Promise<void> | void,
): fc.Arbitrary<Step> =>
  value.map((drawn) => ({
    name: `${name} ${drawn}`,
    act: (fleet, member) => act(fleet, member, drawn),
  }));

const steps = fc.oneof(
  { weight: 6, arbitrary: step('pass', nat(8_000), (fleet, _, ms) => fleet.pass(ms)) },
  step('suspend', fc.constant(''), (_, { clock }) => {
    clock.isSuspended = true;
  }),
  {
    weight: 2,
    arbitrary: step('resume', fc.constant(''), (_, { clock, isAlive }) => {
      if (isAlive) clock.resume();
    }),
  },
  step('cut', fc.constant(''), (_, { link }) => {
    link.isDown = true;
  }),
  {
    weight: 2,
    arbitrary: step('connect', fc.constant(''), (_, { link }) => {
      link.isDown = false;
    }),
  },
  step('lose replies', nat(30), (_, { link }, count) => {
    link.lostReplies = count;
  }),
  step('delay requests and replies', nat(6_000), (_, { link }, ms) => {
    link.delayMs = ms;
  }),
  step('delay watch', nat(5_000), (_, { link }, ms) => {
    link.watchDelayMs = ms;
  }),
  step('compact the watched revision', fc.constant(''), (_, { link }) => link.compact()),
  step('kill', fc.constant(''), (fleet, member) => {
    if (fleet.members.length < 8) fleet.kill(member);
  }),
  step('join', fc.constant(''), (fleet) => {
    if (fleet.members.length < 8) fleet.add(`m${fleet.members.length}`);
  }),
  step('leave', fc.constant(''), (_, { owner }) => {
    void owner.leave().then(() => owner.close());
  }),
  step('step the clock', nat(7_200_000), ({ clock }, _, ms) => clock.step(ms - 3_600_000)),
) as fc.Arbitrary<Step>;

const history = fc.array(fc.tuple(steps, fc.nat({ max: 7 })), { maxLength: 30 });

describe('ownership under every fault', () => {
  it('never belongs to two members at a time, and is complete once the faults are over', async () => {
    const property = fc.asyncProperty(history, fc.nat(), async (acts, seed) => {
      const fleet = new SimulatedFleet(seededRandom(seed));
      try {
        for (const name of ['m0', 'm1', 'm2']) fleet.add(name);
        await fleet.pass(3_000);
        for (const [{ act }, who] of acts) await act(fleet, fleet.members[who % fleet.members.length]!);
        fleet.add('last');
        for (const { link, clock, isAlive } of fleet.members) {
          Object.assign(link, { isDown: false, lostReplies: 0, delayMs: 0, watchDelayMs: 0 });
          if (isAlive) clock.resume();
        }
        await fleet.pass(40_000);
        assert.deepEqual(fleet.doubled, []);
        assert.deepEqual(
          fleet.owners().flatMap((owner, shard) => (owner === undefined ? [shard] : [])),
          [],
          'shards without an owner',
        );
      } finally {
        await fleet.close();
      }
    });
    await fc.assert(property, { numRuns: isLong ? 300 : 4, ...(isLong ? {} : { seed: 18 }) });
  });
});
