import type { FastifyRequest, onSendHookHandler } from 'fastify';
import ipaddr from 'ipaddr.js';
import { problem } from '../problem/problem.ts';

/** Addresses that are told apart within a second; above that, all share the counts of a new start. */
const maxAddresses = 10_000;

/** Counts requests by address and second. */
export function limitRate(max: number, now: () => number): (request: FastifyRequest) => Promise<void> {
  const counts = new Map<string, number>();
  let second = 0;
  return async ({ ip }) => {
    const current = Math.floor(now() / 1000);
    if (current !== second || counts.size > maxAddresses) counts.clear();
    second = current;
    const key = addressKey(ip);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > max) throw problem('HTTP_RATE_LIMITED', { max });
  };
}

/** What limits count by. An IPv6 network of 64 bits is one address: its owner has them all. */
export function addressKey(ip: string): string {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.');
}

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

const lookMs = 500;

/** Knows whether the event loop is behind its work. */
export class Pressure {
  readonly #timer: NodeJS.Timeout;
  #isHigh = false;

  constructor(maxDelayMs: number) {
    let expectedMs = performance.now() + lookMs;
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      this.#isHigh = nowMs - expectedMs > maxDelayMs;
      expectedMs = nowMs + lookMs;
    }, lookMs);
  }

  readonly check = async (_request: FastifyRequest): Promise<void> => {
    if (this.#isHigh) throw problem('HTTP_OVERLOADED', {});
  };

  close(): void {
    clearInterval(this.#timer);
  }
}
