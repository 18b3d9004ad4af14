import type { FastifyRequest } from 'fastify';
import { problem } from '../../problem/problem.ts';
import { addressKey } from './address-key.ts';

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
