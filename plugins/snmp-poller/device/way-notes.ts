import type { ClientSession } from '../../snmp-client/service.ts';
import type { PollFailure } from '../answers/explain/value-explanation.ts';
import type { DeviceTools } from './device-tools.ts';
import type { PolledDevice } from './polled-device.ts';

/** What is known of the way to one device. */
export class WayNotes {
  /** Smoothed; 0 before the first reply. */
  roundTripMs = 0;
  lastFailure: PollFailure | undefined = undefined;
  #session: ClientSession | undefined = undefined;
  #counted = 0;

  /** Retransmissions since the last call. */
  takeRetries(session: ClientSession): number {
    if (session.poll === undefined) return 0;
    const { retransmitted } = session;
    const retries = session === this.#session ? retransmitted - this.#counted : retransmitted;
    this.#session = session;
    this.#counted = retransmitted;
    return retries;
  }
}

/** After a poll, and after a probe that failed. */
export function noteWay(
  { way, tally }: PolledDevice,
  session: ClientSession,
  failure: string | undefined,
  { clock, tally: total, roundTrips }: DeviceTools,
): void {
  if (failure !== undefined) way.lastFailure = { code: failure, atMs: Math.round(clock.wallNow()) };
  const retries = way.takeRetries(session);
  tally.retries += retries;
  total.retries += retries;
  if (session.poll === undefined) return;
  way.roundTripMs = session.peer.srttMs;
  if (way.roundTripMs > 0) roundTrips.add(way.roundTripMs);
}
