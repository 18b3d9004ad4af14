import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRecording } from '../../../../src/testing/replay/recording/load-recording.ts';
import { varbindsOf } from './recorded-varbinds.ts';

describe('snmprec parser', () => {
  const values: readonly (readonly [line: string, type: string, value: unknown])[] = [
    ['2|-5', 'Integer32', -5],
    ['2| 7 ', 'Integer32', 7],
    ['4|hello  ', 'OctetString', Buffer.from('hello')],
    ['4|', 'OctetString', Buffer.alloc(0)],
    ['4|a|b|c', 'OctetString', Buffer.from('a|b|c')],
    ['4|0x48656c', 'OctetString', Buffer.from('0x48656c')],
    ['4|ümlaut', 'OctetString', Buffer.from('ümlaut')],
    ['4x|', 'OctetString', Buffer.alloc(0)],
    ['4x|00fF', 'OctetString', Buffer.of(0, 255)],
    ['4x|abc', 'OctetString', Buffer.of(0xab, 0xc0)],
    ['4e|a\\x00b\\n\\\\', 'OctetString', Buffer.from('a\0b\n\\')],
    ['5|', 'Null', null],
    ['6|1.3.6.1', 'ObjectIdentifier', '1.3.6.1'],
    ['6|.1.3.6.1', 'ObjectIdentifier', '1.3.6.1'],
    ['6|0.0', 'ObjectIdentifier', '0.0'],
    ['6|', 'ObjectIdentifier', '0.0'],
    ['6|2.999.4294967295', 'ObjectIdentifier', '2.999.4294967295'],
    ['64|10.0.255.1', 'IpAddress', '10.0.255.1'],
    ['64x|0a00ff01', 'IpAddress', '10.0.255.1'],
    ['65|4294967295', 'Counter32', 4294967295],
    ['65|-2147483648', 'Counter32', 2147483648],
    ['66|128', 'Gauge32', 128],
    ['67|0', 'TimeTicks', 0],
    ['68x|9f780441200000', 'OpaqueFloat', 10],
    ['68x|0102', 'Opaque', Buffer.of(1, 2)],
    ['70|18446744073709551615', 'Counter64', 18446744073709551615n],
    ['70|9007199254740993', 'Counter64', 9007199254740993n],
    ['128|', 'noSuchObject', null],
    ['129|', 'noSuchInstance', null],
    ['130|', 'endOfMibView', null],
    ['2:numeric|min=1,max=2,initial=2,wrap=1', 'Integer32', 2],
    ['67:numeric|rate=100,initial=45.9', 'TimeTicks', 45],
    ['65:numeric|min=3', 'Counter32', 3],
    ['4:writecache|value=Port 9', 'OctetString', Buffer.from('Port 9')],
    ['4:writecache|hexvalue=00ff', 'OctetString', Buffer.of(0, 255)],
  ];
  for (const [line, type, value] of values) {
    it(`reads ${line} as ${type}`, () => {
      const [varbind] = varbindsOf(parseRecording(`1.3.6.1.2.1.1.1.0|${line}\n`));
      assert.deepEqual(varbind, { oid: '1.3.6.1.2.1.1.1.0', type, value });
    });
  }

  it('skips comments and blank lines, and needs no line feed at the end', () => {
    const recording = parseRecording('#a comment\n\n  \r\n1.3.6.1|2|1\r\n  1.3.7|2|2');
    assert.deepEqual(
      varbindsOf(recording).map(({ oid, value }) => [oid, value]),
      [
        ['1.3.6.1', 1],
        ['1.3.7', 2],
      ],
    );
  });

  const problems: readonly (readonly [line: string, problem: string])[] = [
    ['nonsense', 'expected OID|TAG|VALUE; correct the line or remove it'],
    ['1.3.6.1|4', 'expected OID|TAG|VALUE; correct the line or remove it'],
    ['1.3.x|4|a', '"1.3.x" is not an OID; write it in decimal'],
    ['1.3.4294967296|4|a', '"1.3.4294967296" is not an OID; write it in decimal'],
    ['1.3|y|a', '"y" is not a tag; write its number, and x behind it for hexadecimal octets'],
    ['1.3|4xx|3a32', '"4xx" is not a tag; write its number, and x behind it for hexadecimal octets'],
    ['1.3||a', '"" is not a tag; write its number, and x behind it for hexadecimal octets'],
    ['1.3|99|a', '99 is not the tag of any SNMP type; write one of 2, 4, 5, 6, 64 to 71, 128 to 130'],
    ['1.3|2|one', 'a value of tag 2 must be a whole number, not "one"'],
    ['1.3|65|', 'a value of tag 65 must be a whole number, not ""'],
    ['1.3|70|18446744073709551616', '"18446744073709551616" does not fit into 64 bits'],
    ['1.3|6|1.x', '"1.x" is not an OID; write it in decimal'],
    ['1.3|64|10.0.0.256', '"10.0.0.256" is not an IPv4 address; write it as 192.0.2.1'],
    ['1.3|4x|xyz', '"xyz" is not hexadecimal'],
    ['1.3|2x|00', 'a value of tag 2 is written in decimal, without x'],
    ['1.3|4e|\\q', '"\\\\q" is not an escape; write \\\\ for a backslash'],
    ['1.3|4:sql|x', 'the variation module "sql" is not supported; give the line a plain value'],
  ];
  for (const [line, problem] of problems) {
    it(`rejects ${line} with its number and the reason`, () => {
      assert.throws(() => parseRecording(`# first\n${line}\n`, 'made-up.snmprec'), {
        name: 'RecordingError',
        code: 'RECORDING_INVALID',
        message: `made-up.snmprec:2: ${problem}`,
      });
    });
  }
});
