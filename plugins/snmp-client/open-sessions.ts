import type { LearnedState, Manager, Session } from '../../src/snmp/index.ts';
import type { SavedState } from './saved-state.ts';
import { isSameLearned } from './state-difference.ts';

/** An open session's place in the saved state. */
interface SessionRecord {
  /** Its key: the device, and the context if there is one. */
  readonly subject: string;
  /** The state that it saved last. */
  state: LearnedState | undefined;
}

/**
 * The open sessions. Their state is saved in turn, so that a crash loses little of it. When several sessions have the same
 * subject, the first one that has learned something is the source of its state until it closes: otherwise the saved state
 * would alternate between them.
 */
export class OpenSessions {
  readonly #manager: Manager;
  readonly #saved: SavedState;
  readonly #sessions = new Map<Session, SessionRecord>();
  /** The open sessions of each subject, in the order in which they were opened. */
  readonly #bySubject = new Map<string, Session[]>();
  /** The session that is the source of each subject's state. */
  readonly #sources = new Map<string, Session>();
  /** The number of open sessions by target, and the targets with open sessions that are no longer devices. */
  readonly #counts = new Map<string, number>();
  readonly #forgotten = new Set<string>();
  #rest: Iterator<[Session, SessionRecord]> = this.#sessions.entries();

  constructor(manager: Manager, saved: SavedState) {
    this.#manager = manager;
    this.#saved = saved;
  }

  add(session: Session, subject: string): void {
    const { name } = session;
    this.#sessions.set(session, { subject, state: undefined });
    const alike = this.#bySubject.get(subject);
    if (alike === undefined) this.#bySubject.set(subject, [session]);
    else alike.push(session);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.#forgotten.delete(name);
  }

  delete(session: Session): void {
    const record = this.#sessions.get(session);
    if (record === undefined) return;
    this.#save(session, record);
    this.#sessions.delete(session);
    const alike = this.#bySubject.get(record.subject)!;
    alike.splice(alike.indexOf(session), 1);
    if (alike.length === 0) this.#bySubject.delete(record.subject);
    const source = this.#sources.get(record.subject);
    if (source === session) this.#sources.delete(record.subject);
    else if (source !== undefined) shareSilence(session, source);
    this.#release(session.name);
  }

  /** Forgets a target that is no longer a device. What its remaining sessions learn is not saved. */
  forget(target: string): void {
    if (this.#counts.has(target)) this.#forgotten.add(target);
    this.#saved.forget(target);
    this.#manager.forgetEngine(target);
  }

  /** The source of the subject's state; if there is none yet, the session that was opened first. */
  find(subject: string): Session | undefined {
    return this.#sources.get(subject) ?? this.#bySubject.get(subject)?.[0];
  }

  /** Saves what the open sessions of this subject have learned. */
  save(subject: string): void {
    for (const session of this.#bySubject.get(subject) ?? [])
      this.#save(session, this.#sessions.get(session)!);
  }

  /** Saves the changes of the next share of the sessions. */
  saveNext(share: number): void {
    for (let left = Math.ceil(this.#sessions.size * share); left > 0; left--) {
      let next = this.#rest.next();
      if (next.done) {
        this.#rest = this.#sessions.entries();
        next = this.#rest.next();
      }
      if (!next.done) this.#save(...next.value);
    }
  }

  #release(target: string): void {
    const left = this.#counts.get(target)! - 1;
    if (left > 0) {
      this.#counts.set(target, left);
      return;
    }
    this.#counts.delete(target);
    // A late reply may have confirmed its engine again.
    if (this.#forgotten.delete(target)) this.#manager.forgetEngine(target);
  }

  #save(session: Session, record: SessionRecord): void {
    if (!session.hasLearned || this.#forgotten.has(session.name)) return;
    const { subject } = record;
    const source = this.#sources.get(subject) ?? session;
    this.#sources.set(subject, source);
    if (session !== source) return;
    const state = session.exportLearned();
    if (!isSameLearned(record.state, state)) {
      record.state = state;
      this.#saved.saveLearned(subject, state);
    }
    this.#saved.saveEngines(this.#manager.exportEngines([session.name]));
  }
}

/** What a discovery finds unanswered, polls leave out too. */
function shareSilence(from: Session, to: Session): void {
  if (!from.hasLearned) return;
  for (const { column, untilMs } of from.exportLearned().silent ?? []) to.learnSilence(column, untilMs);
}
