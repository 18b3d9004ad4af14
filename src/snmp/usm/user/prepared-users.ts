import { MasterKeys } from './master-keys.ts';
import { prepareUser, type SecurityUser } from './security-user.ts';
import type { UserSettings } from './user-settings.ts';

const maxUsers = 4096;

/** Users by their settings: a few users serve tens of thousands of devices. */
export class PreparedUsers {
  readonly #masterKeys = new MasterKeys();
  readonly #users = new Map<string, SecurityUser>();

  /** As `prepareUser`; returns the same user for the same settings. */
  get(settings: UserSettings): SecurityUser {
    const { name, authProtocol, authPassphrase, privProtocol, privPassphrase } = settings;
    const content = JSON.stringify([name, authProtocol, authPassphrase, privProtocol, privPassphrase]);
    const known = this.#users.get(content);
    if (known !== undefined) return known;
    const user = prepareUser(settings, this.#masterKeys);
    if (this.#users.size >= maxUsers) this.#users.delete(this.#users.keys().next().value!);
    this.#users.set(content, user);
    return user;
  }

  /** Derives these users' keys in advance, one key per turn of the event loop, so that `get` is fast. */
  prepare(users: Iterable<UserSettings>): Promise<void> {
    return this.#masterKeys.prepare(users);
  }
}
