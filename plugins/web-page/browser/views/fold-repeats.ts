import type { FollowedEvent } from '../../../../src/client/index.ts';

interface Seen {
  readonly event: FollowedEvent;
  readonly at: number;
}

/** An event in place of several. */
export type Folded<Each extends Seen> = Each & {
  /** How often its device repeated it. */
  readonly times: number;
  /** How many more devices did the same at about the same time. */
  readonly others: number;
};

const sameTimeMs = 300_000;
/** So many devices that do the same are one line. */
const minCrowd = 4;

/**
 * Newest first, as they come. What a device repeats, such as failed discoveries, is one entry at the place of the newest. So is what many
 * devices do at about the same time, such as going down behind a router.
 */
export function foldRepeats<Each extends Seen>(events: readonly Each[]): Folded<Each>[] {
  const folded = new Map<string, Folded<Each>>();
  for (const seen of events) {
    const key = sameness(seen);
    const newest = folded.get(key);
    folded.set(
      key,
      newest === undefined ? { ...seen, times: 1, others: 0 } : { ...newest, times: newest.times + 1 },
    );
  }
  return foldCrowds([...folded.values()]);
}

function foldCrowds<Each extends Seen>(entries: readonly Folded<Each>[]): Folded<Each>[] {
  const crowds = new Map<string, Folded<Each>[]>();
  const crowdOf = new Map<Folded<Each>, Folded<Each>[]>();
  for (const entry of entries) {
    const key = crowdKey(entry);
    if (key === undefined) continue;
    let crowd = crowds.get(key);
    if (crowd === undefined || crowd[0]!.at - entry.at > sameTimeMs) {
      crowd = [];
      crowds.set(key, crowd);
    }
    crowd.push(entry);
    crowdOf.set(entry, crowd);
  }
  return entries.flatMap((entry) => {
    const crowd = crowdOf.get(entry) ?? [];
    if (crowd.length < minCrowd) return [entry];
    return crowd[0] === entry ? [{ ...entry, times: 1, others: crowd.length - 1 }] : [];
  });
}

/** Equal for events that say the same. Texts with times in them, such as that of a timeout, do not count. */
function sameness({ event }: Seen): string {
  if (!('device' in event.data)) return event.id;
  const { device } = event.data;
  const what = [event.name, device.ip, device.port];
  switch (event.name) {
    case 'device.state':
      return JSON.stringify([...what, event.data.to]);
    case 'trap.received':
      return JSON.stringify([...what, event.data.name, event.data.message]);
    case 'discovery.failed':
      return JSON.stringify(what);
    case 'discovery.completed':
      return foundNothingNew(event) ? JSON.stringify([...what, event.data.cause]) : event.id;
    default:
      return event.id;
  }
}

/** Equal for what several devices do in the same way; undefined for what each does in its own. */
function crowdKey({ event }: Seen): string | undefined {
  switch (event.name) {
    case 'device.state':
      return `${event.name} ${event.data.to}`;
    case 'device.added':
    case 'device.changed':
    case 'device.removed':
      return `${event.name} ${event.data.cause}`;
    case 'discovery.completed':
      return event.data.cause === 'initial' || foundNothingNew(event)
        ? `${event.name} ${event.data.cause}`
        : undefined;
    case 'discovery.failed':
      return event.name;
    default:
      return undefined;
  }
}

function foundNothingNew({ data }: FollowedEvent<'discovery.completed'>): boolean {
  // A collector may be older than the page.
  if (data.inventory === undefined) return false;
  const { added, removed } = data.inventory;
  return [...Object.values(added), ...Object.values(removed)].every((count) => count === 0);
}
