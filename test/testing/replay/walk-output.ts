import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { compareOids } from '../../../src/model/oid.ts';

/** What `snmpbulkwalk -On` without MIBs prints of a device that has what the file says; octets as latin-1. */
export function walkOutputOf(path: string): string {
  const file = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(file) : file).toString('latin1');
  const printed = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => /^([\d.]+)\|([^|]*)\|(.*)$/.exec(line.trim())!.slice(1) as [string, string, string])
    .map(([oid, tag, value]) => [oid, print(tag, value)] as const)
    .sort(([a], [b]) => compareOids(a, b));
  return printed
    .filter(([oid], i) => oid !== printed[i - 1]?.[0])
    .map(([oid, value]) => `.${oid} = ${value}\n`)
    .join('');
}

function print(tag: string, value: string): string {
  switch (tag) {
    case '2':
      return `INTEGER: ${value}`;
    case '4':
      return printOctets(Buffer.from(value, 'latin1'));
    case '4x':
      return printOctets(Buffer.from(value, 'hex'));
    case '6':
      return `OID: .${value}`;
    case '64':
      return `IpAddress: ${value}`;
    case '64x':
      return `IpAddress: ${Buffer.from(value, 'hex').join('.')}`;
    case '65':
      return `Counter32: ${value}`;
    case '66':
      return `Gauge32: ${value}`;
    case '67':
      return printTicks(Number(value));
    case '68x':
      return printOpaque(Buffer.from(value, 'hex'));
    case '70':
      return `Counter64: ${value}`;
    default:
      return printVariation(tag, value);
  }
}

/** The first value of the two variation modules that the recordings use. */
function printVariation(tag: string, value: string): string {
  const [type, module] = tag.split(':');
  if (module === 'writecache') return print(type!, value.replace(/^value=/, ''));
  if (module !== 'numeric') throw new Error(`the tag ${tag} is not known here`);
  return print(type!, /initial=(\d+)/.exec(value)?.[1] ?? /min=(\d+)/.exec(value)?.[1] ?? '0');
}

function printOctets(octets: Buffer): string {
  if (octets.length === 0) return '""';
  if (!octets.every((octet) => (octet >= 0x20 && octet <= 0x7e) || (octet >= 9 && octet <= 13))) {
    return `Hex-STRING: ${printHex(octets)}`;
  }
  return `STRING: "${octets.toString('latin1').replace(/["\\]/g, '\\$&')}"`;
}

function printHex(octets: Buffer): string {
  const words = octets.toString('hex').toUpperCase().replace(/../g, '$& ');
  return words.replace(/(.{48})(?=.)/g, '$1\n');
}

function printTicks(ticks: number): string {
  const pad = (part: number) => String(Math.floor(part)).padStart(2, '0');
  const days = Math.floor(ticks / 8_640_000);
  const prefix = days === 0 ? '' : days === 1 ? '1 day, ' : `${days} days, `;
  const hours = Math.floor((ticks / 360_000) % 24);
  return `Timeticks: (${ticks}) ${prefix}${hours}:${pad((ticks / 6000) % 60)}:${pad((ticks / 100) % 60)}.${pad(ticks % 100)}`;
}

function printOpaque(octets: Buffer): string {
  const isFloat = octets.length === 7 && octets.readUIntBE(0, 3) === 0x9f7804;
  return isFloat ? `Opaque: Float: ${octets.readFloatBE(3).toFixed(6)}` : `OPAQUE: ${printHex(octets)}`;
}
