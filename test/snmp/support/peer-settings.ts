import type { PeerSettings } from '../../../src/snmp/transport/flight.ts';

/** Settings of a device on this machine. Tests override single ones. */
export const peerSettings: PeerSettings = {
  address: '127.0.0.1',
  port: 161,
  isIpv6: false,
  acceptsAnySource: false,
  timeoutMs: 2_000,
  retries: 1,
  exponentialTimeout: false,
  maxOutstanding: 8,
};
