import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Makes a response close when its connection is cut. Node.js closes only the first of the responses that wait for a client which requested
 * several at once. The others would keep what they hold open, such as timers, until the end of the process.
 */
export function closeWithConnection(request: IncomingMessage, response: ServerResponse): void {
  request.once('close', () => {
    if (!request.socket.destroyed || response.closed || response.writableFinished) return;
    response.destroy();
    if (response.socket === null) response.emit('close');
  });
}
