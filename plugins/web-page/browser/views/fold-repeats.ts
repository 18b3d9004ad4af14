import type { FollowedEvent } from '../../../../src/client/index.ts';

interface Seen {
  readonly event: FollowedEvent;
}

/** Newest first, as they come. What a device repeats, such as failed discoveries, is one entry at the place of the newest. */
export function foldRepeats<Each extends Seen>(
  events: readonly Each[],
): (Each & { readonly times: number })[] {
  const folded = new Map<string, Each & { readonly times: number }>();
  for (const seen of events) {
    const key = sameness(seen);
    const newest = folded.get(key);
    folded.set(key, newest === undefined ? { ...seen, times: 1 } : { ...newest, times: newest.times + 1 });
  }
  return [...folded.values()];
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
    default:
      return event.id;
  }
}
