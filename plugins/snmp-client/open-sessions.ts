import type { LearnedState, Manager, Session } from '../../src/snmp/index.ts';
import type { KeptState } from './kept-state.ts';
import { isSameLearned } from './state-difference.ts';

/** What is known of an open session. */
interface Lesson {
  /** What it is kept under: the device, and the context where it has one. */
  readonly subject: string;
  /** With what it was kept by last. */
  state: LearnedState | undefined;
}

/**
 * Sessions that are open, visited in turn so that what they learn is kept before a crash can take it. Of several about one
 * subject the first that has learned something speaks for it until it closes: what is kept does not go back and forth.
 */
export class OpenSessions {
  readonly #manager: Manager;
  readonly #kept: KeptState;
  readonly #sessions = new Map<Session, Lesson>();
  /** By subject. */
  readonly #speakers = new Map<string, Session>();
  /** How many are open, by target; and targets that are no devices any more, while some still are. */
  readonly #counts = new Map<string, number>();
  readonly #forgotten = new Set<string>();
  #rest: Iterator<[Session, Lesson]> = this.#sessions.entries();

  constructor(manager: Manager, kept: KeptState) {
    this.#manager = manager;
    this.#kept = kept;
  }

  add(session: Session, subject: string): void {
    const { name } = session;
    this.#sessions.set(session, { subject, state: undefined });
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.#forgotten.delete(name);
  }

  delete(session: Session): void {
    const lesson = this.#sessions.get(session);
    if (lesson === undefined) return;
    this.#keep(session, lesson);
    this.#sessions.delete(session);
    if (this.#speakers.get(lesson.subject) === session) this.#speakers.delete(lesson.subject);
    this.#release(session.name);
  }

  /** The target is no device any more: what is known of it goes, and its last sessions teach nothing. */
  forget(target: string): void {
    if (this.#counts.has(target)) this.#forgotten.add(target);
    this.#kept.forget(target);
    this.#manager.forgetEngine(target);
  }

  /** The one that speaks for the subject; before any does, the one opened first. */
  find(subject: string): Session | undefined {
    const speaker = this.#speakers.get(subject);
    if (speaker !== undefined) return speaker;
    for (const [session, lesson] of this.#sessions) if (lesson.subject === subject) return session;
    return undefined;
  }

  /** Keeps what is news of a share of the sessions: those whose turn it is. */
  keepNext(share: number): void {
    for (let left = Math.ceil(this.#sessions.size * share); left > 0; left--) {
      let next = this.#rest.next();
      if (next.done) {
        this.#rest = this.#sessions.entries();
        next = this.#rest.next();
      }
      if (!next.done) this.#keep(...next.value);
    }
  }

  #release(target: string): void {
    const left = this.#counts.get(target)! - 1;
    if (left > 0) {
      this.#counts.set(target, left);
      return;
    }
    this.#counts.delete(target);
    // A last reply may have confirmed its engine once more.
    if (this.#forgotten.delete(target)) this.#manager.forgetEngine(target);
  }

  #keep(session: Session, lesson: Lesson): void {
    if (!session.hasLearned || this.#forgotten.has(session.name)) return;
    const { subject } = lesson;
    const speaker = this.#speakers.get(subject) ?? session;
    this.#speakers.set(subject, speaker);
    if (session !== speaker) return;
    const state = session.exportLearned();
    if (!isSameLearned(lesson.state, state)) {
      lesson.state = state;
      this.#kept.keepLearned(subject, state);
    }
    this.#kept.keepEngines(this.#manager.exportEngines([session.name]));
  }
}
