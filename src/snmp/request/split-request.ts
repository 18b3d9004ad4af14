import type { Oid } from '../../model/oid.ts';
import { berTag } from '../codec/ber-tag.ts';
import { compareOidBytes, encodeOid } from '../codec/oid-bytes.ts';
import { type ErrorStatus, errorStatuses } from '../codec/pdu.ts';
import type { ExceptionType, Varbind } from '../codec/snmp-value.ts';
import { SnmpError } from '../snmp-error.ts';
import { countOctets } from './count-octets.ts';
import { exchange } from './exchange.ts';
import type { FlightContext } from './flight-context.ts';

type RequestTag = typeof berTag.getRequest | typeof berTag.getNextRequest;

/**
 * GET or GETNEXT of any number of OIDs, split into requests that the device accepts. Returns one varbind per OID, in the
 * requested order. A varbind that the agent fails on becomes an exception; the others are requested again without it.
 */
export async function requestVarbinds(
  session: FlightContext,
  tag: RequestTag,
  oids: readonly Oid[],
  signal?: AbortSignal,
): Promise<Varbind[]> {
  const request = new SplitRequest(session, tag, oids, signal);
  const size = session.learned.oidsPerGet.within(session.limits.maxOids);
  const all = oids.map((_, i) => i);
  const parts: Promise<void>[] = [];
  for (let start = 0; start < all.length; start += size)
    parts.push(request.send(all.slice(start, start + size)));
  const settled = await Promise.allSettled(parts);
  request.learnSize();
  for (const part of settled) if (part.status === 'rejected') throw part.reason;
  return request.answers as Varbind[];
}

export function encodeValidOid(oid: Oid): Buffer {
  const octets = encodeOid(oid);
  if (octets === undefined) throw new SnmpError('SNMP_BAD_OID', { oid: String(oid).slice(0, 200) });
  return octets;
}

class SplitRequest {
  readonly answers: (Varbind | undefined)[];
  readonly #session: FlightContext;
  readonly #tag: RequestTag;
  readonly #oids: readonly Oid[];
  readonly #octets: readonly Buffer[];
  readonly #signal: AbortSignal | undefined;
  /** Messages that were answered, and those that were too big: the indexes of their OIDs. */
  readonly #answered: (readonly number[])[] = [];
  readonly #tooBig: (readonly number[])[] = [];

  constructor(session: FlightContext, tag: RequestTag, oids: readonly Oid[], signal?: AbortSignal) {
    this.#session = session;
    this.#tag = tag;
    this.#oids = oids;
    this.#octets = oids.map(encodeValidOid);
    this.#signal = signal;
    this.answers = new Array(oids.length).fill(undefined);
  }

  /**
   * After a message that was too big, later ones have no more OIDs than the largest that was answered. One value that is too big by itself,
   * or without which the answers would have fitted into a message that was answered, says nothing about others.
   */
  learnSize(): void {
    if (this.#tooBig.length === 0) return;
    const mostOctets = Math.max(0, ...this.#answered.map((indexes) => countOctets(this.#answersOf(indexes))));
    const isExplained = (indexes: readonly number[]): boolean => {
      const answers = this.#answersOf(indexes);
      if (answers.some(({ type }) => type === 'tooBig')) return true;
      const longest = Math.max(0, ...answers.map((answer) => countOctets([answer])));
      return countOctets(answers) - longest <= mostOctets;
    };
    if (this.#tooBig.every(isExplained)) return;
    this.#session.learned.oidsPerGet.shrinkTo(Math.max(0, ...this.#answered.map(({ length }) => length)));
  }

  #answersOf(indexes: readonly number[]): Varbind[] {
    return indexes.flatMap((index) => this.answers[index] ?? []);
  }

  /** Requests the OIDs with these indexes. */
  async send(indexes: readonly number[]): Promise<void> {
    if (indexes.length === 0) return;
    const request = {
      tag: this.#tag,
      oids: indexes.map((index) => this.#octets[index]!),
      nonRepeaters: 0,
      maxRepetitions: 0,
      acceptsAnyOrder: false,
    };
    const { errorStatus, errorIndex, varbinds } = await exchange(this.#session, request, this.#signal);
    const status = errorStatuses[errorStatus];
    switch (status) {
      case 'noError':
        this.#answered.push(indexes);
        this.#learn(indexes.length, varbinds);
        if (this.#tag === berTag.getRequest) this.#session.answered = this.#octets[indexes[0]!];
        for (const [i, index] of indexes.entries()) this.answers[index] = varbinds[i];
        return;
      case 'tooBig':
        if (indexes.length > 1) this.#tooBig.push(indexes);
        return this.#halve(indexes, 'tooBig');
      case 'noSuchName':
        // SNMPv1's form of an exception (RFC 3584 §4.2.2.2).
        return this.#dropOrHalve(
          indexes,
          errorIndex,
          this.#tag === berTag.getRequest ? 'noSuchInstance' : 'endOfMibView',
        );
      case 'genErr':
        return this.#dropOrHalve(indexes, errorIndex, 'genErr');
      default:
        throw agentErrorOf(this.#session, errorStatus, status);
    }
  }

  /** Leaves out one varbind and requests the rest. An index outside the list names no varbind: then each half is tried. */
  async #dropOrHalve(indexes: readonly number[], errorIndex: number, type: ExceptionType): Promise<void> {
    const culprit = indexes[errorIndex - 1];
    if (culprit === undefined) return this.#halve(indexes, type);
    this.#setException(culprit, type);
    const rest = indexes.filter((index) => index !== culprit);
    if (type !== 'endOfMibView') return this.send(rest);
    // What is beyond that OID is beyond the end as well.
    const end = this.#octets[culprit]!;
    const isBeyond = (index: number) => isBefore(end, this.#octets[index]!);
    for (const index of rest) if (isBeyond(index)) this.#setException(index, type);
    return this.send(rest.filter((index) => !isBeyond(index)));
  }

  async #halve(indexes: readonly number[], type: ExceptionType): Promise<void> {
    if (indexes.length === 1) return this.#setException(indexes[0]!, type);
    const middle = indexes.length >> 1;
    await Promise.all([this.send(indexes.slice(0, middle)), this.send(indexes.slice(middle))]);
  }

  #learn(asked: number, varbinds: readonly Varbind[]): void {
    const { learned, limits } = this.#session;
    learned.oidsPerGet.confirm(asked, limits.maxOids);
    if (this.#tag !== berTag.getRequest) return;
    for (const { oid, type } of varbinds) learned.learnPresence(oid, type === 'noSuchObject');
  }

  #setException(index: number, type: ExceptionType): void {
    this.answers[index] = { oid: this.#oids[index]!, type, value: null };
  }
}

function isBefore(left: Buffer, right: Buffer): boolean {
  return compareOidBytes(left, 0, left.length, right, 0, right.length) < 0;
}

export function agentErrorOf(
  session: FlightContext,
  errorStatus: number,
  status: ErrorStatus | undefined,
): SnmpError {
  return new SnmpError('SNMP_AGENT_ERROR', { target: session.name, status: status ?? String(errorStatus) });
}
