import { isDeepStrictEqual } from 'node:util';
import type { Target } from '../../../src/snmp/index.ts';
import type { ClientSession } from '../../snmp-client/service.ts';

/** The session that requests to a device use. Polls under way end in the session that they began with. */
export class CurrentSession {
  readonly #open: (target: Target) => Promise<ClientSession>;
  /** Replaced sessions that polls under way still use. */
  readonly #retired = new Set<Promise<ClientSession>>();
  #target: Target | undefined = undefined;
  #session: Promise<ClientSession> | undefined = undefined;

  constructor(open: (target: Target) => Promise<ClientSession>) {
    this.#open = open;
  }

  /** Opened when it is first needed. */
  get(): Promise<ClientSession> {
    this.#session ??= this.#open(this.#target!);
    return this.#session;
  }

  /** The target with the community or user that is in use now. */
  findSame(targets: readonly Target[]): Target | undefined {
    const current = this.#target && credentialOf(this.#target);
    return targets.find((target) => isDeepStrictEqual(credentialOf(target), current));
  }

  /** Directs the following requests to this target. */
  use(target: Target, underWay: Iterable<Promise<unknown>>): void {
    if (isDeepStrictEqual(target, this.#target)) return;
    this.#target = target;
    this.retire(underWay);
  }

  /** Replaces the session by a new one, and closes it when what is under way has ended. */
  retire(underWay: Iterable<Promise<unknown>>): void {
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) return;
    this.#retired.add(session);
    void Promise.allSettled(underWay).then(() => {
      this.#retired.delete(session);
      close(session);
    });
  }

  /** Closes all sessions, and so ends what is under way: values that have not come by now are missing. */
  cut(): void {
    for (const session of this.#retired) close(session);
    if (this.#session !== undefined) close(this.#session);
    this.#session = undefined;
  }
}

function credentialOf(target: Target): unknown {
  return target.version === '3' ? target.user : [target.version, target.community];
}

/** A session that failed to open needs no closing. */
function close(session: Promise<ClientSession>): void {
  session.then(
    (opened) => opened.close(),
    () => {},
  );
}
