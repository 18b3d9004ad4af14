import { equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeAddress, decodeMac } from '../../../src/definitions/syntax/decode/address-text.ts';
import { decodeDateAndTime } from '../../../src/definitions/syntax/decode/date-and-time.ts';
import { decodeOctets } from '../../../src/definitions/syntax/decode/octet-text.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));

describe('decodeOctets', () => {
  it('keeps printable UTF-8 with its tabs and line breaks, and drops NULs at the end', () => {
    equal(decodeOctets(utf8('Cisco IOS\r\n\tVersion 15')), 'Cisco IOS\r\n\tVersion 15');
    equal(decodeOctets(utf8('eth0\0\0')), 'eth0');
    equal(decodeOctets(utf8('日本語 🚀')), '日本語 🚀');
    equal(decodeOctets(utf8('')), '');
  });

  it('shows a long text by its first 4,096 characters, whatever follows', () => {
    equal(decodeOctets(utf8(`${'x'.repeat(5_000)}\u0001`)), `${'x'.repeat(4_095)}…`);
    equal(decodeOctets(utf8(`\u0001${'x'.repeat(5_000)}`)).slice(0, 6), '0x0178');
  });

  it('writes everything else in hexadecimal, without control characters', () => {
    equal(decodeOctets(hex('001b21')), '0x001b21');
    equal(decodeOctets(utf8('\u001b[31mred')), '0x1b5b33316d726564');
    equal(decodeOctets(hex('e9')), '0xe9');
    equal(decodeOctets(hex('0000')), '0x0000');
    equal(decodeOctets(utf8('a\0b')), '0x610062');
    equal(decodeOctets(utf8('\u0085')), '0xc285');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (octets) => {
        ok(/^[^\p{Cc}]*$/u.test(decodeOctets(octets).replaceAll(/[\t\r\n]/g, '')));
      }),
    );
  });

  it('reads back every text without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        fc.pre(!/[\p{Cc}\ufffd]/u.test(text));
        equal(decodeOctets(utf8(text)), text);
      }),
    );
  });

  it('reads the Latin-1 of old devices, and leaves binary and other encodings in hexadecimal', () => {
    const latin = (text: string) => Buffer.from(text, 'latin1');
    for (const text of [
      'Büro',
      'Zürich Süd',
      'Straße 7, 2. Stock',
      'Île-de-France',
      '23 °C',
      'a\tÄ\r\nÖ b',
      'Öl',
    ]) {
      equal(decodeOctets(latin(text)), text);
      equal(decodeOctets(utf8(text)), text);
    }
    equal(decodeOctets(latin('Büro\0\0')), 'Büro');
    equal(decodeOctets(latin('é'.repeat(2000) + 'e'.repeat(4000))).length, 4096);
    for (const text of ['B\u0001üro', 'B\u0085üro', 'Büro\u007f', 'B\0üro']) {
      equal(decodeOctets(latin(text)), `0x${latin(text).toString('hex')}`);
    }
    equal(decodeOctets(latin('Zürich')), 'Zürich');
    // MAC addresses.
    for (const digits of ['2c6bf5413a72', '24a43ce16b78', '4c4ee4f17a61'])
      equal(decodeOctets(hex(digits)), `0x${digits}`);
    for (const digits of ['e8c1d7f0aab5', 'c4e3bac3cac0bde7', 'fffe', 'e9'])
      equal(decodeOctets(hex(digits)), `0x${digits}`);
    const cut = utf8('Zürich, Bür').subarray(0, -2);
    equal(decodeOctets(cut), `0x${Buffer.from(cut).toString('hex')}`);
  });

  it('cuts off at 4,096 characters with an ellipsis, never inside a character', () => {
    for (const text of [
      'x'.repeat(70_000),
      '🚀'.repeat(20_000),
      `x${'🚀'.repeat(20_000)}`,
      'é'.repeat(9000),
    ]) {
      const decoded = decodeOctets(utf8(text));
      ok(decoded.length <= 4096 && decoded.endsWith('…') && text.startsWith(decoded.slice(0, -1)));
      ok(decoded.length >= 4095);
    }
    const binary = decodeOctets(new Uint8Array(60_000).fill(1));
    ok(binary.length <= 4096 && binary.startsWith('0x0101') && binary.endsWith('…'));
  });
});

