import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Device } from '../../../plugins/device-registry/service.ts';
import type { ClientSession } from '../../../plugins/snmp-client/service.ts';
import { CurrentSession } from '../../../plugins/snmp-poller/device/current-session.ts';
import { runPoll } from '../../../plugins/snmp-poller/device/device-poll.ts';
import { DeviceState, detectRestart } from '../../../plugins/snmp-poller/device/device-state.ts';
import type { DeviceTools } from '../../../plugins/snmp-poller/device/device-tools.ts';
import { PlanMemory } from '../../../plugins/snmp-poller/device/plan-memory.ts';
import { type PollPlan, sysUpTimeSlot } from '../../../plugins/snmp-poller/plan/poll-plan.ts';
import { PollTally } from '../../../plugins/snmp-poller/poll-tally.ts';
import type { PollColumns } from '../../../src/snmp/index.ts';
import { createDurationHistogram } from '../../../src/timing/histogram.ts';
import { SliceTurns } from '../../../src/timing/slices.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';

const timeTicks = 0x43;

/** One device, and the causes of the discoveries that were requested because it seemed to have restarted. */
function build() {
  const clock = new SimulatedClock();
  const asked: string[] = [];
  const device = {
    ref: { name: 'sw', ip: '127.0.0.1', port: 161 },
    settings: { ip: '127.0.0.1' },
    status: { state: 'up' },
  } as Device;
  const tools = {
    clock,
    slices: new SliceTurns(clock),
    events: { emit: () => {} },
    tally: new PollTally(),
    durations: createDurationHistogram(),
    roundTrips: createDurationHistogram(),
    reportContact: () => {},
    requestDiscovery: (_: unknown, cause: string) => void asked.push(cause),
    push: () => {},
    nextSequence: () => 1,
    shards: { owns: () => true, epochOf: () => undefined },
  };
  /** When the first reply with the device's clock comes, and how long the poll takes. */
  const answer = { firstAfterMs: 0, durationMs: 0 };
  const begunMs = clock.now();
  const deadlinesMs: number[] = [];
  const session = {
    roundTripMs: 1,
    retransmitted: 0,
    async poll(_: unknown, columns: PollColumns, { withinMs }: { readonly withinMs: number }) {
      deadlinesMs.push(withinMs);
      clock.pass(answer.firstAfterMs);
      columns.status[sysUpTimeSlot] = timeTicks;
      columns.words[2 * sysUpTimeSlot] = 1_000_000 + Math.round((clock.now() - begunMs) / 10);
      clock.pass(answer.durationMs - answer.firstAfterMs);
      const { firstAfterMs } = answer;
      return { values: 1, exceptions: 0, missing: 0, replies: 1, firstAfterMs, misordered: [] };
    },
  };
  const opened = new CurrentSession(async () => session as unknown as ClientSession);
  const state = new DeviceState(device, undefined, opened);
  return {
    asked,
    clock,
    deadlinesMs,
    state,
    note: (localMs: number, upTicks: number) =>
      detectRestart(state, { localMs, upTicks, boots: undefined }, tools as unknown as DeviceTools),
    async poll(facts: typeof answer, lateMs = 0) {
      Object.assign(answer, facts);
      const memory = new PlanMemory(emptyPlan);
      const slot = { slotMs: 0, lateMs };
      await runPoll(state, memory, slot, tools as unknown as DeviceTools);
    },
  };
}

const emptyPlan: PollPlan = {
  name: 'every-60s',
  everyMs: 60_000,
  requests: [],
  labelRequests: [],
  reads: [],
  slots: 2,
  textSlots: 0,
  records: [],
  batches: [],
  sensors: [],
  watches: [],
  readsBoots: false,
};

describe('the clock of a device that was not restarted', () => {
  it('shows no restart after a slow poll', async () => {
    const { poll, clock, asked } = build();
    await poll({ firstAfterMs: 1, durationMs: 40 });
    clock.pass(60_000 - 40);
    await poll({ firstAfterMs: 1, durationMs: 45_000 });
    clock.pass(60_000 - 45_000);
    await poll({ firstAfterMs: 1, durationMs: 40 });
    assert.deepEqual(asked, []);
  });

  it('does not go backwards when a long poll ends after a short one that began later', () => {
    const { note, asked } = build();
    note(0, 1_000);
    note(5_000, 1_500);
    assert.equal(note(3_000, 1_300), false, 'older than the last reading');
    assert.equal(note(5_004, 1_499), false, 'read at the same time by another poll');
    assert.equal(note(9_000, 1_900), false);
    assert.deepEqual(asked, []);
  });

  it('shows a restart between two polls that are close together', () => {
    const { note, asked } = build();
    note(0, 100_000);
    assert.equal(note(20, 50), true);
    assert.equal(note(21, 51), false);
    assert.deepEqual(asked, ['reset']);
  });
});

describe('a poll', () => {
  it('must end when 80 % of its interval is over, counted from its slot', async () => {
    const { poll, deadlinesMs } = build();
    await poll({ firstAfterMs: 1, durationMs: 40 });
    await poll({ firstAfterMs: 1, durationMs: 40 }, 500);
    assert.deepEqual(deadlinesMs, [48_000, 47_500]);
  });

  it('takes the round trip and the duration from the session and the clock, in milliseconds', async () => {
    const { poll, state } = build();
    await poll({ firstAfterMs: 1, durationMs: 40 });
    assert.equal(state.path.roundTripMs, 1);
    assert.equal(state.lastDurationMs, 40);
  });
});
