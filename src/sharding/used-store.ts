import type { Member } from './coordinator.ts';
import type { OwnerListener } from './owner-settings.ts';

/** Which data of the store this member uses. */
export class UsedStore {
  #found: string | undefined = undefined;
  #isForeign = false;

  /** Undefined while this member uses none. */
  get identity(): string | undefined {
    return this.#isForeign ? undefined : this.#found;
  }

  /** Asks whether the data that was found may be used. `onOther` is called first when it is not the data that was found before. */
  async judge(
    found: string,
    peers: ReadonlyMap<string, Member> | undefined,
    listener: Pick<OwnerListener, 'mayUse'>,
    onOther: () => void,
  ): Promise<true | string> {
    const before = this.#found;
    if (before !== found) {
      // Nobody reads or writes these data before the verdict.
      this.#isForeign = true;
      this.#found = found;
      if (before !== undefined) onOther();
    }
    const verdict = await listener.mayUse(found, peers);
    this.#isForeign = verdict !== true;
    return verdict === false ? 'the store has other data than before' : verdict;
  }
}
