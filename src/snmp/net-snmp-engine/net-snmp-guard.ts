import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import type { Clock } from '../../timing/clock.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import { nameTarget } from '../peer/target.ts';
import { adviseOnTimeout } from '../session/timeout-advice.ts';
import { SnmpError, type SnmpErrorCode } from '../snmp-error.ts';
import {
  type LibraryCallback,
  type LibrarySession,
  type LibraryVarbinds,
  library,
} from './net-snmp-library.ts';
import type { NetSnmpTarget } from './net-snmp-target.ts';
import { toVarbind } from './net-snmp-varbind.ts';
import { ReplyFilter } from './reply-filter.ts';

/** Makes one request of the library; called once per attempt. */
export type GuardedRequest = (session: LibrarySession, callback: LibraryCallback) => void;

/** One array per requested OID: one varbind, or for a repeater of a GETBULK its whole column. */
export type AnsweredVarbinds = readonly (readonly Varbind[])[];

/** A device's answer: varbinds, or an error-status. */
export type GuardedAnswer = { readonly varbinds: AnsweredVarbinds } | { readonly errorStatus: number };

type Attempt = GuardedAnswer | { readonly error: Error } | 'timeout' | 'stopped';

/** Discovery, time synchronization and the request itself may each take a full timeout. */
const v3Rounds = 3;
/** Added to each deadline, so that the library's own timeout comes first. */
const graceMs = 50;

/**
 * Protects the process from the library's faults: one request at a time, a deadline for each attempt, no datagram that the
 * filter has not checked, no exception outside its handlers, and a new library session after every failure.
 */
export class NetSnmpGuard {
  /** Exceptions that the library threw while it read a datagram. */
  faults = 0;
  readonly filter: ReplyFilter;
  readonly #target: NetSnmpTarget;
  readonly #retries: number;
  readonly #clock: Clock;
  #session: LibrarySession | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #stop: (() => void) | undefined;
  #isClosed = false;

  constructor(target: NetSnmpTarget, clock: Clock) {
    this.#target = target;
    this.#retries = target.peer.retries;
    this.#clock = clock;
    this.filter = new ReplyFilter(target.peer, target.expected);
  }

  get name(): string {
    return nameTarget(this.#target.peer);
  }

  /** Rejects with an SnmpError only. */
  ask(request: GuardedRequest, signal?: AbortSignal): Promise<GuardedAnswer> {
    const answer = this.#turn.then(() => this.#exchange(request, signal));
    this.#turn = answer.catch(() => {});
    return answer;
  }

  close(): void {
    this.#isClosed = true;
    this.#stop?.();
    this.#discard();
  }

  async #exchange(request: GuardedRequest, signal: AbortSignal | undefined): Promise<GuardedAnswer> {
    const sinceMs = this.#clock.now();
    this.filter.hint = undefined;
    let code: SnmpErrorCode = 'SNMP_TIMEOUT';
    let attempts = 0;
    // A reply that the library rejects ends its request: such a request gets one more attempt.
    let maxAttempts = this.#retries + 1;
    while (attempts < maxAttempts) {
      this.#assertUsable(signal);
      attempts++;
      const attempt = await this.#attempt(request, signal);
      if (typeof attempt === 'object' && !('error' in attempt)) return attempt;
      this.#discard();
      this.#assertUsable(signal);
      if (typeof attempt === 'object') {
        code = codeOf(attempt.error);
        maxAttempts = this.#retries + 2;
      } else if (attempt === 'timeout') {
        code = this.filter.hint ?? 'SNMP_TIMEOUT';
      }
    }
    const { expected } = this.#target;
    const user =
      expected.version === 3
        ? { name: expected.user.name, level: expected.level, hasOnlyReported: false }
        : undefined;
    throw new SnmpError(code, {
      target: this.name,
      user: user?.name ?? '',
      advice: adviseOnTimeout(user),
      attempts,
      elapsedMs: Math.round(this.#clock.now() - sinceMs),
      reason: 'no route or not permitted',
    });
  }

  #assertUsable(signal: AbortSignal | undefined): void {
    if (this.#isClosed) throw new SnmpError('SNMP_CLOSED', { target: this.name });
    if (signal?.aborted) throw new SnmpError('SNMP_ABORTED', { target: this.name }, signal.reason);
  }

  #attempt(request: GuardedRequest, signal: AbortSignal | undefined): Promise<Attempt> {
    const { peer, expected } = this.#target;
    const rounds = expected.version === 3 ? v3Rounds : 1;
    return new Promise((resolve) => {
      const settle = (attempt: Attempt) => {
        this.#clock.clearTimer(deadline);
        signal?.removeEventListener('abort', stop);
        this.#stop = undefined;
        resolve(attempt);
      };
      const stop = () => settle('stopped');
      const deadline = this.#clock.setTimer(() => settle('timeout'), peer.timeoutMs * rounds + graceMs);
      signal?.addEventListener('abort', stop, { once: true });
      this.#stop = stop;
      try {
        request(this.#open(), (error, varbinds) => settle(toAttempt(error, varbinds)));
      } catch (error) {
        settle({ error: error instanceof Error ? error : new Error(String(error)) });
      }
    });
  }

  #open(): LibrarySession {
    if (this.#session !== undefined) return this.#session;
    let socket: Socket | undefined;
    const session = this.#target.create({
      createSocket: (type) => {
        socket = createSocket(type);
        return socket;
      },
    });
    // The library emits an error for what it cannot decode; without a listener, that would end the process.
    session.on('error', () => {
      this.faults++;
    });
    const [receive] = socket!.listeners('message') as [(datagram: Buffer) => void];
    socket!.removeAllListeners('message');
    socket!.on('message', (datagram: Buffer, from: RemoteInfo) => {
      if (!this.filter.accepts(datagram, from)) return;
      try {
        receive(datagram);
      } catch {
        this.faults++;
      }
    });
    this.#session = session;
    return session;
  }

  #discard(): void {
    const session = this.#session;
    this.#session = undefined;
    try {
      session?.close();
    } catch {
      this.faults++;
    }
  }
}

function toAttempt(error: Error | null, varbinds: LibraryVarbinds): Attempt {
  if (error === null) return convert(varbinds);
  if (error instanceof library.RequestTimedOutError) return 'timeout';
  if (!(error instanceof library.RequestFailedError)) return { error };
  return { errorStatus: error.status };
}

function convert(columns: LibraryVarbinds): Attempt {
  const varbinds: Varbind[][] = [];
  for (const column of columns) {
    const converted: Varbind[] = [];
    for (const received of [column].flat()) {
      const varbind = toVarbind(received);
      if (varbind === undefined)
        return { error: new Error('The reply holds a type that SNMP does not have.') };
      converted.push(varbind);
    }
    varbinds.push(converted);
  }
  return { varbinds };
}

function codeOf(error: Error): SnmpErrorCode {
  if (/does not precede/.test(error.message)) return 'SNMP_NOT_INCREASING';
  if (/digest/i.test(error.message)) return 'SNMP_WRONG_DIGEST';
  if (/decrypt/i.test(error.message)) return 'SNMP_DECRYPTION';
  if (/time window/i.test(error.message)) return 'SNMP_TIME_WINDOW';
  return 'syscall' in error ? 'SNMP_UNREACHABLE' : 'SNMP_WRONG_ANSWER';
}
