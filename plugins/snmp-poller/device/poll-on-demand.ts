import { defineErrors } from '../../../src/index.ts';
import { pollerErrors } from '../errors.ts';
import type { Clock } from '../schedule/clock.ts';
import type { PollReport } from '../service.ts';
import type { PollCounters } from '../tally/poll-tally.ts';
import type { PolledDevice } from './polled-device.ts';

const failure = defineErrors(pollerErrors);

/** Polls all that a device has, out of turn. One that fell silent has to answer a probe first: rejects with POLL_NO_ANSWER. */
export async function pollOnDemand(polled: PolledDevice, clock: Clock): Promise<PollReport> {
  if (polled.isSilent) await polled.probeNow();
  if (polled.isSilent) {
    const { ref, status } = polled.device;
    throw failure('POLL_NO_ANSWER', { device: ref.name, state: status.state });
  }
  const before = polled.tally.snapshot();
  const begunMs = clock.now();
  const batches = await polled.pollNow();
  const after = polled.tally.snapshot();
  return {
    durationMs: clock.now() - begunMs,
    packets: after.packets - before.packets,
    values: after.values - before.values,
    gaps: subtract(after.gaps, before.gaps),
    records: batches.map(({ record, rows }) => ({ record, rows: rows.count })),
  };
}

function subtract(after: PollCounters['gaps'], before: PollCounters['gaps']): PollCounters['gaps'] {
  const known = new Map(Object.entries(before));
  const grown = Object.entries(after).map(([reason, count]) => [reason, count - (known.get(reason) ?? 0)]);
  return Object.fromEntries(grown.filter(([, count]) => count !== 0));
}
