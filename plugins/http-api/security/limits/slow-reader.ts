import type { onSendHookHandler } from 'fastify';

/** What the system's own buffers take at once, so that nobody waits for the client. */
const smallBytes = 65_536;

/** Cuts a client that takes nothing of a large answer for so long: each would hold its answer in memory for ever. */
export function cutSlowReader(maxIdleMs: number): onSendHookHandler<unknown> {
  return (_request, { raw }, payload, done) => {
    const isSmall = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length < smallBytes;
    if (!isSmall) raw.setTimeout(maxIdleMs, () => raw.destroy());
    done();
  };
}
