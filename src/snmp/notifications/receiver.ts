import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../../timing/clock.ts';
import { BerReader } from '../codec/ber-reader.ts';
import { berTag } from '../codec/ber-tag.ts';
import { OidTextCache } from '../codec/oid-text-cache.ts';
import { readPdu } from '../codec/pdu.ts';
import { SaltSource } from '../usm/crypto/salt-source.ts';
import type { EngineState } from '../usm/engine/engine-table.ts';
import { PreparedUsers } from '../usm/user/prepared-users.ts';
import { nameLevel, type SecurityLevelName, securityLevel } from '../usm/user/security-level.ts';
import { CopyFilter, type SignedMark } from './copy-filter.ts';
import { DropLedger } from './drop-ledger.ts';
import { InformBook } from './inform-book.ts';
import { KeyedHash } from './keyed-hash.ts';
import type { Notification, NotificationVersion } from './notification.ts';
import {
  NotificationSecurityModel,
  type RefusedMessage,
  type SecuredNotification,
} from './notification-security.ts';
import type { DropCause, Verdict } from './outcome.ts';
import { OwnEngine } from './own-engine.ts';
import { defaultLimits, type ReceiverOptions, type ReceiverUser } from './receiver-options.ts';
import { newStatistics, type ReceiverStatistics } from './receiver-statistics.ts';
import { ReportLimits } from './report-limits.ts';
import { SenderEngines } from './sender-engines.ts';
import { allowsCommunity, allowsVersion, type NotificationRights } from './sender-rights.ts';
import { type Source, SourceTable } from './source-table.ts';
import { fromTrapV1, fromVarbinds, type NotificationBody } from './trap-translation.ts';
import { readTrapV1 } from './trap-v1-pdu.ts';
import { UsmStatistics } from './usm-statistics.ts';

const copyMs = 10_000;
/** Longer than a message stays timely: 150 s, and what its engine's clock is set back by messages that took their time. */
const signedCopyMs = 300_000;

/** A datagram and where it came from. */
interface Arrival {
  readonly datagram: Buffer;
  readonly source: Source;
  readonly port: number;
  readonly listener: number;
  readonly nowMs: number;
}

type DecodedBody = NotificationBody & Pick<Notification, 'v1'>;

/** What the steps before the PDU have found. */
interface Envelope {
  readonly version: NotificationVersion;
  readonly level: SecurityLevelName;
  /** The PDU with its tag and length. */
  readonly octets: Buffer;
  readonly start: number;
  readonly end: number;
  readonly pduTag: number;
  readonly secured?: SecuredNotification;
  /** The community or the key of the user. */
  readonly sender: string;
}

/**
 * Receives notifications of SNMPv1, v2c and v3, without sockets: the cheapest check comes first, and each datagram is counted
 * in exactly one place. It never throws because of a packet's content.
 */
export class NotificationReceiver {
  readonly #options: ReceiverOptions;
  readonly #clock: Clock;
  readonly #statistics = newStatistics();
  readonly #usm = new UsmStatistics();
  readonly #ledger = new DropLedger();
  readonly #own: OwnEngine;
  readonly #engines: SenderEngines;
  readonly #sources: SourceTable;
  readonly #reports: ReportLimits;
  readonly #security: NotificationSecurityModel;
  readonly #preparedUsers = new PreparedUsers();
  readonly #informs = new InformBook();
  readonly #copies = new CopyFilter();
  readonly #hash = new KeyedHash();
  readonly #reader = new BerReader();
  readonly #texts = new OidTextCache();

