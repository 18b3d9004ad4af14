import type { Coordinator, Member, MemoryStore } from '../../../src/sharding/index.ts';
import type { CoordinatorCall, ToParent, ToWorker } from './worker-messages.ts';

export interface ServedStore {
  /** Takes a message of the worker. Messages about other things have no effect. */
  take(message: ToParent): void;
  /** When the worker asked for something about its lease last, in milliseconds of `performance.now()`. */
  readonly renewedMs: number | undefined;
  /** Ends everything that the worker holds: others may claim its shards at once. */
  end(): void;
}

interface ServeParts {
  readonly store: MemoryStore;
  send(message: ToWorker): void;
  /** Where the others reach the worker. */
  address(): string | undefined;
  /** Resolves when the workers that begin together are registered, so that none of them claims the shards of all. */
  allRegistered(): Promise<void>;
}

/** Answers the requests of one worker to the store. */
export function serveStore({ store, send, address, allRegistered }: ServeParts): ServedStore {
  const connection = store.connect();
  const leases = new Set<string>();
  let renewedMs: number | undefined;

  const calls: Pick<Coordinator, CoordinatorCall> = {
    ...connection,
    async grantLease(leaseMs) {
      const lease = await connection.grantLease(leaseMs);
      leases.add(lease);
      renewedMs = performance.now();
      return lease;
    },
    async renewLease(lease) {
      renewedMs = performance.now();
      return connection.renewLease(lease);
    },
    async revokeLease(lease) {
      leases.delete(lease);
      renewedMs = undefined;
      await connection.revokeLease(lease);
    },
    async register(lease, member: Member) {
      const isRegistered = await connection.register(lease, { ...member, address: address() });
      await allRegistered();
      return isRegistered;
    },
  };

  return {
    get renewedMs() {
      return renewedMs;
    },
    take(message) {
      if (message.kind === 'watch')
        connection.watch({
          onSnapshot: (snapshot) => send({ kind: 'snapshot', snapshot }),
          onChange: (change) => send({ kind: 'change', change }),
        });
      else if (message.kind === 'call') {
        const { id, method, values } = message;
        const call = calls[method] as (...values: unknown[]) => Promise<unknown>;
        call(...values).then(
          (value) => send({ kind: 'reply', id, value }),
          (error: Error) => send({ kind: 'reply', id, error: error.message }),
        );
      }
    },
    end() {
      void connection.close();
      for (const lease of leases) store.end(lease);
      leases.clear();
    },
  };
}
