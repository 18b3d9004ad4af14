import type { Oid } from '../../model/oid.ts';
import { berTag } from '../codec/ber-tag.ts';
import { errorStatuses } from '../codec/pdu.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import type { CompiledRequest } from '../compiled/compiled-request.ts';
import { Poll, type PollOptions, type PollOutcome } from '../compiled/poll.ts';
import type { PollColumns } from '../compiled/poll-columns.ts';
import type { EngineCore } from '../peer/engine-core.ts';
import {
  nameTarget,
  parseLimits,
  parsePeerSettings,
  type SessionLimits,
  type Target,
} from '../peer/target.ts';
import { openWire, type Wire } from '../peer/wire.ts';
import { exchange } from '../request/exchange.ts';
import { askAgainMs } from '../request/expiring-oids.ts';
import type { FlightContext } from '../request/flight-context.ts';
import { Learned, type LearnedState, parseLearnedState } from '../request/learned.ts';
import { agentErrorOf, encodeValidOid, requestVarbinds } from '../request/split-request.ts';
import { SnmpError, type SnmpErrorCode } from '../snmp-error.ts';
import { type Flight, Peer } from '../transport/flight.ts';
import { Walk, type WalkOptions } from '../walk/walk.ts';
import { explainSession } from './explain.ts';
import type { BulkRequest, RequestOptions, Session } from './snmp-session.ts';
import { adviseOnTimeout } from './timeout-advice.ts';

/**
 * Requests to one device with one community or user. Sessions are small: tens of thousands may be open. Calls reject with an
 * SnmpError. Exceptions such as noSuchInstance are values of single varbinds; they do not reject a call.
 */
export class DeviceSession implements Session, FlightContext {
  readonly core: EngineCore;
  readonly peer: Peer;
  readonly wire: Wire;
  readonly limits: SessionLimits;
  sent = 0;
  retransmitted = 0;
  answered: Uint8Array | undefined = undefined;
  readonly #onClose: (session: DeviceSession) => void;
  #learned: Learned | undefined = undefined;
  #isClosed = false;

  constructor(core: EngineCore, target: Target, onClose: (session: DeviceSession) => void) {
    this.core = core;
    const settings = parsePeerSettings(target);
    this.limits = parseLimits(target);
    this.wire = openWire(core, target, nameTarget(settings));
    this.peer = core.peers?.take(settings) ?? new Peer(settings);
    this.#onClose = onClose;
  }

  get name(): string {
    return nameTarget(this.peer);
  }

  get roundTripMs(): number {
    return this.peer.srttMs;
  }

  get window(): number {
    return this.peer.window;
  }

  get learned(): Learned {
    this.#learned ??= new Learned();
    return this.#learned;
  }

  /** Returns one varbind per OID, in the requested order. Any number of OIDs: they are split into requests that the device accepts. */
  get(oids: readonly Oid[], options: RequestOptions = {}): Promise<Varbind[]> {
    return requestVarbinds(this, berTag.getRequest, oids, options.signal);
  }

  /** Returns the varbind after each OID, in the requested order; endOfMibView after the last one. */
  getNext(oids: readonly Oid[], options: RequestOptions = {}): Promise<Varbind[]> {
    return requestVarbinds(this, berTag.getNextRequest, oids, options.signal);
  }

  /** Sends one plain GETBULK (RFC 3416 §4.2.3). SNMPv1 has none; use `walk`, which works with every version. */
  async getBulk(oids: readonly Oid[], bulk: BulkRequest & RequestOptions = {}): Promise<Varbind[]> {
    const request = {
      tag: berTag.getBulkRequest,
      oids: oids.map(encodeValidOid),
      nonRepeaters: Math.min(bulk.nonRepeaters ?? 0, oids.length),
      maxRepetitions: bulk.maxRepetitions ?? 10,
      acceptsAnyOrder: false,
    };
    for (;;) {
      const { errorStatus, varbinds } = await exchange(this, request, bulk.signal);
      const status = errorStatuses[errorStatus];
      if (status === 'noError') return varbinds;
      if (status !== 'tooBig') throw agentErrorOf(this, errorStatus, status);
      if (request.maxRepetitions <= 1) throw new SnmpError('SNMP_TOO_BIG', { target: this.name });
      request.maxRepetitions >>= 1;
    }
  }

  /** Reads everything below these roots, in arrays of varbinds. Several roots share the same requests. */
  walk(roots: Oid | readonly Oid[], options: WalkOptions = {}): Walk {
    return new Walk(this, typeof roots === 'string' ? [roots] : roots, options);
  }

  async poll(
    requests: readonly CompiledRequest[],
    columns: PollColumns,
    options: PollOptions = {},
  ): Promise<PollOutcome> {
    this.assertUsable(options.signal);
    for (const request of requests) this.wire.assertDialect(request.dialect, request.community);
    return new Promise((resolve) => new Poll(this, requests, columns, options, resolve).start());
  }

  silentUntil(column: Oid): number | undefined {
    return this.#learned?.silent.until(column, this.core.transport.clock.wallNow());
  }

  misorderedUntil(table: Oid): number | undefined {
    return this.#learned?.misordered.until(table, this.core.transport.clock.wallNow());
  }

  learnSilence(column: Oid, untilMs = this.core.transport.clock.wallNow() + askAgainMs): void {
    this.learned.silent.add(column, untilMs);
  }

  explain(): string[] {
    return explainSession(this);
  }

  get hasLearned(): boolean {
    return this.peer.srttMs > 0 || this.#learned?.isEmpty === false;
  }

  exportLearned(): LearnedState {
    const { srttMs, rttvarMs } = this.peer;
    const learned = this.#learned;
    return {
      maxOids: learned?.oidsPerGet.value,
      maxVarbinds: learned?.varbindsPerReply.value,
      missing: learned?.missing,
      silent: learned?.silent.entries.map(([column, untilMs]) => ({ column, untilMs })),
      misordered: learned?.misordered.entries.map(([table, untilMs]) => ({ table, untilMs })),
      srttMs,
      rttvarMs,
      tables: learned?.tables ?? [],
    };
  }

  restoreLearned(stored: unknown): void {
    const state = parseLearnedState(stored);
    if (state === undefined) return;
    this.learned.restore(state);
    // Another session to the device may have a newer value.
    if (this.peer.srttMs > 0) return;
    this.peer.srttMs = state.srttMs ?? 0;
    this.peer.rttvarMs = state.rttvarMs ?? 0;
  }

  /** Outstanding requests fail with SNMP_CLOSED. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.core.transport.failAll(this.peer, this);
    this.core.peers?.release(this.peer);
    this.#onClose(this);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  assertUsable(signal?: AbortSignal): void {
    if (this.#isClosed) throw new SnmpError('SNMP_CLOSED', { target: this.name });
    if (signal?.aborted) throw new SnmpError('SNMP_ABORTED', { target: this.name }, signal.reason);
  }

  errorOf(code: SnmpErrorCode, flight: Flight): SnmpError {
    const { security } = this.wire;
    const name = security?.user.name.toString() ?? '';
    return new SnmpError(code, {
      target: this.name,
      user: name,
      advice: adviseOnTimeout(
        security && { name, level: security.user.level, hasOnlyReported: security.hasCandidate },
      ),
      attempts: flight.attempts,
      elapsedMs: Math.round(this.core.transport.clock.now() - flight.launchedAtMs),
      reason: 'no route or not permitted',
    });
  }
}
