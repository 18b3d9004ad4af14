import type { BerReader } from '../../codec/ber-reader.ts';
import { berTag, confirmedTags } from '../../codec/ber-tag.ts';
import type { DecodeFault } from '../../codec/decode-fault.ts';
import type { SaltSource } from '../crypto/salt-source.ts';
import { encodeReport } from '../message/report-pdu.ts';
import type { ReportReason, reportOids } from '../message/report-reason.ts';
import { V3Codec } from '../message/v3-codec.ts';
import { usmSecurityModel, type V3Message } from '../message/v3-message.ts';
import { findLevel, messageFlag, type SecurityLevel, securityLevel } from '../user/security-level.ts';
import { localizeUser, type SecurityKeys, type SecurityUser } from '../user/security-user.ts';

/** RFC 3414 §2.2.3. */
const timeWindowSeconds = 150;
/** RFC 3412 §6.3: no sender accepts less. */
const minMessageBytes = 484;
/** The longest user name, context engine id and context name (RFC 3411 §5). */
const maxNameBytes = 32;
const saltBytes = 8;
/** What net-snmp's agent has room for. */
const maxMacBytes = 48;
const maxSaltBytes = 16;
const nothing = new Uint8Array(0);

export interface AuthoritativeEngineSettings {
  /** 5 to 32 octets. */
  readonly engineId: Buffer;
  readonly users: Iterable<SecurityUser>;
  readonly salts: SaltSource;
  /** The current snmpEngineBoots and snmpEngineTime. */
  clock(): { readonly boots: number; readonly time: number };
  /** Reads the messages; by default a strict one. */
  readonly reader?: BerReader;
}

/** A request that passed every check. */
export interface SecuredRequest {
  readonly kind: 'request';
  readonly messageId: number;
  readonly userName: string;
  readonly level: SecurityLevel;
  readonly contextEngineId: Buffer;
  readonly contextName: Buffer;
  /** The PDU, with its tag and length, is `octets[start, end)`. */
  readonly octets: Buffer;
  readonly start: number;
  readonly end: number;
}

/** What an agent does with a message: answer the request, send the Report, or drop it. */
export type Received =
  | SecuredRequest
  | { readonly kind: 'report'; readonly reason: ReportReason; readonly reply: Buffer }
  | { readonly kind: 'dropped'; readonly cause: DecodeFault | ReportReason };

/**
 * The agent's side of the User-based Security Model (RFC 3414 §3.1 and §3.2): the engine whose clock is authoritative. Where the
 * RFCs leave a choice, it answers or stays silent as net-snmp's agent does.
 */
export class AuthoritativeEngine {
  readonly #settings: AuthoritativeEngineSettings;
  readonly #users = new Map<string, { readonly user: SecurityUser; readonly keys: SecurityKeys }>();
  readonly #counters = new Map<ReportReason, number>();
  readonly #codec: V3Codec;

  constructor(settings: AuthoritativeEngineSettings) {
    this.#settings = settings;
    this.#codec = new V3Codec(settings.reader);
    for (const user of settings.users) {
      this.#users.set(user.name.toString(), { user, keys: localizeUser(user, settings.engineId) });
    }
  }

