import type { EventBus } from '../../../src/index.ts';
import type { SliceTurns } from '../../../src/timing/index.ts';
import type { Receiving } from '../receiving/reception-thread.ts';
import { listRights, type RightsParts, type TrapRights } from './trap-rights.ts';

/** Changes of devices come together. */
const settleMs = 200;

type Receiver = Pick<Receiving, 'setRights' | 'setUsers'>;

export interface SenderHooks {
  /** Devices, their addresses or their engines may have changed. */
  onChange(): void;
  /** A changed secret cannot be used. Those who could send still can. */
  onFailure(error: unknown): void;
}

/** Who may send, as devices come, change and go. */
export class AllowedSenders {
  readonly #parts: RightsParts;
  readonly #slices: SliceTurns;
  readonly #hooks: SenderHooks;
  #current: TrapRights | undefined;
  #receiver: Receiver | undefined;
  #rebuild: NodeJS.Timeout | undefined;

  /** Follows the devices from now on. */
  constructor(parts: RightsParts, slices: SliceTurns, events: EventBus, hooks: SenderHooks) {
    this.#parts = parts;
    this.#slices = slices;
    this.#hooks = hooks;
    for (const event of ['device.added', 'device.changed', 'device.removed', 'discovery.completed'] as const)
      events.on(event, () => {
        hooks.onChange();
        this.renew();
      });
  }

  /** Throws TRAP_USER_INVALID and TRAP_NETWORK_INVALID. */
  async list(): Promise<TrapRights> {
    this.#current = await this.#slices.run(listRights(this.#parts));
    return this.#current;
  }

  get users(): TrapRights['users'] {
    return this.#current?.users ?? [];
  }

  /** The receiver learns of changes from now on. `known` is what it has. */
  follow(receiver: Receiver, known: TrapRights): void {
    this.#receiver = receiver;
    if (known !== this.#current) this.#pass();
  }

  close(): void {
    clearTimeout(this.#rebuild);
  }

  /** Devices or secrets have changed. */
  renew(): void {
    this.#rebuild ??= setTimeout(async () => {
      this.#rebuild = undefined;
      try {
        await this.list();
        this.#pass();
      } catch (error) {
        this.#hooks.onFailure(error);
      }
    }, settleMs);
  }

  #pass(): void {
    if (this.#current === undefined) return;
    this.#receiver?.setUsers(this.#current.users);
    this.#receiver?.setRights(this.#current.rights);
  }
}