  /** Throws a RangeError for settings of a user that cannot be right. */
  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const nowMs = this.#clock.now();
    const { id, boots } = options.engine ?? { id: randomEngineId(), boots: 1 };
    this.#own = new OwnEngine(id, boots, nowMs);
    this.#engines = new SenderEngines(
      { learn: true, newPerSecond: 200, max: 10_000, ...options.engines },
      this.#clock,
      (state) => options.memory?.keepEngine(state),
    );
    const limits = { ...defaultLimits, ...options.limits };
    this.#sources = new SourceTable(options.rights, limits);
    this.#reports = new ReportLimits(limits);
    const salts = new SaltSource(randomBytes(8));
    this.#security = new NotificationSecurityModel(this.#reader, salts, this.#own, this.#engines, this.#usm);
    this.setUsers(options.users ?? []);
  }

  get engineId(): string {
    return this.#own.id;
  }

  /** Other senders and devices are allowed from now on. */
  setRights(rights: NotificationRights): void {
    this.#sources.setRights(rights);
  }

  /** Throws a RangeError, and changes nothing, for settings that cannot be right. */
  setUsers(users: readonly ReceiverUser[]): void {
    const prepared = users.map(({ key, settings, engineIds = [] }) => ({
      key,
      user: this.#preparedUsers.get(settings),
      engineIds: engineIds.map((id) => id.toLowerCase()),
    }));
    this.#engines.forgetKeys();
    this.#security.setUsers(prepared);
  }

  receive(datagram: Buffer, address: string, port: number, listener = 0): void {
    this.#statistics.received++;
    const cause = this.#process(datagram, address, port, listener);
    if (cause !== undefined) this.#drop(address, cause);
  }

  /** What became of a notification for which `onNotification` returned `later`. */
  settle(notification: Pick<Notification, 'informId' | 'source'>, verdict: Verdict): void {
    this.#statistics.queued--;
    this.#count(notification, verdict);
  }

  /** The drops since the last call: the sources with most of them, and the rest together. */
  takeRecentDrops(): ReturnType<DropLedger['takeRecent']> {
    return this.#ledger.takeRecent();
  }

  statistics(): ReceiverStatistics {
    return structuredClone({
      ...this.#statistics,
      engineId: this.#own.id,
      boots: this.#own.boots,
      usm: this.#usm.counts,
      engines: this.#engines.count,
    });
  }

  /** Who was refused, and why: for people who look for a notification that is missing. */
  listDrops(): ReturnType<DropLedger['list']> {
    return this.#ledger.list();
  }

  /** The engines of senders, to be restored after a restart so that old traps cannot be played back. It contains no secrets. */
  exportEngines(): EngineState[] {
    return this.#engines.exportState(this.#clock.now(), this.#clock.wallNow());
  }

  /** What `memory` was told before a restart. */
  restoreMarks(marks: Iterable<SignedMark>): void {
    const passedMs = this.#clock.wallNow() - this.#clock.now();
    for (const { high, low, untilMs } of marks) this.#copies.add(high, low, untilMs - passedMs);
  }

  restoreEngines(states: Iterable<EngineState>): void {
    this.#engines.restoreState(states, this.#clock.now(), this.#clock.wallNow());
  }

  /**
   * All that polling knows. What it has learned from signed messages, by `shownAtMs` after the last notification, may turn a clock back.
   * Addresses are without ports. Of an engine ID that several of them have, each has its own clock.
   */
  updateEngines(states: Iterable<EngineState>): void {
    this.#engines.updateState(states, this.#clock.now(), this.#clock.wallNow());
  }

  /** Returns the cause when the datagram is dropped; in all other cases it was counted. */
  #process(datagram: Buffer, address: string, port: number, listener: number): DropCause | undefined {
    const nowMs = this.#clock.now();
    const source = this.#sources.find(address, nowMs);
    if (source === undefined) return 'source';
    if (!this.#sources.mayReceive(source, nowMs)) return 'rate';
    this.#reports.countReceived(datagram.length, nowMs);
    const arrival: Arrival = { datagram, source, port, listener, nowMs };
    const envelope = this.#open(arrival);
    return typeof envelope === 'object' ? this.#pass(arrival, envelope) : envelope;
  }

  /** The checks up to the PDU. Undefined for a discovery, which is counted. */
  #open(arrival: Arrival): Envelope | DropCause | undefined {
    const { datagram, source } = arrival;
    const { rights } = source;
    const reader = this.#reader.open(datagram);
    const outer = reader.enter(berTag.sequence);
    const number = reader.readInteger(berTag.integer);
    if (reader.fault !== undefined) return 'malformed';
    const version = versions.get(number);
    if (version === undefined || !allowsVersion(rights, version)) return 'version';
    if (version === '3') return this.#openSecured(arrival);
    const community = reader.readOctets(berTag.octetString);
    const start = reader.position;
    const pduTag = reader.readHeader();
    reader.position += reader.length;
    const end = reader.position;
    reader.leaveMessage(outer);
    if (reader.fault !== undefined) return 'malformed';
    if (rights.minLevel > securityLevel.noAuthNoPriv) return 'level';
    if (!allowsCommunity(rights, version, community)) return 'community';
    const isNotification =
      version === '1'
        ? pduTag === berTag.trapV1
        : pduTag === berTag.trapV2 || pduTag === berTag.informRequest;
    if (!isNotification) return 'pdu';
    const sender = community.toString('latin1');
    return { version, level: 'noAuthNoPriv', octets: datagram, start, end, pduTag, sender };
  }

  #openSecured(arrival: Arrival): Envelope | DropCause | undefined {
    const { datagram, source, nowMs } = arrival;
    const opened = this.#security.open(datagram, source, nowMs);
    if (opened.kind === 'refused') {
      this.#report(arrival, opened);
      if (opened.cause !== 'discovery') return opened.cause;
      this.#statistics.discovery++;
      return undefined;
    }
    const { octets, pduStart, pduEnd, pduTag } = opened.scoped;
    return {
      version: '3',
      level: nameLevel(opened.level),
      octets,
      start: pduStart,
      end: pduEnd,
      pduTag,
      secured: opened,
      sender: opened.userKey,
    };
  }

  #report({ source, port, listener, nowMs }: Arrival, { report }: RefusedMessage): void {
    if (report === undefined) return;
    if (!report.isSigned && !this.#reports.maySend(source, nowMs)) return;
    const reply = report.seal();
    if (!report.isSigned) this.#reports.countSent(reply.length);
    this.#statistics.reports[report.reason]++;
    this.#options.send(reply, listener, port, source.address);
  }

  #pass(arrival: Arrival, envelope: Envelope): DropCause | undefined {
    const { datagram, source, nowMs } = arrival;
    const isInform = envelope.pduTag === berTag.informRequest;
    const informKey = isInform ? this.#informKey(source.address, envelope) : 0;
    const known = isInform ? this.#informs.find(informKey, nowMs) : undefined;
    if (known !== undefined && known.state !== 'refused') {
      this.#statistics.collapsed.copy++;
      this.#statistics.informs.repeated++;
      if (known.state === 'acknowledged') this.#answer(arrival, envelope);
      else this.#informs.addReply(known, () => this.#answer(arrival, envelope));
      return undefined;
    }
    if (isInform && this.#informs.isFull) return 'queue';
    if (known === undefined && this.#isCopy(arrival, envelope, isInform)) {
      this.#statistics.collapsed.copy++;
      return undefined;
    }
    const body = this.#decode(envelope);
    if (body === undefined) return 'malformed';
    const inform = isInform ? this.#informs.start(informKey, nowMs, known) : undefined;
    if (inform !== undefined) this.#informs.addReply(inform, () => this.#answer(arrival, envelope));
    const notification: Notification = {
      kind: isInform ? 'inform' : 'trap',
      version: envelope.version,
      informId: inform?.id ?? 0,
      ...body,
      level: envelope.level,
      security: envelope.secured && securityOf(envelope.secured),
      source: source.address,
      port: arrival.port,
      listener: arrival.listener,
      receivedAtMs: nowMs,
      datagram,
    };
    const verdict = this.#options.onNotification(notification);
    if (verdict === 'later') this.#statistics.queued++;
    else this.#count(notification, verdict);
    return undefined;
  }

  /** What is signed is known by its MAC, wherever it comes from: no other message has it, and nobody without the key can change it. */
  #isCopy({ datagram, source, nowMs }: Arrival, { level, secured }: Envelope, isInform: boolean): boolean {
    if (secured !== undefined && level !== 'noAuthNoPriv') {
      const { octets, macStart } = secured.message;
      const high = octets.readInt32BE(macStart);
      const low = octets.readInt32BE(macStart + 4);
      if (this.#copies.isCopy({ high, low }, nowMs, signedCopyMs)) return true;
      // An inform is for these boots of our engine: after a restart it is refused.
      if (!isInform)
        this.#options.memory?.keepMark({ high, low, untilMs: this.#clock.wallNow() + signedCopyMs });
      return false;
    }
    if (isInform) return false;
    this.#hash.compute(source.address, secured?.message.octets ?? datagram);
    return this.#copies.isCopy(this.#hash, nowMs, copyMs);
  }

  /** What tells a repeated inform: v3 repeats have another message id and other octets, and NAT changes the port. */
  #informKey(address: string, { version, sender, octets, start, end }: Envelope): number {
    // From the request-id on: status and index are zero, and the varbinds are the same.
    this.#hash.compute(`${address} ${version} ${sender}`, octets, start, end);
    return this.#hash.key;
  }

  #decode({ version, octets, start, end }: Envelope): DecodedBody | undefined {
    const reader = this.#reader.open(octets, start, end);
    if (version === '1') {
      const trap = readTrapV1(reader, this.#texts);
      return reader.fault === undefined ? fromTrapV1(trap) : undefined;
    }
    const { varbinds } = readPdu(reader, this.#texts);
    const body = reader.fault === undefined ? fromVarbinds(varbinds) : undefined;
    return body && { ...body, v1: undefined };
  }

  #count({ informId, source }: Pick<Notification, 'informId' | 'source'>, verdict: Verdict): void {
    if (verdict === 'accepted') this.#statistics.accepted++;
    else if (verdict === 'repeat') this.#statistics.collapsed.repeat++;
    else this.#drop(source, verdict);
    if (informId === 0) return;
    const inform = this.#informs.settle(informId, verdict === 'queue' ? 'refused' : 'acknowledged');
    if (inform === undefined) return;
    const { informs } = this.#statistics;
    if (verdict === 'queue') informs.unaccepted++;
    else informs.acknowledged++;
    for (const reply of inform.replies.splice(0)) if (verdict !== 'queue') reply();
  }

  /** SNMPv2c: the same octets with the tag of a Response. */
  #answer({ datagram, source, port, listener }: Arrival, { start, secured }: Envelope): void {
    let reply: Buffer;
    if (secured === undefined) {
      reply = Buffer.from(datagram);
      reply[start] = berTag.response;
    } else {
      reply = this.#security.sealResponse(secured, this.#clock.now());
    }
    this.#options.send(reply, listener, port, source.address);
  }

  #drop(address: string, cause: DropCause): void {
    this.#statistics.dropped[cause]++;
    this.#ledger.add(address, cause);
  }
}

const versions: ReadonlyMap<number, NotificationVersion> = new Map([
  [0, '1'],
  [1, '2c'],
  [3, '3'],
]);
/** An engine ID of eight random octets (RFC 3411 §5), under the enterprise number for documentation (RFC 5612). */
export function randomEngineId(): Buffer {
  return Buffer.concat([Buffer.from('80007ed905', 'hex'), randomBytes(8)]);
}

function securityOf({ scoped, userKey, user, engineId }: SecuredNotification): Notification['security'] {
  const { octets, engineIdStart, engineIdEnd, contextStart, contextEnd } = scoped;
  return {
    userKey,
    user: user.name.toString(),
    engineId,
    contextEngineId: octets.toString('hex', engineIdStart, engineIdEnd),
    context: octets.toString('utf8', contextStart, contextEnd),
  };
}
