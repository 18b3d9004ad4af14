import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses of one family from the first to the last, as numbers: a large range takes no more memory than one address. */
export interface AddressRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * The addresses of a network in CIDR notation; host bits are ignored. Undefined for any other text. An IPv4 network mapped into
 * IPv6 becomes the IPv4 network.
 */
export function parseNetwork(text: string): AddressRange | undefined {
  const [, address = '', bitsText = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? [];
  const within = parseAddress(address);
  if (within === undefined) return undefined;
  const { family, first } = within;
  const written = isIP(address) === 6 ? 128 : 32;
  const bits = Number(bitsText) - (written - widths[family]);
  if (bits < 0 || bits > widths[family]) return undefined;
  const size = 1n << BigInt(widths[family] - bits);
  const start = (first / size) * size;
  return { family, first: start, last: start + size - 1n };
}

/** One address as a range; undefined for text that is not an IP address or has a zone. */
export function parseAddress(text: string): AddressRange | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  const bytes = ipaddr.process(text).toByteArray();
  const first = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  return { family: bytes.length === 4 ? 4 : 6, first, last: first };
}

/** Whether all addresses of `inner` are in `outer`. */
export function containsRange(outer: AddressRange, inner: AddressRange): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
}

/** The network without its network and broadcast addresses; IPv6 networks and those of one or two addresses stay whole. */
export function hostsOf(network: AddressRange): AddressRange {
  const { family, first, last } = network;
  return family === 6 || last - first < 2n ? network : { family, first: first + 1n, last: last - 1n };
}

/** An address in its canonical form. */
export function formatAddress(family: AddressRange['family'], address: bigint): string {
  const bytes = Buffer.from(address.toString(16).padStart(widths[family] / 4, '0'), 'hex');
  return family === 4 ? bytes.join('.') : ipaddr.fromByteArray([...bytes]).toString();
}

const widths = { 4: 32, 6: 128 } as const;
