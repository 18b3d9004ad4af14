import type { Coordinator, FleetListener } from '../../../src/sharding/index.ts';
import type { CoordinatorCall, ToParent, ToWorker } from './worker-messages.ts';

interface WaitingCall {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The store of the parent, as a worker uses it. */
export class ParentCoordinator implements Coordinator {
  readonly #send: (message: ToParent) => void;
  readonly #waiting = new Map<number, WaitingCall>();
  #listener: FleetListener | undefined;
  #calls = 0;
  #isClosed = false;

  constructor(send: (message: ToParent) => void) {
    this.#send = send;
  }

  /** Takes a message of the parent. Messages about other things have no effect. */
  take(message: ToWorker): void {
    if (message.kind === 'snapshot') this.#listener?.onSnapshot(message.snapshot);
    else if (message.kind === 'change') this.#listener?.onChange(message.change);
    else if (message.kind === 'reply') {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error === undefined) waiting?.resolve(message.value);
      else waiting?.reject(new Error(message.error));
    }
  }

  readonly identify: Coordinator['identify'] = (...values) => this.#call('identify', values);
  readonly grantLease: Coordinator['grantLease'] = (...values) => this.#call('grantLease', values);
  readonly renewLease: Coordinator['renewLease'] = (...values) => this.#call('renewLease', values);
  readonly revokeLease: Coordinator['revokeLease'] = (...values) => this.#call('revokeLease', values);
  readonly register: Coordinator['register'] = (...values) => this.#call('register', values);
  readonly claim: Coordinator['claim'] = (...values) => this.#call('claim', values);
  readonly release: Coordinator['release'] = (...values) => this.#call('release', values);
  readonly saveState: Coordinator['saveState'] = (...values) => this.#call('saveState', values);
  readonly loadState: Coordinator['loadState'] = (...values) => this.#call('loadState', values);
  readonly share: Coordinator['share'] = (...values) => this.#call('share', values);
  readonly saveContent: Coordinator['saveContent'] = (...values) => this.#call('saveContent', values);
  readonly loadContent: Coordinator['loadContent'] = (...values) => this.#call('loadContent', values);

  watch(listener: FleetListener): () => void {
    this.#listener = listener;
    this.#send({ kind: 'watch' });
    return () => {
      if (this.#listener === listener) this.#listener = undefined;
    };
  }

  /** Rejects what waits for the parent, and everything after that. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listener = undefined;
    for (const { reject } of this.#waiting.values()) reject(new Error(endedText));
    this.#waiting.clear();
  }

  #call<Value>(method: CoordinatorCall, values: unknown[]): Promise<Value> {
    if (this.#isClosed) return Promise.reject(new Error(endedText));
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#send({ kind: 'call', id, method, values });
    });
  }
}

const endedText = 'the parent process has ended';
