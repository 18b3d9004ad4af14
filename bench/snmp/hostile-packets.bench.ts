import { CommunityCodec } from '../../src/snmp/codec/community-message.ts';
import { decodeOid } from '../../src/snmp/codec/oid-bytes.ts';
import { fuzz } from '../../test/snmp/fuzz/fuzz.ts';
import { printFigure } from '../support/figure.ts';

/** How long hostile packets keep the event loop busy. */
fuzz(10_000, 1);
const { packets, slowestMs, slowest } = fuzz(200_000, 2);
printFigure('snmp slowest decoding of a fuzzed packet', {
  ms: round(slowestMs),
  decoder: slowest,
  packets,
  goalMs: 5,
  reached: slowestMs <= 5,
});

const nested = [Buffer.alloc(60_000, '3082', 'hex'), Buffer.alloc(60_000, 0x30)];
const nestedMs = timeOf(() => nested.map((octets) => new CommunityCodec().decode(octets)));
printFigure('snmp deeply nested messages', { ms: round(nestedMs), goalMs: 50, reached: nestedMs < 50 });

const oids = [0xff, 0x80].map((octet) => new Uint8Array(1_000_000).fill(octet));
const oidsMs = timeOf(() => oids.map((octets) => decodeOid(octets)));
printFigure('snmp OIDs of a megabyte', { ms: round(oidsMs), goalMs: 250, reached: oidsMs < 250 });

function timeOf(work: () => void): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}

function round(ms: number): number {
  return Number(ms.toFixed(2));
}
