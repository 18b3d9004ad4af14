import { signal } from '@preact/signals';
import { ApiProblem, type FollowedEvent } from '../../../../src/client/index.ts';
import { api } from './api.ts';
import { isOpen, noticeRefusal } from './session.ts';

export type ConnectionState = 'connecting' | 'live' | 'lost';

export const connection = signal<ConnectionState>('connecting');
/** Counts the times that a lost connection came back: what is shown is loaded again. */
export const returns = signal(0);

/** An event, and when it happened. */
export interface SeenEvent {
  readonly event: FollowedEvent;
  readonly at: number;
}

const maxEvents = 1000;

/** The latest events, newest first, without those of each poll. */
export const events = signal<readonly SeenEvent[]>([]);

const names = [
  'definitions.changed',
  'definitions.rejected',
  'device.added',
  'device.changed',
  'device.removed',
  'device.state',
  'device.renumbered',
  'device.misordered',
  'trap.received',
  'trap.dropped',
  'discovery.started',
  'discovery.completed',
  'discovery.failed',
  'scan.started',
  'scan.progressed',
  'scan.completed',
  'scan.failed',
  'output.stalled',
  'output.recovered',
  'output.dropped',
  'shard.gained',
  'shard.lost',
  'member.joined',
  'member.left',
  'cluster.degraded',
  'cluster.recovered',
  'collector.ready',
  'collector.stopping',
] as const;

const retryMs = 3_000;

/** Follows the collector's events until `signal` aborts. A lost connection comes back by itself. */
export async function followConnection(signal: AbortSignal): Promise<void> {
  let lastEventId: string | undefined = '0';
  while (!signal.aborted) {
    try {
      await untilSignedIn(signal);
      await api.call('isAlive', { signal });
      noticeReturn();
      const onLost = () => {
        connection.value = 'lost';
        void probe(signal);
      };
      for await (const event of api.events({
        names,
        signal,
        onLost,
        ...(lastEventId === undefined ? {} : { lastEventId }),
      })) {
        noticeReturn();
        lastEventId = event.id;
        keep(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      noticeRefusal(error);
      if (!(error instanceof ApiProblem) || error.status >= 500) connection.value = 'lost';
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

/** Says whether the collector answers again, because a stream without events is silent. */
async function probe(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && connection.peek() === 'lost') {
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    await api.call('isAlive', { signal }).then(noticeReturn, () => {});
  }
}

function noticeReturn(): void {
  if (connection.peek() === 'lost') returns.value++;
  connection.value = 'live';
}

/** A call failed: without an answer, the connection is lost. */
export function noticeFailure(error: unknown): void {
  noticeRefusal(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'API_UNREACHABLE' || connection.peek() === 'lost') return;
  connection.value = 'lost';
  // The stream of events may still be open, and silent.
  void probe(new AbortController().signal);
}

function untilSignedIn(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    const stop = isOpen.subscribe((isReady) => {
      if (isReady !== true) return;
      resolve();
      queueMicrotask(() => stop());
    });
  });
}

let waiting: SeenEvent[] = [];

/** Collects what arrives at once, so that a thousand events are one change of the page. */
function keep(event: FollowedEvent): void {
  if (waiting.length === 0) {
    setTimeout(() => {
      events.value = [...waiting.reverse(), ...events.peek()].slice(0, maxEvents);
      waiting = [];
    }, 100);
  }
  waiting.push({ event, at: event.time === undefined ? Date.now() : Date.parse(event.time) });
}
