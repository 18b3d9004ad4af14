import { berTag } from '../codec/ber-tag.ts';
import type { SnmpErrorCode } from '../snmp-error.ts';
import type { RejectReason } from '../transport/counters.ts';
import type { Envelope } from '../transport/envelope.ts';
import { Flight } from '../transport/flight.ts';
import type { SecurityReport } from '../usm/manager/security-outcome.ts';
import type { FlightContext } from './flight-context.ts';

/** Unauthenticated engines that a request may try. Two, so that a forger who always answers first does not hide the real one. */
const maxUnprovenEngines = 2;

/** A request of a session: checks version, community and security, and leaves the PDU to its subclasses. */
export abstract class SessionFlight extends Flight {
  readonly session: FlightContext;
  /** What this request has learned from Reports: unauthenticated engines, unauthenticated time, and authenticated facts. */
  #unprovenEngines: Buffer[] | undefined = undefined;
  #hasLearnedTime = false;
  #hasLearnedFromEngine = false;

  constructor(session: FlightContext) {
    super(session.peer, session);
    this.session = session;
  }

  /**
   * Handles a Response of this session with the right request-id: the body is `bytes[envelope.pduBody, envelope.pduEnd)`,
   * from error-status on. Otherwise as `receive`.
   */
  protected abstract answer(bytes: Buffer, envelope: Envelope): RejectReason | undefined;

  receive(datagram: Buffer, envelope: Envelope): RejectReason | undefined {
    const { wire } = this.session;
    if (envelope.version !== wire.version) return 'wrongVersion';
    if (wire.version === 3) return this.#receiveSecured(datagram, envelope);
    if (!wire.hasCommunity(datagram, envelope.communityStart, envelope.communityEnd)) return 'wrongCommunity';
    if (envelope.pduTag !== berTag.response) return 'pduType';
    return this.answer(datagram, envelope);
  }

  override onTransmission(isRetransmission: boolean): void {
    this.session.sent++;
    if (isRetransmission) this.session.retransmitted++;
  }

  launch(): void {
    this.#unprovenEngines = undefined;
    this.#hasLearnedTime = false;
    this.#hasLearnedFromEngine = false;
    // A walk may continue after its session was closed between two requests.
    if (this.session.isClosed) queueMicrotask(() => this.fail('SNMP_CLOSED'));
    else this.session.core.transport.launch(this);
  }

  /** The secured datagram of `pdu`, or the engine discovery that must come first. */
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

  #receiveSecured(datagram: Buffer, envelope: Envelope): RejectReason | undefined {
    const { core, wire } = this.session;
    const message = core.security.read(datagram);
    if (typeof message === 'string') return message;
    const messageId = envelope.id;
    const outcome = core.security.open(wire.security!, message, core.transport.clock.now());
    if (typeof outcome === 'string') return outcome;
    if (outcome.kind === 'report') return this.#handleReport(outcome);
    const fault = envelope.readPdu(outcome.octets, outcome.start, outcome.end);
    if (fault !== undefined) return fault;
    if (envelope.id !== messageId) return 'requestId';
    return this.answer(outcome.octets, envelope);
  }

  /** A Report does not end the request. It may correct the engine and its time; then the request is sent again, a limited number of times. */
  #handleReport(report: SecurityReport): RejectReason {
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

export const hintByReport: Readonly<Record<string, SnmpErrorCode>> = {
  wrongDigests: 'SNMP_WRONG_DIGEST',
  unknownUserNames: 'SNMP_UNKNOWN_USER',
  unsupportedSecLevels: 'SNMP_SECURITY_LEVEL',
  decryptionErrors: 'SNMP_DECRYPTION',
  notInTimeWindows: 'SNMP_TIME_WINDOW',
};
