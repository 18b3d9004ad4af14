import type { FastifyRequest, onSendHookHandler } from 'fastify';
import ipaddr from 'ipaddr.js';
import { problem } from '../problem/problem.ts';

/** The number of addresses that are counted within a second. Above it, all counts restart. */
const maxAddresses = 10_000;

/** Refuses more than `max` requests per second from one address. */
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

/** The address by which limits count. An IPv6 network of 64 bits counts as one address, because it has one owner. */
export function addressKey(ip: string): string {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.');
}

/** The operating system's buffers hold this much, so that a small answer never waits for the client. */
const smallBytes = 65_536;

/** Disconnects a client that reads nothing of a large answer for this long: its answer would stay in memory. */
export function cutSlowReader(maxIdleMs: number): onSendHookHandler<unknown> {
  return (_request, { raw }, payload, done) => {
    const isSmall = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length < smallBytes;
    if (!isSmall) raw.setTimeout(maxIdleMs, () => raw.destroy());
    done();
  };
}

const sampleEveryMs = 500;

/** Measures whether the event loop is late with its work. */
export class OverloadGuard {
  readonly #timer: NodeJS.Timeout;
  #isHigh = false;

  constructor(maxDelayMs: number) {
    let expectedMs = performance.now() + sampleEveryMs;
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      this.#isHigh = nowMs - expectedMs > maxDelayMs;
      expectedMs = nowMs + sampleEveryMs;
    }, sampleEveryMs);
  }

  readonly check = async (_request: FastifyRequest): Promise<void> => {
    if (this.#isHigh) throw problem('HTTP_OVERLOADED', {});
  };

  close(): void {
    clearInterval(this.#timer);
  }
}
