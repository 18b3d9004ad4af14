import { setImmediate } from 'node:timers/promises';
import { type AuthProtocol, authProtocols } from '../../../model/v3-protocols.ts';
import { deriveMasterKey } from '../crypto/key-derivation.ts';
import type { UserSettings } from './user-settings.ts';

/** Derives each master key once: a digest over a mebibyte per device would be too slow when devices share a passphrase. */
export class MasterKeys {
  readonly #keys = new Map<string, Buffer>();
  readonly #maxKeys: number;

  constructor(maxKeys = 4096) {
    this.#maxKeys = maxKeys;
  }

  get(auth: AuthProtocol, passphrase: string): Buffer {
    const name = `${auth.hash} ${passphrase}`;
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = deriveMasterKey(auth, Buffer.from(passphrase));
    if (this.#keys.size >= this.#maxKeys) this.#keys.delete(this.#keys.keys().next().value!);
    this.#keys.set(name, key);
    return key;
  }

  /** Derives these users' keys in advance, one key per turn of the event loop, so that `get` is fast. */
  async prepare(users: Iterable<UserSettings>): Promise<void> {
    for (const { authProtocol, authPassphrase, privPassphrase } of users) {
      if (authProtocol === undefined) continue;
      for (const passphrase of [authPassphrase, privPassphrase]) {
        if (!passphrase || this.#keys.has(`${authProtocols[authProtocol].hash} ${passphrase}`)) continue;
        this.get(authProtocols[authProtocol], passphrase);
        await setImmediate();
      }
    }
  }
}
