import type { Dialect } from '../compiled/compiled-request.ts';
import type { SecurityPeer } from '../usm/manager/security-peer.ts';

const nothing = Buffer.alloc(0);
const versions = { '1': 0, '2c': 1, '3': 3 } as const;

/** What every message of a session begins with. */
export class Wire {
  /** As on the wire: 0 is SNMPv1, 1 is SNMPv2c. */
  readonly version: 0 | 1 | 3;
  readonly community: Buffer;
  /** In SNMPv3 only. */
  readonly security: SecurityPeer | undefined;

  constructor(version: 0 | 1 | 3, community: Buffer = nothing, security?: SecurityPeer) {
    this.version = version;
    this.community = community;
    this.security = security;
  }

  /** Throws a RangeError for requests that were compiled for another version or community. */
  assertSpeaks(dialect: Dialect, community: Buffer): void {
    if (versions[dialect.version] === this.version && community.equals(this.community)) return;
    throw new RangeError('The compiled requests are for another SNMP version or community than the session.');
  }

  hasCommunity(bytes: Uint8Array, start: number, end: number): boolean {
    const { community } = this;
    if (community.length !== end - start) return false;
    for (let i = 0; i < community.length; i++) if (community[i] !== bytes[start + i]) return false;
    return true;
  }
}
