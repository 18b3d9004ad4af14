import { berTag } from '../codec/ber-tag.ts';
import type { SnmpErrorCode } from '../snmp-error.ts';
import type { Refusal } from '../transport/counters.ts';
import type { Envelope } from '../transport/envelope.ts';
import { Flight } from '../transport/flight.ts';
import type { SecurityReport } from '../usm/manager/opened.ts';
import type { FlightContext } from './flight-context.ts';

/** Engines that a request may try without proof. Two: a forger who always answers first does not hide the true one. */
const maxUnprovenEngines = 2;

/** A request of a session: checks version, community and security, and leaves the PDU to its heirs. */
export abstract class SessionFlight extends Flight {
  readonly session: FlightContext;
  /** What Reports have taught this request: engines, and their time, without proof; anything, with proof. */
  #unprovenEngines: Buffer[] | undefined = undefined;
  #hasLearnedTime = false;
  #hasLearnedFromEngine = false;

  constructor(session: FlightContext) {
    super(session.peer, session);
    this.session = session;
  }

  /**
   * Judges a Response of this session whose request-id is right: the body is `bytes[envelope.pduBody, envelope.pduEnd)`,
   * from error-status on. As `receive` otherwise.
   */
  protected abstract answer(bytes: Buffer, envelope: Envelope): Refusal | undefined;

  receive(datagram: Buffer, envelope: Envelope): Refusal | undefined {
    const { wire } = this.session;
    if (envelope.version !== wire.version) return 'wrongVersion';
    if (wire.version === 3) return this.#receiveSecured(datagram, envelope);
    if (!wire.hasCommunity(datagram, envelope.communityStart, envelope.communityEnd)) return 'wrongCommunity';
    if (envelope.pduTag !== berTag.response) return 'pduType';
    return this.answer(datagram, envelope);
  }

  override onRetransmission(): void {
    this.session.retransmitted++;
  }

  launch(): void {
    this.#unprovenEngines = undefined;
    this.#hasLearnedTime = false;
    this.#hasLearnedFromEngine = false;
    // A walk may go on after its session was closed, between two requests.
    if (this.session.isClosed) queueMicrotask(() => this.fail('SNMP_CLOSED'));
    else this.session.core.transport.launch(this);
  }

  /** The secured datagram of `pdu`, or the question for the engine that must come before it. */
  protected seal(id: number, pdu: Uint8Array): Buffer {
    const { core, wire } = this.session;
    const sealed = core.security.seal(wire.security!, id, pdu, core.transport.clock.now());
    if (sealed !== undefined) {
      if (this.hint === 'SNMP_NO_ENGINE') this.hint = undefined;
      return sealed;
    }
    this.hint ??= 'SNMP_NO_ENGINE';
    return core.security.sealDiscovery(id);
  }

  #receiveSecured(datagram: Buffer, envelope: Envelope): Refusal | undefined {
    const { core, wire } = this.session;
    const message = core.security.read(datagram);
    if (typeof message === 'string') return message;
    const messageId = envelope.id;
    const opened = core.security.open(wire.security!, message, core.transport.clock.now());
    if (typeof opened === 'string') return opened;
    if (opened.kind === 'report') return this.#heed(opened);
    const fault = envelope.readPdu(opened.octets, opened.start, opened.end);
    if (fault !== undefined) return fault;
    if (envelope.id !== messageId) return 'requestId';
    return this.answer(opened.octets, envelope);
  }

  /** A Report ends nothing. It may teach us engine and time, and a request goes out once more: a bounded number of times. */
  #heed(report: SecurityReport): Refusal {
    const { core, wire } = this.session;
    this.hint = hintByReport[report.reason] ?? this.hint;
    if (!this.#mayLearn(report)) return 'report';
    if (!core.security.learn(wire.security!, report, core.transport.clock.now())) return 'report';
    if (report.isAuthenticated) this.#hasLearnedFromEngine = true;
    else if (report.reason === 'notInTimeWindows') this.#hasLearnedTime = true;
    else this.#unprovenEngines = [...(this.#unprovenEngines ?? []), report.engineId];
    core.transport.resend(this);
    return 'report';
  }

  #mayLearn({ isAuthenticated, reason, engineId }: SecurityReport): boolean {
    if (isAuthenticated) return !this.#hasLearnedFromEngine;
    if (reason === 'notInTimeWindows') return !this.#hasLearnedTime;
    const tried = this.#unprovenEngines ?? [];
    return tried.length < maxUnprovenEngines && !tried.some((id) => id.equals(engineId));
  }
}

const hintByReport: Readonly<Record<string, SnmpErrorCode>> = {
  wrongDigests: 'SNMP_WRONG_DIGEST',
  unknownUserNames: 'SNMP_UNKNOWN_USER',
  unsupportedSecLevels: 'SNMP_SECURITY_LEVEL',
  decryptionErrors: 'SNMP_DECRYPTION',
  notInTimeWindows: 'SNMP_TIME_WINDOW',
};
