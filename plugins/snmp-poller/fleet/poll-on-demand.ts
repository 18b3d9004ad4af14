import { type Batch, defineErrors } from '../../../src/index.ts';
import type { Clock } from '../../../src/internal.ts';
import type { PolledDevice } from '../device/polled-device.ts';
import { pollerErrors } from '../errors.ts';
import type { PollCounters } from '../poll-tally.ts';
import type { PollReport } from '../service.ts';

const failure = defineErrors(pollerErrors);

/** Undone plans are made first; a context in which there is nothing to poll brings nothing. */
export async function pollAll(contexts: readonly PolledDevice[]): Promise<readonly Batch[]> {
  const polls = contexts.map(async (polled) => ((await polled.becomeReady()) ? polled.pollNow() : []));
  return (await Promise.all(polls)).flat();
}

/**
 * Polls all that a device has, out of turn, in all its contexts; the first one speaks for it. A device that fell silent
 * has to answer a probe first: rejects with POLL_NO_ANSWER.
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
  const grown = contexts.map(({ state: { tally } }, i) => compare(before[i]!, tally.snapshot()));
  return {
    durationMs: clock.now() - begunMs,
    packets: grown.reduce((sum, { packets }) => sum + packets, 0),
    values: grown.reduce((sum, { values }) => sum + values, 0),
    gaps: addGaps(grown.map(({ gaps }) => gaps)),
    records: batches.map(({ record, rows }) => ({ record, rows: rows.count })),
  };
}

function compare(before: PollCounters, after: PollCounters): Pick<PollReport, 'packets' | 'values' | 'gaps'> {
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
  const grown = Object.entries(after).map(([reason, count]) => [reason, count - (known.get(reason) ?? 0)]);
  return Object.fromEntries(grown.filter(([, count]) => count !== 0));
}
