import { Type } from '../../src/index.ts';

export const networkOptions = Type.Object({
  packets_per_second: Type.Number({
    minimum: 0.1,
    maximum: 5000,
    default: 50,
    description: 'packets that scans send, to all addresses together',
  }),
  max_in_flight: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 500,
    description: 'addresses that are asked at once',
  }),
  retries: Type.Integer({
    minimum: 0,
    maximum: 5,
    default: 0,
    description: 'how often a scan asks again by a credential that brought no answer',
  }),
  exclude: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'networks in which nothing is asked, such as 192.0.2.1/32',
  }),
  max_addresses: Type.Integer({
    minimum: 1,
    maximum: 16_777_216,
    default: 262_144,
    description: 'addresses of a scan; networks beyond it are left out and named in the log',
  }),
  ipv6_prefix: Type.Integer({
    minimum: 96,
    maximum: 128,
    default: 112,
    description: 'the shortest prefix of an IPv6 network that is scanned',
  }),
  at_start: Type.Boolean({ default: true, description: 'scan when the collector has started' }),
  start_after_ms: Type.Integer({
    minimum: 0,
    maximum: 3_600_000,
    default: 10_000,
    description: 'how long after the start that scan begins: first polls come first',
  }),
  every_hours: Type.Number({
    minimum: 0,
    maximum: 8760,
    default: 24,
    description: 'from the beginning of a scan of all networks to the next; 0: none by itself',
  }),
  schedule: Type.Optional(
    Type.String({ description: 'a cron expression, such as "0 3 * * *"; in the place of every_hours' }),
  ),
  remove_after_scans: Type.Integer({
    minimum: 0,
    maximum: 1000,
    default: 0,
    description: 'scans in a row without an answer after which a found device is removed; 0: never',
  }),
});
