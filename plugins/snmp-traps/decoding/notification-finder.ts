import type { CompiledDefinitions, CompiledNotification } from '../../../src/definitions/index.ts';
import type { Oid } from '../../../src/index.ts';
import { listTrapOids } from '../../../src/snmp/index.ts';

/** Finds the definition of a notification by its OID. */
export class NotificationFinder {
  readonly #byOid = new Map<Oid, CompiledNotification>();
  readonly #byPrefix = new Map<Oid, CompiledNotification>();

  constructor({ notifications }: Pick<CompiledDefinitions, 'notifications'>) {
    for (const notification of notifications.values()) {
      (notification.isPrefix ? this.#byPrefix : this.#byOid).set(notification.oid, notification);
    }
  }

  /** Its own OID first, then the one that agents use instead, then the longest `.*`. */
  find(oid: Oid): CompiledNotification | undefined {
    const [own, other] = listTrapOids(oid);
    return this.#byOid.get(own) ?? this.#byOid.get(other) ?? this.#findPrefix(own);
  }

  #findPrefix(oid: Oid): CompiledNotification | undefined {
    if (this.#byPrefix.size === 0) return undefined;
    for (let end = oid.lastIndexOf('.'); end > 0; end = oid.lastIndexOf('.', end - 1)) {
      const found = this.#byPrefix.get(oid.slice(0, end));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
