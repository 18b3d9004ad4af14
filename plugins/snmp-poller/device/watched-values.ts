import { holdsOctets } from '../../../src/definitions/index.ts';
import { holdsValue, type PollColumns } from '../../../src/snmp/index.ts';
import type { PollPlan, Watch } from '../plan/poll-plan.ts';

type Seen = number | string | undefined;

interface SeenValues {
  readonly instances: readonly string[];
  readonly values: readonly Seen[];
}

/** The last values of attributes whose changes start a discovery, by attribute, whichever plan reads them. */
export class WatchedValues {
  readonly #seen = new Map<string, SeenValues>();

  /** Returns why the device should be discovered again, if a value changed. */
  compare({ watches }: Pick<PollPlan, 'watches'>, poll: PollColumns): 'reset' | 'changed' | undefined {
    let cause: 'reset' | 'changed' | undefined;
    for (const watch of watches) {
      const { instances, object, attribute, when } = watch;
      const name = `${object} ${attribute}`;
      const known = this.#seen.get(name);
      const before = known && valuesAt(known, instances);
      const values = readValues(watch, poll, before);
      this.#seen.set(name, { instances, values });
      if (before === undefined || !values.some((value, row) => hasChanged(watch, before[row], value)))
        continue;
      cause = when === 'OnReset' ? 'reset' : (cause ?? 'changed');
    }
    return cause;
  }
}

/** Rows that are new since then have no value. */
function valuesAt(known: SeenValues, instances: readonly string[]): readonly Seen[] {
  if (known.instances === instances) return known.values;
  const values = new Map(known.instances.map((instance, row) => [instance, known.values[row]]));
  return instances.map((instance) => values.get(instance));
}

/** A missing value keeps its last value. */
function readValues(
  { firstSlot, instances }: Watch,
  { words, status, texts }: PollColumns,
  before?: readonly Seen[],
): Seen[] {
  return Array.from(instances, (_, row) => {
    const slot = firstSlot + row;
    const tag = status[slot]!;
    if (!holdsValue(tag)) return before?.[row];
    return holdsOctets(tag) ? texts[slot] : words[2 * slot + 1]! * 2 ** 32 + words[2 * slot]!;
  });
}

function hasChanged({ when }: Watch, before: Seen, now: Seen): boolean {
  if (before === undefined || now === undefined) return false;
  if (when === 'OnChange') return now !== before;
  return typeof now === 'number' && typeof before === 'number' && now < before;
}
