import type { Dialect } from '../compiled/compiled-request.ts';
import { SecurityPeer } from '../usm/manager/security-peer.ts';
import { holdsOctets } from '../usm/message/octet-equality.ts';
import type { EngineCore } from './engine-core.ts';
import { badTarget, type Target } from './target.ts';

const nothing = Buffer.alloc(0);
const versions = { '1': 0, '2c': 1, '3': 3 } as const;

/** The version and credentials in every message of a session. */
export class Wire {
  /** As encoded: 0 is SNMPv1, 1 is SNMPv2c. */
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
  assertDialect(dialect: Dialect, community: Buffer): void {
    if (versions[dialect.version] === this.version && community.equals(this.community)) return;
    throw new RangeError(
      'The compiled requests are for another SNMP version or community than the session. Compile them for this session.',
    );
  }

  hasCommunity(bytes: Uint8Array, start: number, end: number): boolean {
    return holdsOctets(bytes, start, end, this.community);
  }
}

/** Checks the target's version, community and user. Throws SNMP_BAD_TARGET. */
export function openWire(core: EngineCore, target: Target, name: string): Wire {
  switch (target.version) {
    case '1':
      return new Wire(0, Buffer.from(target.community));
    case '2c':
      return new Wire(1, Buffer.from(target.community));
    case '3':
      try {
        const user = core.users.get(target.user);
        const { context: contextName, contextEngineId } = target;
        const peer = new SecurityPeer({ address: name, user, contextName, contextEngineId }, core.engines);
        return new Wire(3, undefined, peer);
      } catch (error) {
        if (error instanceof RangeError) throw badTarget(target, error.message.replace(/\.$/, ''), error);
        throw error;
      }
    default:
      throw badTarget(target, 'its version is not 1, 2c or 3');
  }
}
