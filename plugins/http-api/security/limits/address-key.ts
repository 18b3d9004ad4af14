import ipaddr from 'ipaddr.js';

/** What limits count by. An IPv6 network of 64 bits is one address: its owner has them all. */
export function addressKey(ip: string): string {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.');
}
