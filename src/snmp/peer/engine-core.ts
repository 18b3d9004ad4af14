import { BerReader } from '../codec/ber-reader.ts';
import { BerWriter } from '../codec/ber-writer.ts';
import { OidTextCache } from '../codec/oid-text-cache.ts';
import { OidRanges } from '../codec/varbind-codec.ts';
import { ReplyDecoder } from '../compiled/reply-decoder.ts';
import type { Transport } from '../transport/transport.ts';
import type { EngineTable } from '../usm/engine/engine-table.ts';
import type { UserSecurity } from '../usm/manager/user-security.ts';
import type { PreparedUsers } from '../usm/user/prepared-users.ts';
import type { SharedPeers } from './shared-peers.ts';

/** What all sessions of a manager share: the transport, the security model, and buffers that are free between datagrams. */
export class EngineCore {
  readonly transport: Transport;
  readonly security: UserSecurity;
  readonly engines: EngineTable;
  readonly users: PreparedUsers;
  readonly reader: BerReader;
  readonly writer = new BerWriter();
  readonly texts = new OidTextCache();
  readonly ranges = new OidRanges();
  readonly decoder: ReplyDecoder;
  /** Set when all sessions to one device share their limits. */
  peers: SharedPeers | undefined = undefined;

  constructor(transport: Transport, security: UserSecurity, engines: EngineTable, users: PreparedUsers) {
    this.transport = transport;
    this.security = security;
    this.engines = engines;
    this.users = users;
    this.reader = new BerReader(transport.counters.tolerated);
    this.decoder = new ReplyDecoder(transport.counters.tolerated);
  }
}
