import { randomBytes, randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { type Clock, systemClock } from '../../timing/clock.ts';
import { BerReader } from '../codec/ber-reader.ts';
import { berTag } from '../codec/ber-tag.ts';
import { BerWriter } from '../codec/ber-writer.ts';
import { newDecodeTally } from '../codec/decode-fault.ts';
import { errorStatuses, writePdu } from '../codec/pdu.ts';
import { nameTarget, parsePeerSettings, type Target } from '../peer/target.ts';
import { hintByReport } from '../request/session-flight.ts';
import { adviseOnTimeout } from '../session/timeout-advice.ts';
import { SnmpError, type SnmpErrorCode } from '../snmp-error.ts';
import { Envelope } from '../transport/envelope.ts';
import type { PeerSettings } from '../transport/flight.ts';
import { lookup4, lookup6 } from '../transport/udp-sockets.ts';
import { SaltSource } from '../usm/crypto/salt-source.ts';
import { EngineTable } from '../usm/engine/engine-table.ts';
import { SecurityPeer } from '../usm/manager/security-peer.ts';
import { UserSecurity } from '../usm/manager/user-security.ts';
import { holdsOctets } from '../usm/message/octet-equality.ts';
import { V3Codec } from '../usm/message/v3-codec.ts';
import { PreparedUsers } from '../usm/user/prepared-users.ts';
import { securityLevel } from '../usm/user/security-level.ts';
import { localizeUser, type SecurityKeys, type SecurityUser } from '../usm/user/security-user.ts';
import { OwnEngine } from './own-engine.ts';
import { randomEngineId } from './receiver.ts';
import { type NotificationBody, toTrapV1, toVarbinds } from './trap-translation.ts';
import { writeTrapV1 } from './trap-v1-pdu.ts';

/** How often one inform is sent again because of what a Report says, beside its retries. */
const maxCorrections = 3;

export interface SenderOptions {
  /** The engine that signs SNMPv3 traps; a random one by default. Give the same one for every target. */
  readonly engine?: { readonly id: Uint8Array; readonly boots: number } | undefined;
  /** The system's clock by default. */
  readonly clock?: Clock | undefined;
}

/** Sends traps and informs to one receiver. */
export interface NotificationSender {
  /** Such as `192.0.2.1:162`. */
  readonly name: string;
  /** Resolves when the system has taken the datagram: nobody answers a trap. Rejects with an SnmpError. */
  trap(body: NotificationBody): Promise<void>;
  /** Resolves when the receiver has answered, with the number of attempts. Rejects with an SnmpError. */
  inform(body: NotificationBody): Promise<number>;
  /** Sends the octets of a notification as they are. Resolves and rejects as `trap` does. */
  relay(datagram: Buffer): Promise<void>;
  /** Informs that wait for an answer fail. */
  close(): void;
}

/** Throws SNMP_BAD_TARGET. The default port is 162. The first notification opens the socket. */
export function createNotificationSender(target: Target, options: SenderOptions = {}): NotificationSender {
  return new UdpSender(target, options);
}

/** An inform that waits for its answer. */
interface PendingInform {
  readonly requestId: number;
  readonly pdu: Buffer;
  readonly startedMs: number;
  readonly messageIds: number[];
  attempts: number;
  corrections: number;
  hint: SnmpErrorCode | undefined;
  timer: unknown;
  settle(error?: SnmpError): void;
}

class UdpSender implements NotificationSender {
  readonly name: string;
  readonly #settings: PeerSettings;
  readonly #community: Buffer | undefined;
  readonly #version: Target['version'];
  readonly #clock: Clock;
  readonly #writer = new BerWriter();
  readonly #codec = new V3Codec();
  readonly #envelope = new Envelope(newDecodeTally());
  readonly #salts = new SaltSource(randomBytes(8));
  readonly #security = new UserSecurity(this.#salts);
  readonly #own: OwnEngine;
  readonly #user: SecurityUser | undefined;
  readonly #contextName: Buffer;
  readonly #peer: SecurityPeer | undefined;
  #ownKeys: SecurityKeys | undefined = undefined;
  #socket: Socket | undefined = undefined;
  readonly #pending = new Map<number, PendingInform>();
  #isClosed = false;

  constructor(target: Target, { engine, clock = systemClock }: SenderOptions) {
    this.#settings = parsePeerSettings({ ...target, port: target.port ?? 162 });
    this.name = nameTarget(this.#settings);
    this.#clock = clock;
    this.#version = target.version;
    this.#own = new OwnEngine(engine?.id ?? randomEngineId(), engine?.boots ?? 1, clock.now());
    this.#community = target.version === '3' ? undefined : Buffer.from(target.community);
    this.#contextName = Buffer.from((target.version === '3' && target.context) || '');
    if (target.version !== '3') return;
    try {
      this.#user = new PreparedUsers().get(target.user);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const reason = error.message.replace(/\.$/, '');
      throw new SnmpError('SNMP_BAD_TARGET', { target: this.name, reason }, error);
    }
    const contextName = target.context;
    this.#peer = new SecurityPeer({ address: this.name, user: this.#user, contextName }, new EngineTable());
  }

  async trap(body: NotificationBody): Promise<void> {
    await this.#send(this.#version === '1' ? this.#encodeTrapV1(body) : this.#encodeTrap(body));
  }

  relay(datagram: Buffer): Promise<void> {
    return this.#send(datagram);
  }

  inform(body: NotificationBody): Promise<number> {
    if (this.#version === '1') throw new RangeError('SNMPv1 has no informs. Use SNMPv2c or SNMPv3.');
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new SnmpError('SNMP_CLOSED', { target: this.name });
      const requestId = this.#nextId();
      const pdu = this.#encodePdu(requestId, 'InformRequest', body);
      const inform: PendingInform = {
        requestId,
        pdu,
        startedMs: this.#clock.now(),
        messageIds: [],
        attempts: 0,
        corrections: 0,
        hint: undefined,
        timer: undefined,
        settle: (error) => {
          this.#clock.clearTimer(inform.timer);
          for (const id of inform.messageIds) this.#pending.delete(id);
          if (error === undefined) resolve(inform.attempts);
          else reject(error);
        },
      };
      this.#attempt(inform);
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const inform of new Set(this.#pending.values()))
      inform.settle(new SnmpError('SNMP_CLOSED', { target: this.name }));
    this.#socket?.close();
  }

  #encodeTrapV1(body: NotificationBody): Buffer {
    const trap = toTrapV1(body);
    if (trap === undefined) throw new SnmpError('SNMP_NO_V1_FORM', { oid: body.oid });
    const writer = this.#writer.reset();
    writeTrapV1(writer, trap);
    return this.#wrap(writer.toBuffer());
  }

  #encodeTrap(body: NotificationBody): Buffer {
    const pdu = this.#encodePdu(this.#nextId(), 'TrapV2', body);
    const user = this.#user;
    if (user === undefined) return this.#wrap(pdu);
    this.#ownKeys ??= localizeUser(user, this.#own.octets);
    const isTimed = user.level !== securityLevel.noAuthNoPriv;
    return this.#codec.seal({
      messageId: this.#nextId(),
      flags: user.level,
      engineId: this.#own.octets,
      ...(isTimed ? this.#own.clock(this.#clock.now()) : { boots: 0, time: 0 }),
      userName: user.name,
      keys: this.#ownKeys,
      salt: user.level === securityLevel.authPriv ? this.#salts.take() : undefined,
      contextEngineId: this.#own.octets,
      contextName: this.#contextName,
      pdu,
    });
  }

  #encodePdu(requestId: number, type: 'TrapV2' | 'InformRequest', body: NotificationBody): Buffer {
    const writer = this.#writer.reset();
    writePdu(writer, { type, requestId, errorStatus: 0, errorIndex: 0, varbinds: toVarbinds(body) });
    return writer.toBuffer();
  }

  /** A message of SNMPv1 or v2c around the PDU. */
  #wrap(pdu: Buffer): Buffer {
    const writer = this.#writer.reset();
    writer.raw(pdu);
    writer.octets(berTag.octetString, this.#community!);
    writer.integer(this.#version === '1' ? 0 : 1);
    writer.header(berTag.sequence, 0);
    return writer.toBuffer();
  }

  /** Sends an inform. All attempts have one request-id, by which receivers know a repeated one; in SNMPv3 each has its own message id. */
  #attempt(inform: PendingInform, isCorrection = false): void {
    const id = this.#peer === undefined ? inform.requestId : this.#nextId();
    inform.messageIds.push(id);
    this.#pending.set(id, inform);
    const datagram =
      this.#peer === undefined
        ? this.#wrap(inform.pdu)
        : (this.#security.seal(this.#peer, id, inform.pdu, this.#clock.now()) ??
          this.#security.sealDiscovery(id));
    if (isCorrection) inform.corrections++;
    else inform.attempts++;
    this.#send(datagram).catch(() => {
      inform.hint = 'SNMP_UNREACHABLE';
    });
    if (isCorrection) return;
    const { timeoutMs, retries, exponentialTimeout } = this.#settings;
    const waitMs = timeoutMs * (exponentialTimeout ? 2 ** (inform.attempts - 1) : 1);
    inform.timer = this.#clock.setTimer(() => {
      if (inform.attempts <= retries) this.#attempt(inform);
      else inform.settle(this.#errorOf(inform));
    }, waitMs);
  }

  async #send(datagram: Buffer): Promise<void> {
    const socket = this.#open();
    const { port, address } = this.#settings;
    return new Promise((resolve, reject) => {
      socket.send(datagram, port, address, (error) => {
        const reason = (error as NodeJS.ErrnoException | null)?.code ?? '';
        if (error === null || error === undefined) resolve();
        else reject(new SnmpError('SNMP_UNREACHABLE', { target: this.name, reason }, error));
      });
    });
  }

  #open(): Socket {
    if (this.#isClosed) throw new SnmpError('SNMP_CLOSED', { target: this.name });
    if (this.#socket !== undefined) return this.#socket;
    const { isIpv6 } = this.#settings;
    const socket = createSocket({
      type: isIpv6 ? 'udp6' : 'udp4',
      ipv6Only: isIpv6,
      lookup: isIpv6 ? lookup6 : lookup4,
    });
    socket.on('error', () => {});
    socket.on('message', (datagram, from) => {
      if (from.address === this.#settings.address && from.port === this.#settings.port)
        this.#receive(datagram);
    });
    this.#socket = socket;
    return socket;
  }

  #receive(datagram: Buffer): void {
    const envelope = this.#envelope;
    if (envelope.read(datagram) !== undefined) return;
    const inform = this.#pending.get(envelope.id);
    if (inform === undefined) return;
    if (envelope.version === 3) {
      if (this.#peer !== undefined) this.#receiveSecured(inform, this.#peer, datagram);
      return;
    }
    const { communityStart, communityEnd } = envelope;
    if (this.#community === undefined || envelope.version !== 1) return;
    if (!holdsOctets(datagram, communityStart, communityEnd, this.#community)) return;
    this.#accept(inform, datagram);
  }

  #receiveSecured(inform: PendingInform, peer: SecurityPeer, datagram: Buffer): void {
    const nowMs = this.#clock.now();
    const message = this.#security.read(datagram);
    if (typeof message === 'string') return;
    const outcome = this.#security.open(peer, message, nowMs);
    if (typeof outcome === 'string') return;
    if (outcome.kind === 'response') {
      if (this.#envelope.readPdu(outcome.octets, outcome.start, outcome.end) === undefined)
        this.#accept(inform, outcome.octets);
      return;
    }
    inform.hint = hintByReport[outcome.reason] ?? inform.hint;
    if (inform.corrections < maxCorrections && this.#security.learn(peer, outcome, nowMs))
      this.#attempt(inform, true);
  }

  /** The PDU that the envelope has read last is the answer, if its id is right. */
  #accept(inform: PendingInform, octets: Buffer): void {
    const { pduTag, id, pduBody, pduEnd } = this.#envelope;
    if (pduTag !== berTag.response || id !== inform.requestId) return;
    const reader = new BerReader().open(octets, pduBody, pduEnd);
    const status = reader.readInteger(berTag.integer);
    if (reader.fault !== undefined) return;
    const error = { target: this.name, status: errorStatuses[status] ?? String(status) };
    inform.settle(status === 0 ? undefined : new SnmpError('SNMP_AGENT_ERROR', error));
  }

  #nextId(): number {
    return randomInt(1, 0x7fff_ffff);
  }

  #errorOf(inform: PendingInform): SnmpError {
    const user = this.#user && { name: this.#user.name.toString(), level: this.#user.level };
    const hasOnlyReported = this.#peer?.hasCandidate ?? false;
    return new SnmpError(inform.hint ?? 'SNMP_TIMEOUT', {
      target: this.name,
      user: user?.name ?? '',
      advice: adviseOnTimeout(user && { ...user, hasOnlyReported }),
      attempts: inform.attempts,
      elapsedMs: Math.round(this.#clock.now() - inform.startedMs),
      reason: 'no route or not permitted',
    });
  }
}
