import { createHash } from 'node:crypto';
import type { ReceivedNotification } from '../receiving/wire-form.ts';

/** How long a copy may need for its way through other collectors, of which one may be slow. */
const windowMs = 600_000;
/** Without sysUpTime an agent that repeats itself in earnest looks like a copy: from the same source it is one for this long only. */
const untimedMs = 10_000;
const maxRemembered = 131_072;
/** Some senders send each trap a few times, or in two versions. */
const maxFromSource = 4;

/**
 * Finds copies that come back through other collectors. Each hop keeps what a notification says, when it was sent (sysUpTime) and whose it is, or its
 * octets. It comes back from another source. From the same one it may be sent twice on purpose, so it is only limited there.
 */
export class CircleGuard {
  /** By what was copied, the oldest one first. */
  readonly #copied = new Map<
    string,
    { readonly source: string; readonly atMs: number; sinceMs: number; count: number }
  >();

  /** Remembers the notification. Returns whether it must not be copied again. */
  hasCome(received: ReceivedNotification, nowMs: number): boolean {
    for (const [key, { atMs }] of this.#copied) {
      if (nowMs - atMs < windowMs && this.#copied.size < maxRemembered) break;
      this.#copied.delete(key);
    }
    const { source, uptime = 0 } = received;
    const keys = keysOf(received);
    const hasCome = keys.some((key) => {
      const known = this.#copied.get(key);
      if (known === undefined) return false;
      if (known.source !== source) return true;
      if (uptime === 0 && nowMs - known.sinceMs >= untimedMs) {
        known.sinceMs = nowMs;
        known.count = 0;
      }
      return ++known.count > maxFromSource;
    });
    for (const key of keys)
      if (!this.#copied.has(key)) this.#copied.set(key, { source, atMs: nowMs, sinceMs: nowMs, count: 1 });
    return hasCome;
  }
}

function keysOf(received: ReceivedNotification): string[] {
  const { oid, uptime, agentAddress, source, varbinds, datagram } = received;
  const values = varbinds.flatMap(({ oid: name, type, value }) => [name, type, String(value)]);
  const content = digestOf(JSON.stringify([oid, uptime, agentAddress ?? source, ...values]));
  return datagram === undefined ? [content] : [content, digestOf(datagram)];
}

function digestOf(text: string): string {
  return createHash('sha1').update(text, 'latin1').digest('base64');
}
