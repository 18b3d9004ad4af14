import ipaddr from 'ipaddr.js';
import { decodeOctets, hexDigits } from './octet-text.ts';

/** Twelve digits, or six numbers of one or two digits: `0-e-1e-a4-d6-f0`. */
const mac = /^([0-9a-f]{12}|[0-9a-f]{1,2}([:-])[0-9a-f]{1,2}(\2[0-9a-f]{1,2}){4})$/i;
const longestMac = 17;

/** InetAddressType (RFC 4001). */
export const inetType = { unknown: 0, ipv4: 1, ipv6: 2, ipv4z: 3, ipv6z: 4, dns: 16 } as const;

/**
 * An address from 4 or 16 octets, with the zone in 4 more octets (RFC 4001), or from its text. `type` is the value of the
 * InetAddressType beside it, if there is one: only the type distinguishes a host name of sixteen octets from an address.
 * Undefined when the octets are not an address.
 */
export function decodeAddress(octets: Uint8Array, type?: number): string | undefined {
  if (type === inetType.dns) return decodeOctets(octets);
  switch (octets.length) {
    case 4:
      return octets.join('.');
    case 8:
      return spelledAddress(octets) ?? `${octets.subarray(0, 4).join('.')}%${zoneOf(octets, 4)}`;
    case 16:
      return spelledAddress(octets) ?? ipv6Text(octets);
    case 20:
      return spelledAddress(octets) ?? `${ipv6Text(octets.subarray(0, 16))}%${zoneOf(octets, 16)}`;
    default:
      return spelledAddress(octets);
  }
}

/** An address, with its prefix length when one more octet follows. */
export function decodeRoutePrefix(octets: Uint8Array): string | undefined {
  const bytes = octets.length - 1;
  const bits = octets[bytes] ?? 0;
  if ((bytes !== 4 && bytes !== 16) || bits > 8 * bytes) return decodeAddress(octets);
  return `${decodeAddress(octets.subarray(0, bytes))}/${bits}`;
}

/** Octets in hexadecimal with colons between them; the text of a MAC address gets the same form. Undefined for no octets. */
export function decodeMac(octets: Uint8Array): string | undefined {
  if (octets.length === 0) return undefined;
  const text = octets.length <= longestMac ? String.fromCharCode(...octets) : '';
  if (!mac.test(text)) return hexDigits(octets.subarray(0, 1024), ':');
  const parts = text.length === 12 ? text.match(/../g)! : text.split(/[:-]/);
  return parts.map((part) => part.toLowerCase().padStart(2, '0')).join(':');
}

function ipv6Text(octets: Uint8Array): string {
  return new ipaddr.IPv6([...octets]).toRFC5952String();
}

function zoneOf(octets: Uint8Array, at: number): number {
  return octets.subarray(at, at + 4).reduce((zone, octet) => zone * 256 + octet, 0);
}

function spelledAddress(octets: Uint8Array): string | undefined {
  if (octets.length > 64 || !octets.every(mayBeSpelled)) return undefined;
  const text = String.fromCharCode(...octets).trim();
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).toString();
  if (!text.includes(':') || !ipaddr.IPv6.isValid(text)) return undefined;
  const { parts, zoneId } = ipaddr.IPv6.parse(text);
  const address = new ipaddr.IPv6(parts).toRFC5952String();
  return zoneId === undefined ? address : `${address}%${zoneId}`;
}

/** Printable ASCII, which most addresses are not. */
function mayBeSpelled(octet: number): boolean {
  return octet >= 0x20 && octet <= 0x7e;
}