  receive(datagram: Buffer): Received {
    const read = this.#codec.read(datagram);
    if (typeof read === 'string') return { kind: 'dropped', cause: read };
    // A MAC covers the whole datagram.
    const message = { ...read, octets: datagram };
    if (message.securityModel !== usmSecurityModel)
      return { kind: 'dropped', cause: 'unknownSecurityModels' };
    const level = findLevel(message.flags);
    if (level === undefined || !hasSaneSizes(message)) return { kind: 'dropped', cause: 'invalidMsgs' };
    const saltLength = message.saltEnd - message.saltStart;
    if (saltLength > maxSaltBytes || (level === securityLevel.authPriv && saltLength !== saltBytes)) {
      return this.#refuse(message, 'decryptionErrors');
    }
    const { octets, engineIdStart, engineIdEnd, userStart, userEnd } = message;
    const { engineId } = this.#settings;
    if (!engineId.equals(octets.subarray(engineIdStart, engineIdEnd))) {
      return this.#refuse(message, 'unknownEngineIDs');
    }
    const account = this.#users.get(octets.toString('utf8', userStart, userEnd));
    if (account === undefined) return this.#refuse(message, 'unknownUserNames');
    if (level > account.user.level) return this.#refuse(message, 'unsupportedSecLevels');
    if (level !== securityLevel.noAuthNoPriv) {
      if (this.#codec.checkMac(message, account.keys) !== undefined)
        return this.#refuse(message, 'wrongDigests');
      if (!this.#isTimely(message)) return this.#refuse(message, 'notInTimeWindows', account);
    }
    if (message.isEncrypted !== (level === securityLevel.authPriv)) {
      return { kind: 'dropped', cause: 'invalidMsgs' };
    }
    const scoped = this.#codec.openScopedPdu(message, account.keys);
    if (scoped === 'decryption') return this.#refuse(message, 'decryptionErrors');
    if (typeof scoped === 'string') return { kind: 'dropped', cause: scoped };
    const contextEngineId = scoped.octets.subarray(scoped.engineIdStart, scoped.engineIdEnd);
    const contextName = scoped.octets.subarray(scoped.contextStart, scoped.contextEnd);
    if (contextEngineId.length > maxNameBytes || contextName.length > maxNameBytes) {
      return { kind: 'dropped', cause: 'value' };
    }
    return {
      kind: 'request',
      messageId: message.messageId,
      userName: account.user.name.toString(),
      level,
      contextEngineId: contextEngineId.length === 0 ? engineId : contextEngineId,
      contextName,
      octets: scoped.octets,
      start: scoped.pduStart,
      end: scoped.pduEnd,
    };
  }

  /** Answers a request at its security level and in its context. */
  respond(request: SecuredRequest, pdu: Uint8Array): Buffer {
    const { user, keys } = this.#users.get(request.userName)!;
    return this.#codec.seal({
      ...request,
      ...this.#settings.clock(),
      flags: request.level,
      engineId: this.#settings.engineId,
      userName: user.name,
      keys,
      salt: request.level === securityLevel.authPriv ? this.#settings.salts.take() : undefined,
      pdu,
    });
  }

  #isTimely(message: V3Message): boolean {
    const { boots, time } = this.#settings.clock();
    return (
      boots !== 0x7fffffff && message.boots === boots && Math.abs(message.time - time) <= timeWindowSeconds
    );
  }

  /**
   * Counts the refusal and sends a Report: to a readable request of a kind that is answered, and to what cannot be read when its
   * flag asks for one (RFC 3412 §7.1 step 3). With `account` the Report is signed (RFC 3414 §3.2 step 7a).
   */
  #refuse(
    message: V3Message,
    reason: keyof typeof reportOids,
    account?: { readonly user: SecurityUser; readonly keys: SecurityKeys },
  ): Received {
    const count = (this.#counters.get(reason) ?? 0) + 1;
    this.#counters.set(reason, count);
    const request = this.#readPlainRequest(message);
    const wantsReport =
      request === undefined ? (message.flags & messageFlag.reportable) !== 0 : confirmedTags.has(request.tag);
    if (!wantsReport) return { kind: 'dropped', cause: reason };
    const { engineId } = this.#settings;
    const { octets, userStart, userEnd } = message;
    const reply = this.#codec.seal({
      messageId: message.messageId,
      flags: account === undefined ? 0 : messageFlag.auth,
      engineId,
      ...this.#settings.clock(),
      userName: octets.subarray(userStart, userEnd),
      keys: account?.keys ?? {},
      contextEngineId: engineId,
      contextName: nothing,
      pdu: encodeReport(this.#codec.writer, request?.id ?? 0, reason, count),
    });
    return { kind: 'report', reason, reply };
  }

  /** Kind and id of a request that is not encrypted; undefined when they cannot be read. */
  #readPlainRequest(message: V3Message): { readonly tag: number; readonly id: number } | undefined {
    const hasPrivacy = (message.flags & messageFlag.priv) !== 0;
    if (hasPrivacy || message.isEncrypted || message.saltEnd - message.saltStart > maxSaltBytes)
      return undefined;
    const scoped = this.#codec.openScopedPdu(message, {});
    if (typeof scoped === 'string') return undefined;
    const reader = this.#codec.reader.open(scoped.octets, scoped.pduStart, scoped.pduEnd);
    reader.enter(scoped.pduTag);
    const id = reader.readInteger(berTag.integer);
    return reader.fault === undefined ? { tag: scoped.pduTag, id } : undefined;
  }
}

function hasSaneSizes({ maxBytes, userStart, userEnd, macStart, macEnd }: V3Message): boolean {
  return (
    maxBytes >= minMessageBytes && userEnd - userStart <= maxNameBytes && macEnd - macStart <= maxMacBytes
  );
}
