import { Type } from '../../src/index.ts';

export const networkOptions = Type.Object({
  packets_per_second: Type.Number({
    minimum: 0.1,
    maximum: 5000,
    default: 50,
    description: 'how many packets scans send per second, to all addresses together',
  }),
  max_in_flight: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 500,
    description: 'the maximum number of addresses in flight',
  }),
  retries: Type.Integer({
    minimum: 0,
    maximum: 5,
    default: 0,
    description: 'how often a scan sends a request again when a credential got no answer',
  }),
  exclude: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'networks that are never scanned, such as 192.0.2.1/32',
  }),
  max_addresses: Type.Integer({
    minimum: 1,
    maximum: 16_777_216,
    default: 262_144,
    description:
      'the maximum number of addresses per scan; networks that exceed it are left out and named in the log',
  }),
  ipv6_prefix: Type.Integer({
    minimum: 96,
    maximum: 128,
    default: 112,
    description: 'the shortest prefix of an IPv6 network that is scanned',
  }),
  at_start: Type.Boolean({ default: true, description: 'scan after the collector has started' }),
  start_after_ms: Type.Integer({
    minimum: 0,
    maximum: 3_600_000,
    default: 10_000,
    description:
      'the delay between the start of the collector and its first scan, which leaves time for the first polls',
  }),
  every_hours: Type.Number({
    minimum: 0,
    maximum: 8760,
    default: 24,
    description:
      'hours from the beginning of one scan of all networks to the next; 0 means no scheduled scans',
  }),
  schedule: Type.Optional(
    Type.String({ description: 'a cron expression, such as "0 3 * * *", which replaces every_hours' }),
  ),
  remove_after_scans: Type.Integer({
    minimum: 0,
    maximum: 1000,
    default: 0,
    description: 'remove a found device after this many scans in a row without an answer; 0 means never',
  }),
});
