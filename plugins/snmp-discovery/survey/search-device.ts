import { type Candidate, PresenceSearch } from '../../../src/definitions/index.ts';
import type { Oid } from '../../../src/index.ts';
import { isException, SnmpError, type SnmpSession } from '../../../src/snmp/index.ts';
import { countOctets } from '../../../src/snmp/internal.ts';
import type { DeviceBudget } from './device-budget.ts';

export interface SearchOptions {
  readonly signal: AbortSignal;
  readonly budget: Pick<DeviceBudget, 'leftMs'>;
  /** An OID that the device has answered: it shows whether the device is still alive. */
  readonly aliveOid: Oid;
}

/** OIDs in a request, as long as the device answers so many. */
const oidsPerRequest = 25;
/** What a packet can carry. More octets in the answers to one request were several packets. */
const packetOctets = 1_400;
/** So many a request asks for at least, unless one stays without an answer. */
const fewestOids = 3;
/** Requests of one search: more only a device needs that contradicts itself. */
const maxRequests = 100;
/** Requests without a usable answer that one search waits for. */
const maxWaits = 8;

/** Finds which of the candidates a device has. Rejects when the device stops answering. */
export async function searchDevice(
  session: SnmpSession,
  candidates: Iterable<Candidate>,
  { signal, budget, aliveOid }: SearchOptions,
  earlier?: PresenceSearch,
): Promise<PresenceSearch> {
  const search = new PresenceSearch(candidates, earlier);
  let size = oidsPerRequest;
  let waits = 0;
  for (let requests = 0; !search.isDone; requests++) {
    if (requests >= maxRequests || waits >= maxWaits || budget.leftMs === 0) {
      search.giveUpRest();
      break;
    }
    const oids = search.next(size);
    try {
      const answers = await session.getNext(oids, { signal });
      for (const [position, asked] of oids.entries()) {
        const { type, oid } = answers[position]!;
        if (!isException(type)) search.tell(asked, oid);
        else if (type === 'endOfMibView') search.tell(asked, undefined);
        else search.giveUp(asked);
      }
      // Absent OIDs that follow one another are all answered with the same value, which may be long.
      const octets = countOctets(answers);
      if (octets > packetOctets) {
        search.infer();
        size = Math.max(fewestOids, Math.floor((oids.length * packetOctets) / octets));
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SnmpError) || !isNoAnswer(error)) throw error;
      waits++;
      if (error.code === 'SNMP_TIMEOUT') await assertAlive(session, aliveOid, error, signal);
      if (oids.length === 1) search.giveUp(oids[0]!);
      size = Math.max(1, oids.length >> 1);
    }
  }
  return search;
}

/** Whether the request had no answer that can be used, which a shorter request may have. */
function isNoAnswer({ code }: SnmpError): boolean {
  return code === 'SNMP_TIMEOUT' || code === 'SNMP_WRONG_ANSWER' || code === 'SNMP_NOT_INCREASING';
}

async function assertAlive(
  session: SnmpSession,
  oid: Oid,
  reason: SnmpError,
  signal: AbortSignal,
): Promise<void> {
  try {
    await session.get([oid], { signal });
  } catch {
    signal.throwIfAborted();
    throw reason;
  }
}
