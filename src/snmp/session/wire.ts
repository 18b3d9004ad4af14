import type { SecurityPeer } from '../usm/manager/security-peer.ts';

const nothing = Buffer.alloc(0);

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

  hasCommunity(bytes: Uint8Array, start: number, end: number): boolean {
    const { community } = this;
    if (community.length !== end - start) return false;
    for (let i = 0; i < community.length; i++) if (community[i] !== bytes[start + i]) return false;
    return true;
  }
}
