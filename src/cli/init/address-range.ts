import { isIPv4 } from 'node:net';
import { parseTargetAddress, resolveTarget } from '../snmp/options/target-address.ts';
import { initFailure } from './init-failure.ts';

export interface AddressList {
  readonly addresses: readonly string[];
  readonly port: number;
}

/** A network that is asked one address after the other; more would take minutes and is better done in parts. */
const maxAddresses = 4_096;

/** `192.0.2.0/24`, `192.0.2.10-20`, or one device as the other commands name it. */
export async function listAddresses(text: string): Promise<AddressList> {
  const [, range, portText = '161'] = /^([\d.]+[/-][\d.]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (range === undefined) {
    if (/^[\d.]+[/-]/.test(text)) throw initFailure('INIT_RANGE_INVALID', { range: text });
    const { address, port } = await resolveTarget(parseTargetAddress(text));
    return { addresses: [address], port };
  }
  const port = Number(portText);
  const bounds = findBounds(range);
  if (bounds === undefined || port < 1 || port > 65_535) {
    throw initFailure('INIT_RANGE_INVALID', { range: text });
  }
  const count = bounds.last - bounds.first + 1;
  if (count > maxAddresses) {
    throw initFailure('INIT_RANGE_TOO_LARGE', { range: text, count, max: maxAddresses });
  }
  return { addresses: Array.from({ length: count }, (_, i) => toText(bounds.first + i)), port };
}

interface Bounds {
  readonly first: number;
  readonly last: number;
}

/** The first and the last host: not the address of the network, nor that of its broadcasts. */
function findBounds(range: string): Bounds | undefined {
  const [start = '', end = ''] = range.split(/[/-]/);
  if (!isIPv4(start)) return undefined;
  const first = toNumber(start);
  if (range.includes('/')) {
    const bits = Number(end);
    if (!/^\d{1,2}$/.test(end) || bits > 32) return undefined;
    const size = 2 ** (32 - bits);
    const network = Math.floor(first / size) * size;
    return size <= 2
      ? { first: network, last: network + size - 1 }
      : { first: network + 1, last: network + size - 2 };
  }
  const lastText = /^\d{1,3}$/.test(end) ? start.replace(/\d+$/, end) : end;
  if (!isIPv4(lastText)) return undefined;
  const last = toNumber(lastText);
  return last < first ? undefined : { first, last };
}

function toNumber(address: string): number {
  return address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

function toText(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}
