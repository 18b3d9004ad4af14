import type { BerReader } from '../codec/ber-reader.ts';
import { berTag, confirmedTags } from '../codec/ber-tag.ts';
import type { SaltSource } from '../usm/crypto/salt-source.ts';
import { encodeReport } from '../usm/message/report-pdu.ts';
import type { ScopedPdu } from '../usm/message/scoped-pdu.ts';
import { V3Codec } from '../usm/message/v3-codec.ts';
import { usmSecurityModel, type V3Message } from '../usm/message/v3-message.ts';
import { findLevel, messageFlag, type SecurityLevel, securityLevel } from '../usm/user/security-level.ts';
import { localizeUser, type SecurityKeys, type SecurityUser } from '../usm/user/security-user.ts';
import type { DropCause } from './outcome.ts';
import type { OwnEngine } from './own-engine.ts';
import type { SenderEngine, SenderEngines } from './sender-engines.ts';
import { allowsUser } from './sender-rights.ts';
import type { Source } from './source-table.ts';
import type { UsmReason, UsmStatistics } from './usm-statistics.ts';

/** Several users may have one name: by engine, or with the old and the new passphrase. */
const maxCandidates = 4;
/** RFC 3412 §6.3: no sender accepts less. */
const minMessageBytes = 484;
const maxNameBytes = 32;
const nothing = new Uint8Array(0);

/** A user whose notifications are accepted. */
export interface NotificationUser {
  readonly key: string;
  readonly user: SecurityUser;
  /** Engine IDs in hexadecimal; empty: any engine. */
  readonly engineIds: readonly string[];
}

/** A message that passed every check of the User-based Security Model. */
export interface SecuredNotification {
  readonly kind: 'secured';
  readonly message: V3Message;
  readonly scoped: ScopedPdu;
  readonly level: SecurityLevel;
  readonly userKey: string;
  readonly user: SecurityUser;
  readonly keys: SecurityKeys;
  readonly engineId: string;
}

export interface RefusedMessage {
  readonly kind: 'refused';
  /** `discovery`: the sender asks for the ID of our engine. */
  readonly cause: DropCause | 'discovery';
  /** The Report that tells the sender why, if it may get one. */
  readonly report?: { readonly reason: UsmReason; readonly isSigned: boolean; seal(): Buffer };
}

/** A user with the keys for our own engine. */
interface Account extends NotificationUser {
  ownKeys: SecurityKeys | undefined;
}

/**
 * The receiver's side of the User-based Security Model (RFC 3414 §3.2). The sender's engine is authoritative for traps, ours
 * for informs. It never throws because of a packet's content.
 */
export class NotificationSecurityModel {
  readonly #codec: V3Codec;
  readonly #salts: SaltSource;
  readonly #own: OwnEngine;
  readonly #engines: SenderEngines;
  readonly #statistics: UsmStatistics;
  #accounts = new Map<string, Account[]>();
  /** When the message that is being opened came. */
  #nowMs = 0;

  constructor(
    reader: BerReader,
    salts: SaltSource,
    own: OwnEngine,
    engines: SenderEngines,
    statistics: UsmStatistics,
  ) {
    this.#codec = new V3Codec(reader);
    this.#salts = salts;
    this.#own = own;
    this.#engines = engines;
    this.#statistics = statistics;
  }

  setUsers(users: Iterable<NotificationUser>): void {
    this.#accounts = new Map();
    for (const user of users) {
      const name = user.user.name.toString('latin1');
      const known = this.#accounts.get(name);
      const account = { ...user, ownKeys: undefined };
      if (known === undefined) this.#accounts.set(name, [account]);
      else known.push(account);
    }
  }

  open(datagram: Buffer, source: Source, nowMs: number): SecuredNotification | RefusedMessage {
    this.#nowMs = nowMs;
    const message = this.#codec.read(datagram);
    if (typeof message === 'string') return drop('malformed');
    const level = findLevel(message.flags);
    if (level === undefined || !isConsistent(message, level)) return drop('malformed');
    const { octets, engineIdStart, engineIdEnd, userStart, userEnd } = message;
    const engineId = octets.toString('hex', engineIdStart, engineIdEnd);
    const isOwn = engineId === this.#own.id;
    if (!isOwn && this.#isDiscovery(message, engineId)) {
      return this.#refuse(message, 'discovery', 'unknownEngineIDs');
    }
    const name = octets.toString('latin1', userStart, userEnd);
    const named = this.#accounts.get(name)?.filter(({ key }) => allowsUser(source.rights, key)) ?? [];
    if (named.length === 0) return this.#refuse(message, 'user', 'unknownUserNames', isOwn);
    const accounts = named.filter(({ user }) => user.level === level);
    if (accounts.length === 0 || level < source.rights.minLevel) {
      return this.#refuse(message, 'level', 'unsupportedSecLevels', isOwn);
    }
    return isOwn
      ? this.#openForOwnEngine(message, level, accounts, engineId)
      : this.#openOfSender(message, level, accounts, engineId, source);
  }

