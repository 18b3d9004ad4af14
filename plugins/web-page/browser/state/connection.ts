import { signal } from '@preact/signals';
import { ApiProblem } from '../../../../src/client/index.ts';
import { api, baseUrl } from './api.ts';
import { EventExchange, keepEvents, lastEventId } from './recent-events.ts';
import { isOpen, noticeRefusal } from './session.ts';
import { abortWhenHidden, untilVisible } from './visibility.ts';

export type ConnectionState = 'connecting' | 'live' | 'lost';

export const connection = signal<ConnectionState>('connecting');
/** Counts the times that a lost connection came back: what is shown is loaded again. */
export const returns = signal(0);

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
  'events.missed',
  'collector.ready',
  'collector.stopping',
] as const;

const retryMs = 3_000;

/**
 * Follows the collector's events until `stop` aborts. A lost connection comes back by itself. A browser has few connections per host, so
 * a window holds one only while somebody sees it, and where the browser allows it, one window holds it for all.
 */
export async function followConnection(stop: AbortSignal): Promise<void> {
  const exchange = new EventExchange(stop);
  while (!stop.aborted) {
    await untilVisible(stop);
    const whileVisible = abortWhenHidden(stop);
    try {
      await untilSignedIn(whileVisible);
      await api.call('isAlive', { signal: whileVisible });
      noticeReturn();
      exchange.ask();
      await inTurn(whileVisible, () => followEvents(exchange, whileVisible));
    } catch (error) {
      if (whileVisible.aborted) continue;
      noticeRefusal(error);
      if (!(error instanceof ApiProblem) || error.status >= 500) connection.value = 'lost';
    }
    if (!whileVisible.aborted) await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

async function followEvents(exchange: EventExchange, signal: AbortSignal): Promise<void> {
  const onLost = () => {
    connection.value = 'lost';
    void probe(signal);
  };
  exchange.isFollowing = true;
  try {
    for await (const event of api.events({ names, signal, onLost, lastEventId: lastEventId() })) {
      noticeReturn();
      const at = event.time === undefined ? Date.now() : Date.parse(event.time);
      keepEvents([{ event, at }]);
      exchange.tell([{ event, at }]);
    }
  } finally {
    exchange.isFollowing = false;
  }
}

/** Waits until no other window does the same. Browsers offer locks only over TLS and on loopback; elsewhere nobody waits. */
async function inTurn(signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  if (isSecureContext) await navigator.locks.request(`events of ${baseUrl}`, { signal }, act);
  else await act();
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
