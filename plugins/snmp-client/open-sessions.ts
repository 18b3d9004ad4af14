import type { LearnedState, Manager, Session } from '../../src/snmp/index.ts';
import type { KeptState } from './kept-state.ts';
import { isSameLearned } from './state-difference.ts';

/** Sessions that are open, visited in turn so that what they learn is kept before a crash can take it. */
export class OpenSessions {
  readonly #manager: Manager;
  readonly #kept: KeptState;
  /** With what each was kept by last: of two sessions of a device, one that rests does not undo what the other learns. */
  readonly #sessions = new Map<Session, LearnedState | undefined>();
  #rest: Iterator<Session> = this.#sessions.keys();

  constructor(manager: Manager, kept: KeptState) {
    this.#manager = manager;
    this.#kept = kept;
  }

  add(session: Session): void {
    this.#sessions.set(session, undefined);
  }

  delete(session: Session): void {
    this.#keep(session);
    this.#sessions.delete(session);
  }

  /** Keeps what is news of a share of the sessions: those whose turn it is. */
  keepNext(share: number): void {
    for (let left = Math.ceil(this.#sessions.size * share); left > 0; left--) {
      let next = this.#rest.next();
      if (next.done) {
        this.#rest = this.#sessions.keys();
        next = this.#rest.next();
      }
      if (!next.done) this.#keep(next.value);
    }
  }

  #keep(session: Session): void {
    if (!session.hasLearned) return;
    const state = session.exportLearned();
    if (!isSameLearned(this.#sessions.get(session), state)) {
      this.#sessions.set(session, state);
      this.#kept.keepLearned(session.name, state);
    }
    this.#kept.keepEngines(this.#manager.exportEngines([session.name]));
  }
}
