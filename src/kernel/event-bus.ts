import { TypedEmitter } from 'tiny-typed-emitter';
import type { EventMap, EventName } from '../model/event-map.ts';
import type { Logger } from './logger.ts';

/** The typed bus as a plugin sees it: facts in the past tense, for whoever cares. */
export interface EventBus {
  /** Adds a listener and returns how to remove it. A listener that throws or rejects is counted and logged. */
  on<Name extends EventName>(name: Name, listener: EventListener<Name>): () => void;
  /** Calls every listener before it returns, whatever any of them does. */
  emit<Name extends EventName>(name: Name, payload: EventMap[Name]): void;
}

/** Called with each payload before `emit` returns. A promise is not waited for; one that rejects counts as a failure. */
export type EventListener<Name extends EventName> = (payload: EventMap[Name]) => void | Promise<void>;

/** The collector's one bus. Each plugin gets a view of its own, so that failures are put to the right name. */
export class EventExchange {
  readonly #emitter = new TypedEmitter<Record<string, (payload: unknown) => void>>();
  readonly #failures = new Map<string, number>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
    this.#emitter.setMaxListeners(0);
  }

  /** Listener failures by plugin. */
  get failures(): ReadonlyMap<string, number> {
    return this.#failures;
  }

  /** The bus for one plugin; `dispose` removes every listener that it added and lets it add no more. */
  open(plugin: string): { readonly bus: EventBus; dispose(): void } {
    const removals = new Set<() => void>();
    let isOpen = true;
    const bus: EventBus = {
      on: (name, listener) => {
        if (!isOpen) return () => {};
        const remove = this.#add(plugin, name, listener);
        removals.add(remove);
        return () => {
          removals.delete(remove);
          remove();
        };
      },
      emit: (name, payload) => this.emit(name, payload),
    };
    return {
      bus,
      dispose() {
        isOpen = false;
        for (const remove of removals) remove();
        removals.clear();
      },
    };
  }

  emit<Name extends EventName>(name: Name, payload: EventMap[Name]): void {
    this.#emitter.emit(name, payload);
  }

  #add<Name extends EventName>(plugin: string, name: Name, listener: EventListener<Name>): () => void {
    const guarded = (payload: unknown) => {
      try {
        const pending = listener(payload as EventMap[Name]);
        if (pending !== undefined)
          Promise.resolve(pending).catch((error) => this.#count(plugin, name, error));
      } catch (error) {
        this.#count(plugin, name, error);
      }
    };
    this.#emitter.on(name, guarded);
    return () => {
      this.#emitter.off(name, guarded);
    };
  }

  #count(plugin: string, event: EventName, error: unknown): void {
    this.#failures.set(plugin, (this.#failures.get(plugin) ?? 0) + 1);
    this.#log.error({ plugin, event, error }, 'A listener failed; the others were called.');
  }
}
