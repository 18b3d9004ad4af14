import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The canonical form of an address: IPv4 in four parts, IPv6 by RFC 5952, an IPv4 address mapped into IPv6 as IPv4, a host
 * name in lower case. Undefined for any other text.
 */
export function canonicalAddress(text: string): string | undefined {
  const version = isIP(text);
  if (version === 4) return text;
  if (version === 6) {
    const [address = '', zone] = text.split('%');
    const parsed = ipaddr.process(address).toString();
    return zone === undefined ? parsed : `${parsed}%${zone}`;
  }
  return hostName.test(text) && !/^[\d.]+$/.test(text) ? text.toLowerCase() : undefined;
}

/** Whether only this machine can reach what listens on `host`. */
export function isLoopback(host: string): boolean {
  const address = canonicalAddress(host);
  if (address === undefined) return false;
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** Labels of RFC 1123; underscores are allowed because internal names contain them. */
const hostName =
  /^(?=.{1,253}$)[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?(\.[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?)*\.?$/i;
