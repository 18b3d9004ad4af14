import type { Member } from './coordinator.ts';
import { chooseOwners } from './shard.ts';

/** The members that live, as the store reports them, and whom the hash chooses among them. */
export class LivingMembers {
  readonly #own: Member;
  readonly #members: ReadonlyMap<string, Member>;
  #names: ReadonlySet<string> = new Set();
  /** By shard. */
  owners: readonly (string | undefined)[] = chooseOwners([]);
  /** The members as they were last seen under a lease of this process; undefined before the first. */
  peers: ReadonlyMap<string, Member> | undefined = undefined;

  /** `members` changes with the reports of the store. */
  constructor(own: Member, members: ReadonlyMap<string, Member>) {
    this.#own = own;
    this.#members = members;
  }

  /** Chooses the owners again. Returns the names that are new, and those that are gone. */
  update(): { readonly joined: readonly string[]; readonly left: readonly string[] } {
    const names = new Set(this.#members.keys());
    const joined = [...names].filter((name) => !this.#names.has(name));
    const left = [...this.#names].filter((name) => !names.has(name));
    this.#names = names;
    this.owners = chooseOwners(this.#members.values());
    return { joined, left };
  }

  /** Whether this member is listed as it is, while it has a lease. Somebody may have removed its entry by hand: then nobody counts on it any more. */
  isListed(): boolean {
    const { name, weight } = this.#own;
    const isListed = this.#members.get(name)?.weight === weight;
    // The entries of all members may be gone: then those count that were known.
    if (this.#members.has(name)) this.peers = new Map(this.#members);
    return isListed;
  }
}
