import type { RemoteInfo } from 'node:dgram';
import { authProtocols } from '../../model/v3-protocols.ts';
import { BerReader } from '../codec/ber-reader.ts';
import { berTag } from '../codec/ber-tag.ts';
import { newDecodeTally } from '../codec/decode-fault.ts';
import type { SnmpErrorCode } from '../snmp-error.ts';
import { Envelope } from '../transport/envelope.ts';
import type { PeerSettings } from '../transport/flight.ts';
import { holdsOctets } from '../usm/message/octet-equality.ts';
import { readReportReason } from '../usm/message/report-reason.ts';
import { readScopedPdu } from '../usm/message/scoped-pdu.ts';
import { readV3Message, type V3Message } from '../usm/message/v3-message.ts';
import { findLevel, type SecurityLevel } from '../usm/user/security-level.ts';
import type { UserSettings } from '../usm/user/user-settings.ts';

export type GuardedVersion =
  | { readonly version: 0 | 1; readonly community: Buffer }
  | { readonly version: 3; readonly user: UserSettings; readonly level: SecurityLevel };

/**
 * Checks datagrams before the library sees them. The library itself accepts a datagram from any source and of any security
 * level, and the first one with the right id ends the request. The library decodes what passes the filter.
 */
export class ReplyFilter {
  /** The reason of the last Report; it is not authenticated. */
  hint: SnmpErrorCode | undefined = undefined;
  refused = 0;
  readonly #peer: PeerSettings;
  readonly #expected: GuardedVersion;
  readonly #reader = new BerReader();
  readonly #envelope = new Envelope(newDecodeTally());

  constructor(peer: PeerSettings, expected: GuardedVersion) {
    this.#peer = peer;
    this.#expected = expected;
  }

  accepts(datagram: Buffer, from: RemoteInfo): boolean {
    const passes = this.#isFromPeer(from) && this.#isAcceptable(datagram);
    if (!passes) this.refused++;
    return passes;
  }

  #isFromPeer(from: RemoteInfo): boolean {
    const { acceptsAnySource, address, port } = this.#peer;
    return acceptsAnySource || (from.address === address && from.port === port);
  }

  #isAcceptable(datagram: Buffer): boolean {
    const expected = this.#expected;
    if (expected.version === 3) {
      const message = readV3Message(this.#reader, datagram);
      return typeof message !== 'string' && this.#isSecured(message, expected.user, expected.level);
    }
    const envelope = this.#envelope;
    return (
      envelope.read(datagram) === undefined &&
      envelope.version === expected.version &&
      envelope.pduTag === berTag.response &&
      holdsOctets(datagram, envelope.communityStart, envelope.communityEnd, expected.community)
    );
  }

  #isSecured(message: V3Message, user: UserSettings, level: SecurityLevel): boolean {
    if (!message.isEncrypted) {
      const { octets, dataStart, dataEnd } = message;
      const scoped = readScopedPdu(this.#reader, octets, dataStart, dataEnd);
      if (typeof scoped === 'string') return false;
      if (scoped.pduTag === berTag.report)
        return this.#isUseful(scoped.octets, scoped.pduStart, scoped.pduEnd);
    }
    const { authProtocol, name } = user;
    const macBytes = authProtocol === undefined ? 0 : authProtocols[authProtocol].macBytes;
    return (
      findLevel(message.flags) === level &&
      message.isEncrypted === level > 1 &&
      message.macEnd - message.macStart === macBytes &&
      holdsOctets(message.octets, message.userStart, message.userEnd, Buffer.from(name))
    );
  }

  /** Whether the library can learn from a Report. Any other Report would end the request, although anybody may have sent it. */
  #isUseful(octets: Buffer, start: number, end: number): boolean {
    const reason = readReportReason(this.#reader, octets, start, end);
    if (reason === 'unknownEngineIDs' || reason === 'notInTimeWindows') return true;
    this.hint = hintByReason[reason ?? 'other'] ?? this.hint;
    return false;
  }
}

const hintByReason: Readonly<Record<string, SnmpErrorCode>> = {
  wrongDigests: 'SNMP_WRONG_DIGEST',
  unknownUserNames: 'SNMP_UNKNOWN_USER',
  unsupportedSecLevels: 'SNMP_SECURITY_LEVEL',
  decryptionErrors: 'SNMP_DECRYPTION',
};
