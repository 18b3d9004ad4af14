import { BerReader } from '../../codec/ber-reader.ts';
import { berTag } from '../../codec/ber-tag.ts';
import { type DecodeFault, type DecodeTally, newDecodeTally } from '../../codec/decode-fault.ts';
import type { SaltSource } from '../crypto/salt-source.ts';
import { holdsOctets } from '../message/octet-equality.ts';
import { readReportReason } from '../message/report-reason.ts';
import type { ScopedPdu } from '../message/scoped-pdu.ts';
import type { SecurityFault } from '../message/security-fault.ts';
import { V3Codec } from '../message/v3-codec.ts';
import { usmSecurityModel, type V3Message } from '../message/v3-message.ts';
import { findLevel, messageFlag, securityLevel } from '../user/security-level.ts';
import type { SecurityOutcome, SecurityReport } from './security-outcome.ts';
import type { SecurityPeer } from './security-peer.ts';

const nothing = new Uint8Array(0);

/**
 * The manager's side of the User-based Security Model (RFC 3414 §3): seals requests and opens replies. It never throws because
 * of a packet's content. `nowMs` is monotonic, from the same clock in every call.
 */
export class UserSecurity {
  readonly #salts: SaltSource;
  readonly #codec: V3Codec;

  constructor(salts: SaltSource, tally: DecodeTally = newDecodeTally()) {
    this.#salts = salts;
    this.#codec = new V3Codec(new BerReader(tally));
  }

  /** Reads the header, so that the caller can find the request by `messageId`. Nothing is verified yet. */
  read(datagram: Buffer): V3Message | DecodeFault {
    return this.#codec.read(datagram);
  }

  /** An engine discovery: a GET without varbinds and without a user, which asks for ID, boots and time (RFC 3414 §4). */
  sealDiscovery(messageId: number): Buffer {
    const writer = this.#codec.writer.reset();
    writer.header(berTag.sequence, 0);
    for (const value of [0, 0, messageId]) writer.integer(value);
    writer.header(berTag.getRequest, 0);
    return this.#codec.seal({
      messageId,
      flags: messageFlag.reportable,
      engineId: nothing,
      boots: 0,
      time: 0,
      userName: nothing,
      keys: {},
      contextEngineId: nothing,
      contextName: nothing,
      pdu: writer.toBuffer(),
    });
  }

  /** A request of the peer's user, at exactly that user's level; undefined while no engine ID is known. */
  seal(peer: SecurityPeer, messageId: number, pdu: Uint8Array, nowMs: number): Buffer | undefined {
    const engine = peer.findEngine(nowMs);
    if (engine === undefined) return undefined;
    const { user } = peer;
    const isTimed = user.level !== securityLevel.noAuthNoPriv;
    return this.#codec.seal({
      messageId,
      flags: user.level | messageFlag.reportable,
      engineId: engine.id,
      boots: isTimed ? engine.clock.boots : 0,
      time: isTimed ? engine.clock.timeAt(nowMs) : 0,
      userName: user.name,
      keys: engine.keys,
      salt: user.level === securityLevel.authPriv ? this.#salts.take() : undefined,
      contextEngineId: peer.contextEngineId ?? engine.id,
      contextName: peer.contextName,
      pdu,
    });
  }

  /**
   * Opens a message whose `messageId` belongs to an outstanding request of `peer`. It returns a Response only when level,
   * engine ID, user, MAC, time window, context engine ID and context name are all correct. A returned Report may be
   * unauthenticated: pass it to `learn` if the request may still learn from one, otherwise keep its reason as a hint, and
   * continue to wait. Count and ignore the message when the result is a string.
   */
  open(peer: SecurityPeer, message: V3Message, nowMs: number): SecurityOutcome | SecurityFault {
    const { user } = peer;
    const { octets } = message;
    if (message.securityModel !== usmSecurityModel) return 'securityModel';
    const level = findLevel(message.flags);
    if (level === undefined || level > user.level) return 'securityLevel';
    if (message.isEncrypted !== (level === securityLevel.authPriv)) return 'securityLevel';

    const engine = peer.match(message);
    const isUsers = holdsOctets(octets, message.userStart, message.userEnd, user.name);
    let isTimely = true;
    if (level !== securityLevel.noAuthNoPriv) {
      if (engine === undefined) return 'engineId';
      if (!isUsers) return 'user';
      const fault = this.#codec.checkMac(message, engine.keys);
      if (fault !== undefined) return fault;
      isTimely = peer.admit(engine, message.boots, message.time, nowMs);
      if (!isTimely && message.isEncrypted) return 'timeWindow';
    }

    const scoped = this.#codec.openScopedPdu(message, engine?.keys ?? {});
    // With a wrong key, decryption gives noise: then invalid BER is not the sender's fault.
    if (typeof scoped === 'string') return message.isEncrypted ? 'decryption' : 'pduType';
    if (scoped.pduTag === berTag.report) return this.#openReport(message, scoped);
    if (!isTimely) return 'timeWindow';
    if (level !== user.level) return 'securityLevel';
    if (engine === undefined) return 'engineId';
    if (!isUsers) return 'user';
    if (scoped.pduTag !== berTag.response) return 'pduType';
    const contextEngineId = peer.contextEngineId ?? engine.id;
    if (!holdsOctets(scoped.octets, scoped.engineIdStart, scoped.engineIdEnd, contextEngineId)) {
      return 'context';
    }
    if (!holdsOctets(scoped.octets, scoped.contextStart, scoped.contextEnd, peer.contextName)) {
      return 'context';
    }
    if (level === securityLevel.noAuthNoPriv) peer.trustUnauthenticated(engine);
    return { kind: 'response', octets: scoped.octets, start: scoped.pduStart, end: scoped.pduEnd };
  }

  /**
   * Takes engine ID, boots and time from a Report, and returns whether the request should be sent again. Limit how often a
   * request learns: otherwise a forger could cause a flood.
   */
  learn(peer: SecurityPeer, report: SecurityReport, nowMs: number): boolean {
    if (report.reason !== 'unknownEngineIDs' && report.reason !== 'notInTimeWindows') return false;
    const { engineId } = report;
    if (engineId.length === 0 || engineId.length > 32) return false;
    const isNews = report.reason === 'notInTimeWindows' || !peer.findEngine(nowMs)?.id.equals(engineId);
    if (isNews) peer.setCandidate(engineId, report.boots, report.time, nowMs);
    return true;
  }

  #openReport(message: V3Message, scoped: ScopedPdu): SecurityReport | SecurityFault {
    const { octets, pduStart, pduEnd } = scoped;
    const reason = readReportReason(this.#codec.reader, octets, pduStart, pduEnd);
    if (reason === undefined) return 'pduType';
    return {
      kind: 'report',
      reason,
      isAuthenticated: (message.flags & messageFlag.auth) !== 0,
      engineId: Buffer.from(message.octets.subarray(message.engineIdStart, message.engineIdEnd)),
      boots: message.boots,
      time: message.time,
    };
  }
}