describe('decodeAddress', () => {
  it('reads 4, 8, 16 and 20 octets, and the text that some agents send', () => {
    equal(decodeAddress(hex('7f000001')), '127.0.0.1');
    equal(decodeAddress(hex('0a00000100000007')), '10.0.0.1%7');
    equal(decodeAddress(hex('20010db8000000000000000000000001')), '2001:db8::1');
    equal(decodeAddress(hex('fe80000000000000000000000000000100000003')), 'fe80::1%3');
    equal(decodeAddress(utf8('192.168.100.200')), '192.168.100.200');
    equal(decodeAddress(utf8('2001:DB8:0:0::1')), '2001:db8::1');
    equal(decodeAddress(utf8('10.1.1.1')), '10.1.1.1');
    equal(decodeAddress(utf8('2001:db8::1:2345')), '2001:db8::1:2345');
    equal(decodeAddress(utf8('fe80::21b:21ff:fe%3')), 'fe80::21b:21ff:fe%3');
    equal(decodeAddress(hex('')), undefined);
  });

  it('reads sixteen octets as a host name only when the address type says so', () => {
    equal(decodeAddress(utf8('www.example.com.'), 16), 'www.example.com.');
    equal(decodeAddress(utf8('www.example.com.')), '7777:772e:6578:616d:706c:652e:636f:6d2e');
  });

  it('refuses octets that are not an address', () => {
    for (const octets of [hex('0a0000'), utf8('nonsense!'), utf8('1.2.3'), hex('ffffffffff')]) {
      equal(decodeAddress(octets), undefined);
    }
  });
});

const hexOf = (text: string) =>
  Buffer.from(text)
    .toString('hex')
    .replaceAll(/..(?=.)/g, '$&:');

describe('decodeMac', () => {
  it('writes octets with colons, and converts text to the same form', () => {
    equal(decodeMac(hex('00ff10')), '00:ff:10');
    equal(decodeMac(utf8('00:1B:21:AB:34:CD')), '00:1b:21:ab:34:cd');
    equal(decodeMac(utf8('001b21ab34cd')), '00:1b:21:ab:34:cd');
    equal(decodeMac(hex('')), undefined);
  });

  it('adds the zeros that some agents leave out of the text', () => {
    equal(decodeMac(utf8('0-e-1e-a4-d6-f0')), '00:0e:1e:a4:d6:f0');
    equal(decodeMac(utf8('0:e:1E:a4:d6:f0')), '00:0e:1e:a4:d6:f0');
    equal(decodeMac(utf8('0:0:0:0:0:1')), '00:00:00:00:00:01');
    equal(decodeMac(utf8('0:e-1e:a4:d6:f0')), hexOf('0:e-1e:a4:d6:f0'), 'no address: two separators');
    equal(decodeMac(utf8('0:e:1e:a4:d6')), hexOf('0:e:1e:a4:d6'), 'no address: five numbers');
  });
});

describe('decodeDateAndTime', () => {
  it('reads both lengths (RFC 2579)', () => {
    equal(decodeDateAndTime(hex('07c8051a0d1e0f00')), '1992-05-26T13:30:15.0');
    equal(decodeDateAndTime(hex('07c8051a0d1e0f002d0400')), '1992-05-26T13:30:15.0-04:00');
    equal(decodeDateAndTime(hex('07e50c1f173b3c092b0e00')), '2021-12-31T23:59:60.9+14:00');
  });

  it('refuses octets that are not a date', () => {
    for (const octets of [
      '0000000000000000',
      '07e7021d0d1e0f00',
      '07c80d1a0d1e0f00',
      '07c8051a181e0f00',
      '07c8051a0d1e0f0a',
      '07c8051a0d1e0f00200400',
      '07c8051a0d1e0f002d0460',
      '07c8051a0d',
    ]) {
      equal(decodeDateAndTime(hex(octets)), undefined, octets);
    }
  });
});
