import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createDecoder } from '../../../src/definitions/syntax/decode/column-decoder.ts';
import { ColumnMemory } from '../../../src/definitions/syntax/decode/column-memory.ts';
import { type RawColumn, rawTag } from '../../../src/definitions/syntax/decode/raw-column.ts';
import { findSyntax, syntaxes } from '../../../src/definitions/syntax/syntax-table.ts';
import type { CounterColumn, TextColumn } from '../../../src/model/batch.ts';
import { gapCode } from '../../../src/model/gap.ts';
import { decodeOne } from './decode-one.ts';
import { oidOctets, rawNumber, rawOctets } from './raw-notation.ts';

const decodeGap = gapCode('decode');
const emptyGap = gapCode('empty');
const absentGap = gapCode('absent');
const timeout = gapCode('timeout');

const octets = fc.uint8Array({ maxLength: 24 });
const asString = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

const anyRow = fc.record({
  tag: fc.oneof(fc.constantFrom(...Object.values(rawTag)), fc.integer({ min: 0, max: 255 })),
  low: fc.integer({ min: 0, max: 0xffffffff }),
  high: fc.integer({ min: 0, max: 0xffffffff }),
  octets: fc.option(fc.oneof(octets, octets.map(asString)), { nil: undefined }),
  gap: fc.constantFrom(0, 0, 0, timeout),
});

