import type { Varbind } from '../codec/snmp-value.ts';
import { SnmpError, type SnmpErrorCode } from '../snmp-error.ts';
import type { FlightContext } from './flight-context.ts';
import { PduFlight, type PduReply, type PduRequest } from './pdu-flight.ts';

export interface Exchanged {
  readonly errorStatus: number;
  readonly errorIndex: number;
  readonly varbinds: Varbind[];
}

/** Sends one request and waits for its reply. Rejects with an SnmpError. */
export function exchange(
  session: FlightContext,
  request: PduRequest,
  signal?: AbortSignal,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    session.assertUsable(signal);
    const flight = new PduFlight(session, request, {
      onReply({ errorStatus, errorIndex, varbinds }: PduReply) {
        signal?.removeEventListener('abort', abort);
        resolve({ errorStatus, errorIndex, varbinds });
      },
      onFailure(code: SnmpErrorCode) {
        signal?.removeEventListener('abort', abort);
        reject(session.errorOf(code, flight));
      },
    });
    function abort(): void {
      session.core.transport.end(flight);
      reject(new SnmpError('SNMP_ABORTED', { target: session.name }, signal?.reason));
    }
    signal?.addEventListener('abort', abort, { once: true });
    flight.launch();
  });
}
