import type { Verdict } from '../../../src/snmp/index.ts';

export interface SettlementParts {
  /** Whether an inform is acknowledged only when the outputs have it on the disk. */
  readonly waitsForSync: boolean;
  /** Resolves to whether the outputs have on the disk what was pushed before. */
  sync(): Promise<boolean>;
  onSynced(informIds: readonly number[]): void;
  settle(verdicts: readonly Verdict[]): void;
}

/** Settles groups of notifications in the order in which they came. */
export class Settlement {
  readonly #parts: SettlementParts;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: SettlementParts) {
    this.#parts = parts;
  }

  /** `informIds`: for each verdict, the number of the inform, or 0. */
  add(verdicts: readonly Verdict[], informIds: readonly number[]): void {
    const { waitsForSync, sync, settle } = this.#parts;
    if (!waitsForSync) {
      // Later, so that a group that comes at once is settled after it was passed on.
      setImmediate(() => settle(verdicts));
      return;
    }
    const isWaiting = informIds.some((id, position) => id !== 0 && isKept(verdicts[position]!));
    const synced = isWaiting ? sync().catch(() => false) : true;
    this.#last = this.#last.then(async () => this.#settle(verdicts, informIds, await synced));
  }

  #settle(verdicts: readonly Verdict[], informIds: readonly number[], isSynced: boolean): void {
    const { onSynced, settle } = this.#parts;
    if (isSynced) {
      onSynced(informIds.filter((id, position) => id !== 0 && isKept(verdicts[position]!)));
      settle(verdicts);
      return;
    }
    // The next try of these informs goes to the outputs again.
    settle(
      verdicts.map((verdict, position) => (informIds[position] !== 0 && isKept(verdict) ? 'queue' : verdict)),
    );
  }
}

/** Repeats are only counted, but the first of them was recorded before. */
function isKept(verdict: Verdict): boolean {
  return verdict === 'accepted' || verdict === 'repeat';
}
