import { type Batch, defineErrors } from '../../../src/index.ts';
import type { Clock } from '../../../src/timing/index.ts';
import type { PolledDevice } from '../device/polled-device.ts';
import { pollerErrors } from '../errors.ts';
import type { PollCounters } from '../poll-tally.ts';
import type { PollReport } from '../service.ts';

const failure = defineErrors(pollerErrors);

/** Waits for plans that are being compiled. A context without anything to poll returns no batches. */
export async function pollAll(contexts: readonly PolledDevice[]): Promise<readonly Batch[]> {
  const polls = contexts.map(async (polled) => ((await polled.becomeReady()) ? polled.pollNow() : []));
  return (await Promise.all(polls)).flat();
}

/**
 * Runs all plans of a device outside its schedule, in all its contexts. A silent device must answer a probe first, or the poll
 * rejects with POLL_NO_ANSWER.
 */
export async function pollOnDemand(contexts: readonly PolledDevice[], clock: Clock): Promise<PollReport> {
  const [first] = contexts;
  if (first?.state.isSilent) await first.probeNow();
  if (first?.state.isSilent) {
    const { ref, status } = first.state.device;
    throw failure('POLL_NO_ANSWER', { device: ref.name, state: status.state });
  }
  const before = contexts.map(({ state: { tally } }) => tally.snapshot());
  const begunMs = clock.now();
  const batches = await pollAll(contexts);
  const increases = contexts.map(({ state: { tally } }, i) => countersSince(before[i]!, tally.snapshot()));
  return {
    durationMs: clock.now() - begunMs,
    packets: increases.reduce((sum, { packets }) => sum + packets, 0),
    values: increases.reduce((sum, { values }) => sum + values, 0),
    gaps: addGaps(increases.map(({ gaps }) => gaps)),
    records: batches.map(({ record, rows }) => ({ record, rows: rows.count })),
  };
}

function countersSince(
  before: PollCounters,
  after: PollCounters,
): Pick<PollReport, 'packets' | 'values' | 'gaps'> {
  return {
    packets: after.packets - before.packets,
    values: after.values - before.values,
    gaps: subtract(after.gaps, before.gaps),
  };
}

function addGaps(all: readonly PollCounters['gaps'][]): PollCounters['gaps'] {
  const sums: Record<string, number> = {};
  for (const [reason, count] of all.flatMap(Object.entries<number>)) {
    sums[reason] = (sums[reason] ?? 0) + count;
  }
  return sums;
}

function subtract(after: PollCounters['gaps'], before: PollCounters['gaps']): PollCounters['gaps'] {
  const known = new Map(Object.entries(before));
  const increases = Object.entries(after).map(([reason, count]) => [
    reason,
    count - (known.get(reason) ?? 0),
  ]);
  return Object.fromEntries(increases.filter(([, count]) => count !== 0));
}
