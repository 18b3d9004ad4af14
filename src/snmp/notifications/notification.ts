import type { Oid } from '../../model/oid.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import type { SecurityLevelName } from '../usm/user/security-level.ts';

export type NotificationVersion = '1' | '2c' | '3';

/** The fields that only an SNMPv1 trap has. */
export interface TrapV1Fields {
  readonly generic: number;
  readonly specific: number;
}

/** Who sent a notification, as far as SNMPv3 says it. */
export interface NotificationSecurity {
  /** The key of the user's settings, and the name in the message. */
  readonly userKey: string;
  readonly user: string;
  /** The authoritative engine: of a trap the sender's, of an inform the receiver's. Hexadecimal. */
  readonly engineId: string;
  readonly contextEngineId: string;
  readonly context: string;
}

/** A trap or an inform that was accepted. Its form is that of SNMPv2 in all versions (RFC 3584 §3.1). */
export interface Notification {
  readonly kind: 'trap' | 'inform';
  readonly version: NotificationVersion;
  /** 0 for a trap. An inform that is sent again, because it was not answered, has the same number. */
  readonly informId: number;
  /** The value of snmpTrapOID.0. */
  readonly oid: Oid;
  /** The value of sysUpTime.0, in hundredths of a second. */
  readonly uptime: number | undefined;
  /** Everything else, without snmpTrapEnterprise.0, snmpTrapAddress.0 and snmpTrapCommunity.0. Their buffers are views of the datagram. */
  readonly varbinds: readonly Varbind[];
  /** The address that the sender or a relay gives: agent-addr or snmpTrapAddress.0, unless it is 0.0.0.0. */
  readonly agentAddress: string | undefined;
  /** The enterprise of an SNMPv1 trap, or snmpTrapEnterprise.0. */
  readonly enterprise: Oid | undefined;
  readonly v1: TrapV1Fields | undefined;
  readonly level: SecurityLevelName;
  readonly security: NotificationSecurity | undefined;
  readonly source: string;
  readonly port: number;
  /** The index of the listener that received it. */
  readonly listener: number;
  /** By the monotonic clock. */
  readonly receivedAtMs: number;
  /** As received. */
  readonly datagram: Buffer;
}