  /** Answers an inform with its own varbinds, at its security level and in its context. */
  sealResponse({ message, scoped, level, user, keys }: SecuredNotification, nowMs: number): Buffer {
    const { octets, pduStart, pduEnd, engineIdStart, engineIdEnd, contextStart, contextEnd } = scoped;
    const pdu = Buffer.from(octets.subarray(pduStart, pduEnd));
    pdu[0] = berTag.response;
    return this.#codec.seal({
      messageId: message.messageId,
      flags: level,
      ...this.#own.clock(nowMs),
      engineId: this.#own.octets,
      userName: user.name,
      keys,
      salt: level === securityLevel.authPriv ? this.#salts.take() : undefined,
      contextEngineId: octets.subarray(engineIdStart, engineIdEnd),
      contextName: octets.subarray(contextStart, contextEnd),
      pdu,
    });
  }

  /** Whether the message asks for our engine ID. A trap or a Report never does, whatever its flags say. */
  #isDiscovery(message: V3Message, engineId: string): boolean {
    if ((message.flags & messageFlag.reportable) === 0) return false;
    if (engineId === '') return true;
    if (message.isEncrypted) return this.#engines.find(engineId) === undefined;
    return this.#mayBeAnswered(message);
  }

  /** Where the PDU can be read, its class counts, and the flag says nothing (RFC 3412 §7.2 step 13). */
  #mayBeAnswered(message: V3Message): boolean {
    const scoped = message.isEncrypted ? undefined : this.#codec.openScopedPdu(message, {});
    return typeof scoped !== 'object' || confirmedTags.has(scoped.pduTag);
  }

  #openForOwnEngine(
    message: V3Message,
    level: SecurityLevel,
    accounts: readonly Account[],
    engineId: string,
  ): SecuredNotification | RefusedMessage {
    let cause: 'digest' | 'decryption' = 'digest';
    for (const account of accounts.slice(0, maxCandidates)) {
      account.ownKeys ??= localizeUser(account.user, this.#own.octets);
      const keys = account.ownKeys;
      if (level !== securityLevel.noAuthNoPriv) {
        if (this.#codec.checkMac(message, keys) !== undefined) continue;
        if (!this.#own.isTimely(message.boots, message.time, this.#nowMs)) {
          return this.#refuse(message, 'time', 'notInTimeWindows', true, { account, keys });
        }
      }
      const opened = this.#decrypt(message, level, account, keys, engineId);
      if (opened.kind === 'secured') {
        return opened.scoped.pduTag === berTag.informRequest ? opened : drop('pdu');
      }
      if (opened.cause !== 'decryption') return opened;
      cause = 'decryption';
    }
    return cause === 'digest'
      ? this.#refuse(message, cause, 'wrongDigests', true)
      : this.#refuse(message, cause, 'decryptionErrors', true);
  }

  #openOfSender(
    message: V3Message,
    level: SecurityLevel,
    accounts: readonly Account[],
    engineId: string,
    source: Source,
  ): SecuredNotification | RefusedMessage {
    const candidates = accounts.filter(
      ({ engineIds }) => engineIds.length === 0 || engineIds.includes(engineId),
    );
    const engine = this.#engines.find(engineId);
    const length = engineId.length / 2;
    const isListed = candidates.some(({ engineIds }) => engineIds.length > 0);
    const refusal =
      length < 5 || length > maxNameBytes || candidates.length === 0
        ? 'engine'
        : engine === undefined && !isListed
          ? this.#engines.mayTry(source, level === securityLevel.noAuthNoPriv, this.#nowMs)
          : undefined;
    if (refusal !== undefined) return this.#refuse(message, refusal, 'unknownEngineIDs');
    let cause: DropCause = 'digest';
    for (const account of candidates.slice(0, maxCandidates)) {
      let keys = engine?.keys.get(account.key);
      if (level !== securityLevel.noAuthNoPriv) {
        // The key for privacy may take a millisecond: it comes after the MAC.
        const authKeys = keys ?? localizeUser({ ...account.user, priv: undefined }, idOf(message));
        if (this.#codec.checkMac(message, authKeys) !== undefined) continue;
        keys ??= this.#keysOf(account, message, engine);
        const signed = { address: source.address, engineId, userKey: account.key, keys };
        if (!this.#engines.admit(signed, message.boots, message.time, this.#nowMs)) {
          return this.#refuse(message, 'time', 'notInTimeWindows');
        }
      }
      const opened = this.#decrypt(message, level, account, keys ?? {}, engineId);
      if (opened.kind === 'secured') return opened.scoped.pduTag === berTag.trapV2 ? opened : drop('pdu');
      if (opened.cause !== 'decryption') return opened;
      cause = 'decryption';
    }
    return this.#refuse(message, cause, cause === 'digest' ? 'wrongDigests' : 'decryptionErrors');
  }

  #keysOf({ user, key }: Account, message: V3Message, engine: SenderEngine | undefined): SecurityKeys {
    const keys = localizeUser(user, idOf(message));
    engine?.keys.set(key, keys);
    return keys;
  }

  #decrypt(
    message: V3Message,
    level: SecurityLevel,
    { key, user }: Account,
    keys: SecurityKeys,
    engineId: string,
  ): SecuredNotification | RefusedMessage {
    const scoped = this.#codec.openScopedPdu(message, keys);
    // With a wrong key, decryption gives noise: then invalid BER is not the sender's fault.
    if (typeof scoped === 'string') return drop(message.isEncrypted ? 'decryption' : 'malformed');
    const contextId = scoped.engineIdEnd - scoped.engineIdStart;
    if (contextId > maxNameBytes || scoped.contextEnd - scoped.contextStart > maxNameBytes) {
      return drop('malformed');
    }
    return { kind: 'secured', message, scoped, level, userKey: key, user, keys, engineId };
  }

  /** Counts a refusal. With `isReported`, a sender that asked for it gets a Report; with `signer` it is signed (RFC 3414 §3.2 step 7a). */
  #refuse(
    message: V3Message,
    cause: RefusedMessage['cause'],
    reason: UsmReason,
    isReported = cause === 'discovery',
    signer?: { readonly account: Account; readonly keys: SecurityKeys },
  ): RefusedMessage {
    const count = this.#statistics.add(reason);
    const isReportable = (message.flags & messageFlag.reportable) !== 0;
    if (!isReported || !isReportable || !this.#mayBeAnswered(message)) return { kind: 'refused', cause };
    const seal = () =>
      this.#codec.seal({
        messageId: message.messageId,
        flags: signer === undefined ? 0 : messageFlag.auth,
        engineId: this.#own.octets,
        ...this.#own.clock(this.#nowMs),
        userName: message.octets.subarray(message.userStart, message.userEnd),
        keys: signer?.keys ?? {},
        contextEngineId: this.#own.octets,
        contextName: nothing,
        pdu: encodeReport(this.#codec.writer, this.#requestIdOf(message), reason, count),
      });
    return { kind: 'refused', cause, report: { reason, isSigned: signer !== undefined, seal } };
  }

  /** The request-id where it can be read, otherwise 0. */
  #requestIdOf(message: V3Message): number {
    const scoped = message.isEncrypted ? undefined : this.#codec.openScopedPdu(message, {});
    if (typeof scoped !== 'object') return 0;
    const reader = this.#codec.reader.open(scoped.octets, scoped.pduStart, scoped.pduEnd);
    reader.enter(scoped.pduTag);
    const id = reader.readInteger(berTag.integer);
    return reader.fault === undefined ? id : 0;
  }
}

function drop(cause: DropCause): RefusedMessage {
  return { kind: 'refused', cause };
}

function idOf({ octets, engineIdStart, engineIdEnd }: V3Message): Buffer {
  return octets.subarray(engineIdStart, engineIdEnd);
}

function isConsistent(message: V3Message, level: SecurityLevel): boolean {
  return (
    message.securityModel === usmSecurityModel &&
    message.isEncrypted === (level === securityLevel.authPriv) &&
    message.maxBytes >= minMessageBytes &&
    message.userEnd - message.userStart <= maxNameBytes &&
    message.engineIdEnd - message.engineIdStart <= maxNameBytes
  );
}
