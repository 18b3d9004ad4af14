import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** What node:net tells of each socket that `connect` makes. */
const channel = 'net.client.socket';
const story = new AsyncLocalStorage<ReadonlySet<Socket>>();

/**
 * Does `dial` and answers with the sockets that were made on its way too. The package has no way to give up, and leaves the socket
 * of a server that says nothing open for ever: when the signal aborts, or `dial` fails, they are destroyed.
 */
export async function dialWithin<Result>(
  signal: AbortSignal,
  dial: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly sockets: ReadonlySet<Socket> }> {
  const sockets = new Set<Socket>();
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const watch = (message: unknown) => {
    if (story.getStore() !== sockets) return;
    const { socket } = message as { readonly socket: Socket };
    sockets.add(socket);
    if (signal.aborted) socket.destroy();
  };
  subscribe(channel, watch);
  signal.addEventListener('abort', destroyAll, { once: true });
  try {
    return { result: await story.run(sockets, dial), sockets };
  } catch (error) {
    destroyAll();
    throw error;
  } finally {
    unsubscribe(channel, watch);
    signal.removeEventListener('abort', destroyAll);
  }
}
