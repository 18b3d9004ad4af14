import { createHash, randomBytes } from 'node:crypto';
import type { HttpCaller } from '../../http-routes/service.ts';

export interface SessionLimits {
  /** A session ends when no request came for this long. */
  readonly idleMs: number;
  /** A session ends after this time, however much it is used. */
  readonly maxMs: number;
}

interface Session {
  readonly owner: HttpCaller;
  readonly endsMs: number;
  usedMs: number;
}

const maxSessions = 1000;
const maxOfOneName = 50;

/** The sessions of signed-in browsers, in memory: a restart ends them. At a limit, the one ends that was not used for the longest time. */
export class SessionTable {
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  /** By the hash of the id, so that comparing them reveals nothing. The session that was used last is last. */
  readonly #sessions = new Map<string, Session>();

  constructor(limits: SessionLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Returns the id of a new session: 256 random bits. */
  open(owner: HttpCaller): string {
    for (const [key, session] of this.#sessions) if (!this.#isAlive(session)) this.#sessions.delete(key);
    const ofOwner = [...this.#sessions].filter(([, session]) => session.owner.name === owner.name);
    if (ofOwner.length >= maxOfOneName) this.#sessions.delete(ofOwner[0]![0]);
    else if (this.#sessions.size >= maxSessions) this.#sessions.delete(this.#sessions.keys().next().value!);
    const id = randomBytes(32).toString('base64url');
    const nowMs = this.#now();
    this.#sessions.set(keyOf(id), { owner, usedMs: nowMs, endsMs: nowMs + this.#limits.maxMs });
    return id;
  }

  /** The owner of a session that has not ended. The session counts as used. */
  find(id: string): HttpCaller | undefined {
    const key = keyOf(id);
    const session = this.#sessions.get(key);
    this.#sessions.delete(key);
    if (session === undefined || !this.#isAlive(session)) return undefined;
    session.usedMs = this.#now();
    this.#sessions.set(key, session);
    const { name, role } = session.owner;
    const isCurrent = () => this.#sessions.get(key) === session && this.#isAlive(session);
    return { name, role, isCurrent };
  }

  close(id: string): void {
    this.#sessions.delete(keyOf(id));
  }

  #isAlive({ owner, usedMs, endsMs }: Session): boolean {
    const nowMs = this.#now();
    return nowMs < endsMs && nowMs - usedMs < this.#limits.idleMs && owner.isCurrent();
  }
}

function keyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64');
}