describe('a column decoder', () => {
  it('returns a value or a gap for every row of any column in any syntax, and keeps other gaps', () => {
    fc.assert(
      fc.property(fc.constantFrom(...syntaxes), fc.array(anyRow, { maxLength: 8 }), (syntax, rows) => {
        const raw: RawColumn = {
          count: rows.length,
          words: Uint32Array.from(rows.flatMap((row) => [row.low, row.high])),
          tags: Uint8Array.from(rows.map((row) => row.tag)),
          octets: rows.map((row) => row.octets),
        };
        const gaps = Uint8Array.from(rows.map((row) => row.gap));
        const values = createDecoder(syntax, {}).decode(raw, gaps);
        rows.forEach((row, position) => {
          const gap = gaps[position];
          const hasOctets = row.tag === rawTag.octetString || row.tag === rawTag.ipAddress;
          const isEmpty =
            hasOctets && row.octets?.length === 0 && /^(address|routePrefix|mac)$/.test(syntax.reading);
          if (row.gap !== 0) equal(gap, row.gap);
          else if (isEmpty) equal(gap, emptyGap);
          else
            ok(
              gap === 0 ||
                gap === decodeGap ||
                (gap === absentGap && /^(milliwatts|epochInText)$/.test(syntax.reading)),
            );
          if (values?.kind === 'number' && gap === 0) ok(Number.isFinite(values.values[position]));
          if (values?.kind === 'text' || values?.kind === 'list') {
            equal(values.values[position] === undefined, gap !== 0);
          }
        });
      }),
      { numRuns: 3000 },
    );
  });

  it('has no dBm of no power, and none of a power without limit', () => {
    const infinity = rawNumber(rawTag.float, 0x7f800000);
    for (const { name } of syntaxes.filter(({ reading }) => reading === 'milliwatts')) {
      equal(decodeOne(name, '0').gap, absentGap, name);
      equal(decodeOne(name, '"-1"').gap, decodeGap, name);
      equal(decodeOne(name, infinity).gap, decodeGap, name);
    }
  });

  it('multiplies counters exactly in 64 bits; a product that does not fit is a gap', () => {
    const bytes = syntaxes.filter((syntax) => syntax.family === 'Bytes');
    fc.assert(
      fc.property(fc.constantFrom(...bytes), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (syntax, value) => {
        const gaps = new Uint8Array(1);
        const raw = rawNumber(rawTag.counter64, Number(value & 0xffffffffn), Number(value >> 32n));
        const { words } = createDecoder(syntax, {}).decode(raw, gaps) as CounterColumn;
        const exact = value * BigInt(syntax.scale.times);
        if (exact >= 2n ** 64n) equal(gaps[0], decodeGap);
        else deepEqual([gaps[0], (BigInt(words[1]!) << 32n) | BigInt(words[0]!)], [0, exact]);
      }),
    );
  });

  it('reads floats and doubles like the machine', () => {
    const toNumber = (raw: RawColumn) => decodeOne('Float64', raw).value;
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const [low = 0, high = 0] = new Uint32Array(Float64Array.of(value).buffer);
        equal(toNumber(rawNumber(rawTag.double, low, high)), value);
      }),
    );
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        equal(toNumber(rawNumber(rawTag.float, new Uint32Array(Float32Array.of(value).buffer)[0]!)), value);
      }),
    );
    equal(decodeOne('Float32', 'float NaN').gap, decodeGap);
    equal(decodeOne('Float64', 'double Infinity').gap, decodeGap);
  });

  it('decodes every OID that is encoded', () => {
    const arcs = fc.tuple(
      fc.constantFrom([0, 0], [0, 39], [1, 39], [2, 0], [2, 47], [2, 48], [2, 0xffffffff]),
      fc.array(fc.integer({ min: 0, max: 0xffffffff }), { maxLength: 40 }),
    );
    fc.assert(
      fc.property(arcs, ([head, tail]) => {
        const oid = [...head, ...tail];
        const raw = rawOctets(rawTag.objectIdentifier, oidOctets(oid));
        equal(decodeOne('ObjectIdentifier', raw).value, oid.join('.'));
      }),
    );
  });

  it('makes a gap of an OID that ends inside an arc or has an arc above 32 bits', () => {
    for (const octets of [[], [0x2b, 0x86], [0x2b, 0x90, 0x80, 0x80, 0x80, 0x80, 0x00]]) {
      const raw = rawOctets(rawTag.objectIdentifier, Uint8Array.from(octets));
      equal(decodeOne('ObjectIdentifier', raw).gap, decodeGap);
    }
  });

  it('keeps a number without a name in its enum, and counts it', () => {
    deepEqual(decodeOne('EnumInteger', '77'), { kind: 'text', value: '77', gap: 0, unnamed: 1 });
    deepEqual(decodeOne('EnumBitmap', '0x10').value, ['3']);
    deepEqual(decodeOne('EnumBitmap', '5').value, ['first', 'third']);
    equal(decodeOne('EnumObjectIdentifier', '.1.3').unnamed, 1);
    equal(decodeOne('EnumInteger', '1').unnamed, 0);
  });

  it('makes a gap of a truth value that is neither true nor false', () => {
    deepEqual(decodeOne('TruthValue', '2'), { kind: 'boolean', value: false, gap: 0, unnamed: 0 });
    equal(decodeOne('TruthValue', '0').gap, decodeGap);
    equal(decodeOne('TruthValue', '"yes"').gap, decodeGap);
  });

  it('makes a gap of a negative number of bytes', () => {
    equal(decodeOne('BytesKB', '-1').gap, decodeGap);
    equal(decodeOne('BytesKB', '"1.5"').value, 1500);
  });

  it('decodes a column of Opaque values as text unless every value is a number', () => {
    equal(decodeOne('Opaque', '-7').kind, 'number');
    deepEqual(decodeOne('Opaque', 'opaque 0x0102ff'), {
      kind: 'text',
      value: '0x0102ff',
      gap: 0,
      unnamed: 0,
    });
  });

  it('unwraps numbers from an Opaque, with all bits of 64-bit integers', () => {
    const wrap = (type: number, content: string) =>
      `opaque 0x9f${type.toString(16)}0${content.length / 2}${content}`;
    equal(decodeOne('CurrentAmp', wrap(0x78, '40200000')).value, 2.5);
    equal(decodeOne('Float64', wrap(0x79, 'bfb999999999999a')).value, -0.1);
    equal(decodeOne('Counter64', wrap(0x76, 'ffffffffffffffff')).value, 18446744073709551615n);
    equal(decodeOne('Counter64', wrap(0x7b, '00ffffffffffffffff')).value, 18446744073709551615n);
    equal(decodeOne('Integer', wrap(0x7a, 'fe')).value, -2);
    equal(decodeOne('IntegerAsID', wrap(0x7a, '8000000000000000')).value, '-9223372036854775808');
    equal(decodeOne('Integer', wrap(0x78, '4020')).gap, decodeGap);
    equal(decodeOne('OctetString', 'opaque 0x9f7804402000').value, '0x9f7804402000');
  });

  it('reads an ASN.1 REAL in an Opaque, also one of eight octets', () => {
    equal(decodeOne('Float32', 'opaque 0x0906033435452d32').value, 0.45);
    equal(decodeOne('Opaque', 'opaque 0x090703323137452d32').value, 2.17);
    equal(decodeOne('Float64', 'opaque 0x0903033445').gap, decodeGap);
    equal(decodeOne('OctetString', 'opaque 0x0903803445').value, '0x0903803445');
  });

  it('reads only the place that the tag names, whatever an earlier poll left in the other one', () => {
    const stale: RawColumn = { ...rawNumber(rawTag.gauge32, 7), octets: ['eth0'] };
    equal(decodeOne('DisplayString', stale).value, '7');
    equal(decodeOne('Gauge32', stale).value, 7);
    equal(decodeOne('Float32', stale).value, 7);
    deepEqual(decodeOne('EnumBitmap', stale).value, ['first', '1', 'third']);
  });

  it('decodes octets in strings like octets in bytes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...syntaxes),
        fc.constantFrom(4, 6, 0x40, 0x44),
        octets,
        (syntax, tag, bytes) => {
          const text: RawColumn = { ...rawOctets(tag, bytes), octets: [asString(bytes)] };
          deepEqual(decodeOne(syntax.name, text), decodeOne(syntax.name, rawOctets(tag, bytes)));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('returns the same list while octets do not change, and decodes only changed rows', () => {
    const memory = new ColumnMemory();
    const decoder = createDecoder(findSyntax('EnumObjectIdentifier')!, { oids: new Map([['1.3.1', 'one']]) });
    const tags = Uint8Array.of(6, 6, 0x42);
    const decode = (texts: readonly string[], gaps = new Uint8Array(3)) => {
      const tally = { unnamed: 0 };
      const raw = { count: 3, words: Uint32Array.of(0, 0, 0, 0, 1, 0), tags, octets: texts };
      const column = decoder.decode(raw, gaps, tally, memory) as TextColumn;
      return { values: column.values, unnamed: tally.unnamed, gaps: [...gaps] };
    };
    const first = decode(['\x2b\x01', '\x2b\x02', 'stale']);
    deepEqual(first, { values: ['one', '1.3.2', undefined], unnamed: 1, gaps: [0, 0, decodeGap] });
    const second = decode(['\x2b\x01', '\x2b\x02', 'stale']);
    equal(second.values, first.values);
    deepEqual([second.unnamed, second.gaps], [0, [0, 0, decodeGap]]);
    deepEqual(decode(['\x2b\x01', '\x2b\x03', 'stale']).values, ['one', '1.3.3', undefined]);
    deepEqual(first.values, ['one', '1.3.2', undefined]);
    deepEqual(decode(['\x2b\x01', '\x2b\x03', 'stale'], Uint8Array.of(timeout, 0, 0)).values[0], undefined);
    deepEqual(decode(['\x2b\x01', '\x2b\x03', 'stale']).values[0], 'one');
  });

  it('returns the list of another column that it was told to share, while both are equal', () => {
    const memory = new ColumnMemory();
    const decoder = createDecoder(findSyntax('DisplayString')!, {});
    const decode = (texts: readonly (string | undefined)[], tags = Uint8Array.of(4, 4)) => {
      const raw = { count: 2, words: new Uint32Array(4), tags, octets: texts };
      return (decoder.decode(raw, new Uint8Array(2), { unnamed: 0 }, memory) as TextColumn).values;
    };
    deepEqual(decode(['eth0', 'eth1']), ['eth0', 'eth1']);
    const shared = ['eth0', 'eth1'];
    memory.share(['eth0', 'other']);
    memory.share(shared);
    equal(decode(['eth0', 'eth1']) === shared, true);
    deepEqual(decode(['eth0', 'eth2']), ['eth0', 'eth2']);
    deepEqual(shared, ['eth0', 'eth1']);
    deepEqual(decode(['eth0', undefined], Uint8Array.of(4, timeout)), ['eth0', undefined]);
    deepEqual(decode(['eth0', 'eth2']), ['eth0', 'eth2']);
  });

  it('converts durations, timestamps and percentages to the chosen unit', () => {
    equal(decodeOne('TicksCentiSec', '123', { durationUnit: 's' }).value, 1.23);
    equal(decodeOne('TicksMin', '2', { durationUnit: 's' }).value, 120);
    equal(decodeOne('OpTicksTenPicoSec', '7', { durationUnit: 'ns' }).value, 0.07);
    equal(decodeOne('EpochSec', '1709213415', { timestampUnit: 's' }).value, 1709213415);
    equal(decodeOne('PercentDeci100', '735', { percentOf: 1 }).value, 0.735);
    equal(decodeOne('Percent1', '"0.25"', { percentOf: 1 }).value, 0.25);
    equal(createDecoder(findSyntax('Percent1')!, {}, { percentOf: 1 }).unit, '1');
    equal(createDecoder(findSyntax('TicksSec')!, {}, { durationUnit: 'us' }).unit, 'us');
    equal(decodeOne('TemperatureDeciC', '735', { percentOf: 1, durationUnit: 'ns' }).value, 73.5);
  });
});
