import { shardOf } from '../../../../src/sharding/index.ts';
import type { Asked } from './asked-devices.ts';
import type { FaultyFleet } from './faulty-fleet.ts';
import type { MemberRun } from './ownership.ts';

/** A poll may come earlier than its slot by this share of the interval, as far as the test can see, and later by the rest. */
const earlyShare = 0.25;
/** A request without a reply is repeated after half of the interval, or slightly later. */
const repeatedShare = 0.6;

/** What became of every slot of every device in a time. */
export interface SlotAccount {
  readonly slots: number;
  readonly polled: number;
  /** Nobody owned the shard, or its owner was about to end. */
  readonly unowned: number;
  /** The owner had the shard for less than two intervals, and may have had to discover the device first. */
  readonly takenOver: number;
  /** Slots that the owner owed, by process. */
  readonly missed: ReadonlyMap<MemberRun, number>;
  /** Slots in which a device was polled twice. */
  readonly doubled: readonly string[];
  /** The most slots in a row without a poll. */
  readonly longestRow: number;
}

/** Of the slots that were due in this time. Judged by what the devices have seen: only the reasons of slots without a poll are from the members. */
export function accountFor(fleet: FaultyFleet, sinceMs: number, untilMs: number): SlotAccount {
  const { devices, everyMs, runs } = fleet;
  const missed = new Map<MemberRun, number>();
  const doubled: string[] = [];
  let [slots, polledSlots, unowned, takenOver, longestRow] = [0, 0, 0, 0, 0];
  for (const port of devices.ports) {
    const requests = devices.asked.get(port)!.filter(({ isPoll }) => isPoll);
    const times = requests.map(({ atMs }) => atMs);
    const phaseMs = phaseOf(times, everyMs);
    const slotAt = (atMs: number) => Math.floor((atMs - phaseMs) / everyMs + earlyShare);
    const slotDue = (atMs: number) => Math.floor((atMs - phaseMs) / everyMs);
    const polls = countPolls(requests, slotAt, everyMs);
    const spans = runs.flatMap((run) => run.ownedSpans(shardOf({ ip: '127.0.0.1', port })));
    let row = 0;
    for (let slot = slotDue(sinceMs) + 1; slot <= slotDue(untilMs); slot++) {
      const dueMs = phaseMs + slot * everyMs;
      const count = polls.get(slot) ?? 0;
      slots++;
      if (count > 1) doubled.push(`${port} at ${Math.round(dueMs)}: ${count} polls`);
      row = count > 0 ? 0 : row + 1;
      longestRow = Math.max(longestRow, row);
      if (count > 0) {
        polledSlots++;
        continue;
      }
      const span = spans.find(({ fromMs, toMs }) => fromMs <= dueMs && dueMs < toMs);
      // A poll may be late by this: until then, no process counts its slot as missed.
      const latestMs = dueMs + (1 - earlyShare) * everyMs;
      if (span === undefined || latestMs >= span.run.endingMs) unowned++;
      else if (dueMs - span.fromMs < 2 * everyMs) takenOver++;
      else missed.set(span.run, (missed.get(span.run) ?? 0) + 1);
    }
  }
  return { slots, polled: polledSlots, unowned, takenOver, missed, doubled, longestRow };
}

/** Polls by slot. The next poll may follow a late one as soon as a repeated request, which is in the slot of its poll. */
function countPolls(
  requests: readonly Asked[],
  slotAt: (atMs: number) => number,
  everyMs: number,
): ReadonlyMap<number, number> {
  const polls = new Map<number, number>();
  for (const [i, { atMs, from }] of requests.entries()) {
    const slot = slotAt(atMs);
    const before = requests[i - 1];
    const isRepeated =
      before?.from === from && slotAt(before.atMs) === slot && atMs - before.atMs < repeatedShare * everyMs;
    if (!isRepeated) polls.set(slot, (polls.get(slot) ?? 0) + 1);
  }
  return polls;
}

/** Where the slots of a device are in its interval: the earliest place of a poll, seen from the middle of all. */
function phaseOf(times: readonly number[], everyMs: number): number {
  const [first = 0] = times;
  const places = times.map((atMs) => (atMs - first + 1.5 * everyMs) % everyMs).sort((a, b) => a - b);
  const middle = places[Math.floor(places.length / 2)] ?? 0;
  const nearby = places.map((place) => ((place - middle + 1.5 * everyMs) % everyMs) - everyMs / 2);
  const early = nearby.filter((place) => place > -earlyShare * everyMs);
  return first + middle - everyMs / 2 + Math.min(0, ...early);
}
