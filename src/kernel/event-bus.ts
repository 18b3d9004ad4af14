import type { EventMap, EventName } from '../model/event-map.ts';

/** The typed bus as a plugin sees it: facts in the past tense, for whoever cares. */
export interface EventBus {
  /** Adds a listener and returns how to remove it. A listener that throws or rejects is counted and logged. */
  on<Name extends EventName>(name: Name, listener: EventListener<Name>): () => void;
  emit<Name extends EventName>(name: Name, payload: EventMap[Name]): void;
}

export type EventListener<Name extends EventName> = (payload: EventMap[Name]) => void | Promise<void>;
