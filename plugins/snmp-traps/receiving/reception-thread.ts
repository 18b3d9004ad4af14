import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../src/pipeline/index.ts';
import type {
  EngineState,
  ListenAddress,
  NotificationRights,
  ReceiverUser,
  Verdict,
} from '../../../src/snmp/index.ts';
import { Reception, type ReceptionReport, type ReceptionSettings } from './reception.ts';
import type { Wire } from './wire-form.ts';

/** What the main thread asks of the thread. */
export type ToReception =
  | { readonly type: 'begin' }
  | { readonly type: 'rights'; readonly rights: NotificationRights }
  | { readonly type: 'users'; readonly users: readonly ReceiverUser[] }
  | { readonly type: 'engines'; readonly states: readonly EngineState[] }
  | { readonly type: 'settle'; readonly verdicts: readonly Verdict[] }
  | { readonly type: 'report' }
  | { readonly type: 'close' };

export type FromReception =
  | { readonly type: 'opened'; readonly addresses: readonly ListenAddress[] }
  | { readonly type: 'refused'; readonly error: Readonly<Record<string, unknown>> }
  | { readonly type: 'group'; readonly wire: Wire }
  | { readonly type: 'report'; readonly report: ReceptionReport };

/** The part of a reception that the main thread uses, wherever it runs. */
export interface Receiving
  extends Pick<
    Reception,
    'addresses' | 'begin' | 'setRights' | 'setUsers' | 'updateEngines' | 'settle' | 'report'
  > {
  close(): void | Promise<void>;
}

export interface ReceivingParts {
  readonly settings: ReceptionSettings;
  readonly threads: number;
  /** The thread has ended on its own: nothing is received any more. */
  onFailure(error: Error): void;
}

/** Rejects with the system's error when a listener cannot be opened. */
export async function openReceiving({ settings, threads, onFailure }: ReceivingParts): Promise<Receiving> {
  if (threads === 0) return Reception.open(settings);
  const url = import.meta.url.replace(/reception-thread(\.\w+)$/, 'reception-worker$1');
  const worker = startThread(url, { name: 'snmp-traps', workerData: settings });
  const client = new ThreadClient(worker, onFailure);
  await client.opened;
  return client;
}

class ThreadClient implements Receiving {
  readonly #worker: Worker;
  readonly #reports: ((report: ReceptionReport) => void)[] = [];
  readonly opened: Promise<void>;
  #addresses: readonly ListenAddress[] = [];
  #onGroup: ((wire: Wire) => void) | undefined;
  #isClosed = false;

  constructor(worker: Worker, onFailure: (error: Error) => void) {
    this.#worker = worker;
    this.opened = new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        reject(error);
        if (!this.#isClosed) onFailure(error);
      };
      worker.on('message', (message: FromReception) => {
        switch (message.type) {
          case 'opened':
            this.#addresses = message.addresses;
            return resolve();
          case 'refused':
            this.#isClosed = true;
            return reject(Object.assign(new Error(String(message.error['message'])), message.error));
          case 'group':
            if (!this.#isClosed) this.#onGroup?.(message.wire);
            return;
          case 'report':
            this.#reports.shift()?.(message.report);
        }
      });
      worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
      worker.on('exit', (code) => fail(new Error(`the thread ended with code ${code}`)));
    });
    // A start that fails reports it to the caller of `openReceiving`.
    this.opened.catch(() => {});
  }

  get addresses(): readonly ListenAddress[] {
    return this.#addresses;
  }

  begin(onGroup: (wire: Wire) => void): void {
    this.#onGroup = onGroup;
    this.#post({ type: 'begin' });
  }

  setRights(rights: NotificationRights): void {
    this.#post({ type: 'rights', rights });
  }

  setUsers(users: readonly ReceiverUser[]): void {
    this.#post({ type: 'users', users });
  }

  updateEngines(states: readonly EngineState[]): void {
    this.#post({ type: 'engines', states });
  }

  settle(verdicts: readonly Verdict[]): void {
    this.#post({ type: 'settle', verdicts });
  }

  report(): Promise<ReceptionReport> {
    return new Promise((resolve) => {
      this.#reports.push(resolve);
      this.#post({ type: 'report' });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker.terminate();
  }

  #post(message: ToReception): void {
    this.#worker.postMessage(message);
  }
}
