import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRecording } from '../../../../src/testing/replay/recording/load-recording.ts';
import { varbindsOf } from './recorded-varbinds.ts';

const oid = '1.3.6.1.2.1.1.1.0';

describe('snmpwalk parser', () => {
  const values: readonly (readonly [printed: string, type: string, value: unknown])[] = [
    ['INTEGER: -5', 'Integer32', -5],
    ['INTEGER: up(1)', 'Integer32', 1],
    ['INTEGER: 60 seconds', 'Integer32', 60],
    ['Gauge32: 4294967295', 'Gauge32', 4294967295],
    ['Gauge32: 10000 milli-seconds', 'Gauge32', 10000],
    ['Unsigned32: 7', 'Gauge32', 7],
    ['Counter32: 7', 'Counter32', 7],
    ['Counter64: 18446744073709551615', 'Counter64', 18446744073709551615n],
    ['UInteger32: 7', 'UInteger32', 7],
    ['Timeticks: (12345) 0:02:03.45', 'TimeTicks', 12345],
    ['12345', 'TimeTicks', 12345],
    ['STRING: "a \\"b\\" \\\\c"', 'OctetString', Buffer.from('a "b" \\c')],
    ['STRING: "two\nlines\n"', 'OctetString', Buffer.from('two\nlines\n')],
    [
      'STRING: "1.3.6 = INTEGER: 5\n.1.3.6 = INTEGER: 5"',
      'OctetString',
      Buffer.from('1.3.6 = INTEGER: 5\n.1.3.6 = INTEGER: 5'),
    ],
    ['STRING: 0:1b:21:a:b:c', 'OctetString', Buffer.of(0, 0x1b, 0x21, 10, 11, 12)],
    ['STRING: eth0', 'OctetString', Buffer.from('eth0')],
    ['STRING: ', 'OctetString', Buffer.alloc(0)],
    ['""', 'OctetString', Buffer.alloc(0)],
    ['Hex-STRING: 00 FF 0A ', 'OctetString', Buffer.of(0, 255, 10)],
    ['Hex-STRING: 00 FF \n0A 0B ', 'OctetString', Buffer.of(0, 255, 10, 11)],
    ['BITS: 80 01 first(0) last(15)', 'OctetString', Buffer.of(0x80, 1)],
    ['IpAddress: 192.0.2.1', 'IpAddress', '192.0.2.1'],
    ['Network Address: C0:00:02:01', 'IpAddress', '192.0.2.1'],
    ['OID: .1.3.6.1.4.1.8072', 'ObjectIdentifier', '1.3.6.1.4.1.8072'],
    ['Opaque: Float: 10.500000', 'OpaqueFloat', 10.5],
    ['Opaque: Double: -1.250000', 'OpaqueDouble', -1.25],
    ['Opaque: Int64: -3', 'OpaqueInt64', -3n],
    ['Opaque: UInt64: 18446744073709551615', 'OpaqueUInt64', 18446744073709551615n],
    ['Opaque: Counter64: 3', 'OpaqueCounter64', 3n],
    ['OPAQUE: 01 02 ', 'Opaque', Buffer.of(1, 2)],
    ['NULL', 'Null', null],
    ['Wrong Type (should be INTEGER): Gauge32: 5', 'Gauge32', 5],
  ];
  for (const [printed, type, value] of values) {
    it(`reads ${JSON.stringify(printed)} as ${type}`, () => {
      const recording = parseRecording(
        `.1.3 = INTEGER: 1\n.${oid} = ${printed}\n.2.1 = INTEGER: 1\n`,
        'made-up.walk',
      );
      assert.deepEqual(varbindsOf(recording)[1], { oid, type, value });
      assert.equal(recording.size, 3);
    });
  }

  it('leaves out what has no value', () => {
    const recording = parseRecording(
      [
        '.1.3.1 = No Such Object available on this agent at this OID',
        '.1.3.2 = No Such Instance currently exists at this OID',
        '.1.3.3 = INTEGER: 3',
        '.1.3.3 = No more variables left in this MIB View (It is past the end of the MIB tree)',
      ].join('\n'),
      'made-up.walk',
    );
    assert.deepEqual(
      varbindsOf(recording).map((varbind) => varbind.oid),
      ['1.3.3'],
    );
  });

  const size = 20_000_000;
  const huge: readonly (readonly [what: string, printed: () => string, length: number])[] = [
    ['a quoted text', () => `STRING: "${'a'.repeat(size)}"`, size],
    ['a quoted text of many lines', () => `STRING: "${'a\n'.repeat(size / 100)}"`, size / 50],
    ['a text without quotes', () => `STRING: ${'a'.repeat(size)}`, size],
    ['octets with colons', () => `STRING: ${'0:'.repeat(size / 20)}1`, size / 20 + 1],
    ['hexadecimal octets', () => `Hex-STRING: ${'61 '.repeat(size / 10)}`, size / 10],
  ];
  for (const [what, printed, length] of huge) {
    it(`reads ${what} of megabytes without using up the stack`, () => {
      const { entries } = parseRecording(`.${oid} = ${printed()}\n`, 'huge.walk');
      const headers = entries.length - length;
      assert.ok(headers > 10 && headers < 40, `${headers} octets beside the value`);
    });
  }

  for (const [what, text] of [
    ['a number', `.${oid} = INTEGER: ${'1'.repeat(size)}`],
    ['an OID', `.1${'.1'.repeat(size / 2)} = INTEGER: 1`],
    ['a type', `.${oid} = ${'a'.repeat(size)}: 1`],
  ] as const) {
    it(`refuses ${what} of 20 MB with a short reason`, () => {
      assert.throws(
        () => parseRecording(text, 'huge.walk'),
        (error: Error) => error.name === 'RecordingError' && error.message.length < 200,
      );
    });
  }

  const problems: readonly (readonly [text: string, line: number, problem: string])[] = [
    [
      'IF-MIB::ifIndex.1 = INTEGER: 1',
      1,
      'expected .OID = TYPE: VALUE, not "IF-MIB::ifIndex.1 = INTEGER: 1"',
    ],
    [
      '.1.3 = INTEGER: 1\n.1.3.4294967296 = INTEGER: 1',
      2,
      '"1.3.4294967296" is not an OID; walk the agent with -On',
    ],
    ['.1.3 = Colour: red', 1, '"Colour" is not a type that snmpwalk -On prints'],
    ['.1.3 = INTEGER: red', 1, 'a value of tag 2 must be a whole number, not "red"'],
    ['.1.3 = Hex-STRING: XY', 1, '"XY" is not hexadecimal'],
    ['.1.3 = STRING: "open', 1, 'the quote of this value is not closed'],
  ];
  for (const [text, line, problem] of problems) {
    it(`rejects ${JSON.stringify(text)} with the line and the reason`, () => {
      assert.throws(() => parseRecording(text, 'made-up.walk'), {
        message: `made-up.walk:${line}: ${problem}`,
      });
    });
  }
});
