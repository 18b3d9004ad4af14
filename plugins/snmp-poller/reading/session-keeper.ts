import { isDeepStrictEqual } from 'node:util';
import type { Target } from '../../../src/snmp/index.ts';
import type { ClientSession } from '../../snmp-client/service.ts';

/** The session that a device is asked by. What is under way ends in the one that it began with. */
export class SessionKeeper {
  readonly #open: (target: Target) => Promise<ClientSession>;
  /** Those that polls under way still use. */
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

  /** Of several ways of asking, the one by the same community or user as now. */
  findSame(targets: readonly Target[]): Target | undefined {
    const now = this.#target && credentialOf(this.#target);
    return targets.find((target) => isDeepStrictEqual(credentialOf(target), now));
  }

  /** From now on the device is asked in this way. */
  use(target: Target, underWay: Iterable<Promise<unknown>>): void {
    if (isDeepStrictEqual(target, this.#target)) return;
    this.#target = target;
    this.retire(underWay);
  }

  /** The next one is another; this one is closed when what is under way has ended. */
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

  /** Ends what is under way: what has not come by now is missing. */
  cut(): void {
    for (const session of this.#retired) close(session);
    if (this.#session !== undefined) close(this.#session);
    this.#session = undefined;
  }
}

function credentialOf(target: Target): unknown {
  return target.version === '3' ? target.user : [target.version, target.community];
}

/** One that could not be opened needs no closing. */
function close(session: Promise<ClientSession>): void {
  session.then(
    (opened) => opened.close(),
    () => {},
  );
}
