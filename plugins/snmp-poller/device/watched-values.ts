import { holdsOctets } from '../../../src/index.ts';
import { holdsValue, type PollColumns } from '../../../src/snmp/index.ts';
import type { PollPlan, Watch } from '../plan/poll-plan.ts';

type Seen = number | string | undefined;

/** The values whose changes call for a discovery, as they were last seen. */
export class WatchedValues {
  readonly #seen = new Map<Watch, Seen[]>();

  /** Why the device should be discovered again, if so. */
  compare({ watches }: PollPlan, poll: PollColumns): 'reset' | 'changed' | undefined {
    let cause: 'reset' | 'changed' | undefined;
    for (const watch of watches) {
      const before = this.#seen.get(watch);
      const now = readValues(watch, poll, before);
      this.#seen.set(watch, now);
      if (before === undefined || !now.some((value, row) => hasMoved(watch, before[row], value))) continue;
      cause = watch.when === 'OnReset' ? 'reset' : (cause ?? 'changed');
    }
    return cause;
  }
}

/** What did not come stays as it was seen. */
function readValues(
  { firstSlot, count }: Watch,
  { words, status, texts }: PollColumns,
  before?: Seen[],
): Seen[] {
  return Array.from({ length: count }, (_, row) => {
    const slot = firstSlot + row;
    const tag = status[slot]!;
    if (!holdsValue(tag)) return before?.[row];
    return holdsOctets(tag) ? texts[slot] : words[2 * slot + 1]! * 2 ** 32 + words[2 * slot]!;
  });
}

function hasMoved({ when }: Watch, before: Seen, now: Seen): boolean {
  if (before === undefined || now === undefined) return false;
  if (when === 'OnChange') return now !== before;
  return typeof now === 'number' && typeof before === 'number' && now < before;
}
