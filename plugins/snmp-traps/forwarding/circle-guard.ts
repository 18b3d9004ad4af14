import { createHash } from 'node:crypto';
import type { ReceivedNotification } from '../receiving/wire-form.ts';

/** Longer than a copy needs for its way through a few collectors, and shorter than agents need to repeat themselves in earnest. */
const windowMs = 10_000;
const maxRemembered = 65_536;
/** Some senders send each trap a few times, or in two versions. */
const maxFromSource = 4;

/**
 * Finds copies that come back through other collectors. Each hop keeps what a notification says, when it was sent (sysUpTime) and whose it is, or its
 * octets. It comes back from another source. From the same one it may be sent twice on purpose, so it is only limited there.
 */
export class CircleGuard {
  /** By what was copied, the oldest one first. */
  readonly #copied = new Map<string, { readonly source: string; readonly atMs: number; count: number }>();

  /** Remembers the notification. Returns whether it must not be copied again. */
  hasCome(received: ReceivedNotification, nowMs: number): boolean {
    for (const [key, { atMs }] of this.#copied) {
      if (nowMs - atMs < windowMs && this.#copied.size < maxRemembered) break;
      this.#copied.delete(key);
    }
    const { source } = received;
    const keys = keysOf(received);
    const hasCome = keys.some((key) => {
      const known = this.#copied.get(key);
      return known !== undefined && (known.source !== source || ++known.count > maxFromSource);
    });
    for (const key of keys)
      if (!this.#copied.has(key)) this.#copied.set(key, { source, atMs: nowMs, count: 1 });
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
