import { compareOids, normalizeOid, type Oid } from '../../model/oid.ts';
import type { Clock } from '../../timing/clock.ts';
import { errorStatuses } from '../codec/pdu.ts';
import { type ExceptionType, isException, type Varbind } from '../codec/snmp-value.ts';
import { parseLimits, type SessionLimits, type Target } from '../peer/target.ts';
import { askAgainMs, ExpiringOids } from '../request/expiring-oids.ts';
import { encodeValidOid } from '../request/split-request.ts';
import type { BulkRequest, RequestOptions, SnmpSession, SnmpWalk } from '../session/snmp-session.ts';
import { SnmpError } from '../snmp-error.ts';
import { PeerPace } from '../transport/peer-pace.ts';
import type { MasterKeys } from '../usm/user/master-keys.ts';
import type { WalkOptions } from '../walk/walk.ts';
import {
  type AnsweredVarbinds,
  type GuardedAnswer,
  type GuardedRequest,
  NetSnmpGuard,
} from './net-snmp-guard.ts';
import { parseNetSnmpTarget } from './net-snmp-target.ts';
import { NetSnmpWalk } from './net-snmp-walk.ts';

/** Requests to one device through the npm package net-snmp: the same answers and errors, but slower. */
export class NetSnmpSession implements SnmpSession {
  readonly limits: SessionLimits;
  readonly isVersion1: boolean;
  readonly clock: Clock;
  readonly pace = new PeerPace();
  readonly #guard: NetSnmpGuard;
  readonly #silent = new ExpiringOids();
  readonly #onClose: (session: NetSnmpSession) => void;

  constructor(
    target: Target,
    clock: Clock,
    masterKeys: MasterKeys,
    onClose: (session: NetSnmpSession) => void,
  ) {
    this.limits = parseLimits(target);
    this.isVersion1 = target.version === '1';
    this.clock = clock;
    this.#guard = new NetSnmpGuard(parseNetSnmpTarget(target, masterKeys), clock);
    this.#onClose = onClose;
  }

  get name(): string {
    return this.#guard.name;
  }

  get(oids: readonly Oid[], options: RequestOptions = {}): Promise<Varbind[]> {
    const request = (asked: readonly Oid[]): GuardedRequest => {
      return (library, callback) => library.get(asked, callback);
    };
    return this.#askAll(oids, request, 'noSuchInstance', options.signal);
  }

  async getNext(oids: readonly Oid[], options: RequestOptions = {}): Promise<Varbind[]> {
    const request = (asked: readonly Oid[]): GuardedRequest => {
      return (library, callback) => library.getNext(asked, callback);
    };
    const varbinds = await this.#askAll(oids, request, 'endOfMibView', options.signal);
    // The library accepts an OID that equals the requested one.
    for (const [i, varbind] of varbinds.entries()) {
      if (isException(varbind.type) || compareOids(varbind.oid, normalizeOid(oids[i]!)!) > 0) continue;
      throw new SnmpError('SNMP_NOT_INCREASING', { target: this.name });
    }
    return varbinds;
  }

  async getBulk(oids: readonly Oid[], bulk: BulkRequest & RequestOptions = {}): Promise<Varbind[]> {
    const asked = oids.map((oid) => checkOid(oid));
    const nonRepeaters = Math.min(bulk.nonRepeaters ?? 0, asked.length);
    let maxRepetitions = bulk.maxRepetitions ?? 10;
    for (;;) {
      const answer = await this.#guard.ask(
        (library, callback) => library.getBulk(asked, nonRepeaters, maxRepetitions, callback),
        bulk.signal,
      );
      if ('varbinds' in answer) return inWireOrder(answer.varbinds, nonRepeaters);
      if (errorStatuses[answer.errorStatus] !== 'tooBig') throw this.#agentErrorOf(answer.errorStatus);
      if (maxRepetitions <= 1) throw new SnmpError('SNMP_TOO_BIG', { target: this.name });
      maxRepetitions >>= 1;
    }
  }

  walk(roots: Oid | readonly Oid[], options: WalkOptions = {}): SnmpWalk {
    return new NetSnmpWalk(this, typeof roots === 'string' ? [roots] : roots, options);
  }

  silentUntil(column: Oid): number | undefined {
    return this.#silent.until(column, this.clock.wallNow());
  }

  learnSilence(column: Oid, untilMs = this.clock.wallNow() + askAgainMs): void {
    this.#silent.add(column, untilMs);
  }

  close(): void {
    this.#guard.close();
    this.#onClose(this);
  }

  async #askAll(
    oids: readonly Oid[],
    request: (asked: readonly Oid[]) => GuardedRequest,
    missing: ExceptionType,
    signal: AbortSignal | undefined,
  ): Promise<Varbind[]> {
    const asked = oids.map((oid) => checkOid(oid));
    const varbinds: Varbind[] = [];
    for (let start = 0; start < asked.length; start += this.limits.maxOids) {
      const part = asked.slice(start, start + this.limits.maxOids);
      varbinds.push(...(await this.#askPart(part, request, missing, signal)));
    }
    return varbinds;
  }

  /** A varbind that the agent fails on becomes an exception, as in Waywiser's own engine. */
  async #askPart(
    asked: readonly Oid[],
    request: (asked: readonly Oid[]) => GuardedRequest,
    missing: ExceptionType,
    signal: AbortSignal | undefined,
  ): Promise<Varbind[]> {
    const answer = await this.#guard.ask(request(asked), signal);
    if ('varbinds' in answer) return answer.varbinds.flat();
    const except = exceptionOf(answer, missing);
    if (except === undefined) throw this.#agentErrorOf(answer.errorStatus);
    if (asked.length === 1) return [{ oid: asked[0]!, type: except, value: null }];
    // The library does not report which varbind failed.
    const middle = asked.length >> 1;
    return [
      ...(await this.#askPart(asked.slice(0, middle), request, missing, signal)),
      ...(await this.#askPart(asked.slice(middle), request, missing, signal)),
    ];
  }

  #agentErrorOf(errorStatus: number): SnmpError {
    const status = errorStatuses[errorStatus] ?? String(errorStatus);
    return new SnmpError('SNMP_AGENT_ERROR', { target: this.name, status });
  }
}

function exceptionOf(
  answer: Extract<GuardedAnswer, { errorStatus: number }>,
  missing: ExceptionType,
): ExceptionType | undefined {
  const status = errorStatuses[answer.errorStatus];
  if (status === 'noSuchName') return missing;
  return status === 'tooBig' || status === 'genErr' ? status : undefined;
}

function checkOid(oid: Oid): Oid {
  encodeValidOid(oid);
  return normalizeOid(oid)!;
}

/** The library sorts the varbinds of a GETBULK by column; in the message they are in row order. */
function inWireOrder(varbinds: AnsweredVarbinds, nonRepeaters: number): Varbind[] {
  const columns = varbinds.slice(nonRepeaters);
  const rows = Math.max(0, ...columns.map((column) => column.length));
  const repeated = Array.from({ length: rows }, (_, row) =>
    columns.map((column) => column.slice(row, row + 1)),
  );
  return [...varbinds.slice(0, nonRepeaters).flat(), ...repeated.flat(2)];
}
