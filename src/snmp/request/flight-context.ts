import type { EngineCore } from '../peer/engine-core.ts';
import type { SessionLimits } from '../peer/target.ts';
import type { Wire } from '../peer/wire.ts';
import type { SnmpError, SnmpErrorCode } from '../snmp-error.ts';
import type { Flight, Peer } from '../transport/flight.ts';
import type { Learned } from './learned.ts';

/** The part of a session that its requests, walks and polls use. */
export interface FlightContext {
  /** Such as `192.0.2.1:161`. */
  readonly name: string;
  readonly core: EngineCore;
  readonly peer: Peer;
  readonly wire: Wire;
  readonly limits: SessionLimits;
  readonly learned: Learned;
  readonly isClosed: boolean;
  /** An OID that the device has answered a GET for: asked for again, it shows whether the device is still alive. */
  answered: Uint8Array | undefined;
  /** Counts the datagrams. */
  sent: number;
  /** Counts the requests that were sent again because no reply came. */
  retransmitted: number;
  /** Throws for a closed session and an aborted signal. */
  assertUsable(signal?: AbortSignal): void;
  /** The error that a failed flight rejects with. */
  errorOf(code: SnmpErrorCode, flight: Flight): SnmpError;
}
