import { MasterKeys } from './master-keys.ts';
import { prepareUser, type SecurityUser } from './security-user.ts';
import type { UserSettings } from './user-settings.ts';

const maxUsers = 4096;

/** Users by their content: tens of thousands of devices are asked by the same few. */
export class PreparedUsers {
  readonly #masterKeys = new MasterKeys();
  readonly #users = new Map<string, SecurityUser>();

  /** As `prepareUser`; the same user for the same settings. */
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

  /** Derives what these users will need, one key a turn of the event loop, so that `get` costs nothing. */
  prepare(users: Iterable<UserSettings>): Promise<void> {
    return this.#masterKeys.prepare(users);
  }
}
