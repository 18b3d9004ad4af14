import { explainError } from '../../../src/index.ts';
import type { WorkerAnswer } from '../../../src/sharding/index.ts';
import type { SilentMember } from '../fleet/ask-members.ts';

interface Counts {
  readonly [name: string]: number | Counts;
}

/** What a process says about itself: the states of the devices that it asks, and what became of their batches. */
interface OwnState {
  readonly devices: number;
  readonly devicesByState: Readonly<Record<'unknown', number>>;
  readonly pipeline: object;
}

/** The state of a process and its workers as that of one collector. A device that no process asks at this moment has an unknown state. */
export function joinWorkers<State extends OwnState>(
  own: State,
  answers: readonly WorkerAnswer[],
): State & { readonly silentMembers?: SilentMember[] } {
  const states = answers.flatMap(({ text }) =>
    text === undefined ? [] : [JSON.parse(String(text)) as State],
  );
  const silentMembers = answers
    .filter(({ text }) => text === undefined)
    .map(({ worker, error }) => ({ name: worker, reason: explainError(error) }));
  const all = [own, ...states];
  const devicesByState = addCounts(all.map((state) => state.devicesByState));
  const counted = Object.values(devicesByState).reduce((sum: number, count) => sum + Number(count), 0);
  const unknown = Number(devicesByState['unknown']) + Math.max(0, own.devices - counted);
  return {
    ...own,
    devicesByState: { ...devicesByState, unknown },
    pipeline: addCounts(all.map((state) => state.pipeline as Counts)),
    ...(silentMembers.length === 0 ? {} : { silentMembers }),
  };
}

/** Sums of what has the same name, at any depth; of ages the highest. */
function addCounts(all: readonly Counts[]): Counts {
  const names = new Set(all.flatMap((counts) => Object.keys(counts)));
  return Object.fromEntries(
    Array.from(names, (name) => {
      const found = all.flatMap((counts) => counts[name] ?? []);
      const numbers = found.filter((each) => typeof each === 'number');
      if (numbers.length < found.length) return [name, addCounts(found as Counts[])];
      return [
        name,
        name === 'oldestSeconds' ? Math.max(...numbers) : numbers.reduce((sum, each) => sum + each, 0),
      ];
    }),
  );
}
