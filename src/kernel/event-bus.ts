import { TypedEmitter } from 'tiny-typed-emitter';
import type { EventMap, EventName } from '../model/event-map.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { Logger } from './logger.ts';

/** The typed bus as a plugin sees it. Events are facts in the past tense. */
export interface EventBus {
  /** Adds a listener and returns how to remove it. A listener that throws or rejects is counted and logged. */
  on<Name extends EventName>(name: Name, listener: EventListener<Name>): () => void;
  /**
   * Delivers the event to every listener before it returns. Inside a listener the event waits until those emitted before it
   * have reached all their listeners; the outermost `emit` delivers it. The payload is frozen, with everything in it: all listeners
   * receive the same object.
   */
  emit<Name extends EventName>(name: Name, payload: EventMap[Name]): void;
}

/** Called once per event. A promise is not waited for; one that rejects counts as a failure. */
export type EventListener<Name extends EventName> = (payload: EventMap[Name]) => void | Promise<void>;

interface WaitingEvent {
  readonly name: EventName;
  readonly payload: unknown;
  /** How many events led to this one. */
  readonly depth: number;
}

/** Far more events than any chain of causes needs; listeners that cause each other without end reach it. */
const maxDepth = 1_000;

/** The bus of a collector. Each plugin gets a view of its own, so that its failures are counted under its name. */
export class EventExchange {
  readonly #emitter = new TypedEmitter<Record<string, (payload: unknown) => void>>();
  readonly #failures = new Map<string, number>();
  readonly #log: Logger;
  readonly #waiting: WaitingEvent[] = [];
  #isDelivering = false;
  /** Of the event that is being delivered. */
  #depth = 0;

  constructor(log: Logger) {
    this.#log = log;
    this.#emitter.setMaxListeners(0);
  }

  /** Failures by plugin: of its listeners, and of events that it emitted in an endless chain. */
  get failures(): ReadonlyMap<string, number> {
    return this.#failures;
  }

  /**
   * The bus for one plugin. `dispose` removes its listeners, also for events that wait, and ignores those it adds later.
   * Events that the plugin emitted before are still delivered to the others.
   */
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
      emit: (name, payload) => this.emit(name, payload, plugin),
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

  emit<Name extends EventName>(name: Name, payload: EventMap[Name], plugin = 'collector'): void {
    deepFreeze(payload);
    if (this.#isDelivering) {
      this.#enqueue(name, payload, plugin);
      return;
    }
    this.#isDelivering = true;
    try {
      this.#emitter.emit(name, payload);
      if (this.#waiting.length > 0) this.#deliverWaiting();
    } finally {
      this.#isDelivering = false;
    }
  }

  #enqueue(name: EventName, payload: unknown, plugin: string): void {
    const depth = this.#depth + 1;
    if (depth <= maxDepth) {
      this.#waiting.push({ name, payload, depth });
      return;
    }
    this.#count(plugin);
    this.#log.error(
      { plugin, event: name },
      `The event was dropped: ${maxDepth} events have caused each other.`,
    );
  }

  #deliverWaiting(): void {
    let delivered = 0;
    try {
      // The iterator also reaches events that are appended meanwhile.
      for (const { name, payload, depth } of this.#waiting) {
        delivered++;
        this.#depth = depth;
        this.#emitter.emit(name, payload);
      }
    } finally {
      this.#depth = 0;
      this.#waiting.splice(0, delivered);
    }
  }

  #add<Name extends EventName>(plugin: string, name: Name, listener: EventListener<Name>): () => void {
    let isRemoved = false;
    const guarded = (payload: unknown) => {
      // Another listener may have removed this one during the same delivery.
      if (isRemoved) return;
      try {
        const pending = listener(payload as EventMap[Name]);
        if (pending !== undefined)
          Promise.resolve(pending).catch((error) => this.#reportFailure(plugin, name, error));
      } catch (error) {
        this.#reportFailure(plugin, name, error);
      }
    };
    this.#emitter.on(name, guarded);
    return () => {
      isRemoved = true;
      this.#emitter.off(name, guarded);
    };
  }

  #reportFailure(plugin: string, event: EventName, error: unknown): void {
    this.#count(plugin);
    this.#log.error({ plugin, event, error }, 'A listener failed; the others were called.');
  }

  #count(plugin: string): void {
    this.#failures.set(plugin, (this.#failures.get(plugin) ?? 0) + 1);
  }
}
