import type { LearnedState, Manager, Session } from '../../src/snmp/index.ts';
import type { KeptState } from './kept-state.ts';
import { isSameLearned } from './state-difference.ts';

/**
 * Sessions that are open, visited in turn so that what they learn is kept before a crash can take it. Of several to one
 * device the first that has learned something speaks for it until it closes: what is kept does not go back and forth.
 */
export class OpenSessions {
  readonly #manager: Manager;
  readonly #kept: KeptState;
  /** With what each was kept by last. */
  readonly #sessions = new Map<Session, LearnedState | undefined>();
  /** By the name of the device. */
  readonly #speakers = new Map<string, Session>();
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
    if (this.#speakers.get(session.name) === session) this.#speakers.delete(session.name);
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
    const speaker = this.#speakers.get(session.name) ?? session;
    this.#speakers.set(session.name, speaker);
    if (session !== speaker) return;
    const state = session.exportLearned();
    if (!isSameLearned(this.#sessions.get(session), state)) {
      this.#sessions.set(session, state);
      this.#kept.keepLearned(session.name, state);
    }
    this.#kept.keepEngines(this.#manager.exportEngines([session.name]));
  }
}
