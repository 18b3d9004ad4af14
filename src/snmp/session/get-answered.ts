import type { Oid } from '../../model/oid.ts';
import type { Varbind } from '../codec/snmp-value.ts';
import { SnmpError } from '../snmp-error.ts';
import type { RequestOptions, SnmpSession } from './snmp-session.ts';

/** A column and the OIDs that are read of it. A scalar is a column with one OID: its own. */
export interface AskedColumn {
  readonly column: Oid;
  readonly oids: readonly Oid[];
}

export interface GetAnsweredOptions extends RequestOptions {
  /** An OID that the device has answered before: it shows whether the device is still alive. sysUpTime by default. */
  readonly aliveOid?: Oid | undefined;
}

/** Requests without an answer that one call waits for. */
const maxWaits = 8;
/** When this many columns of a group stay without an answer and none has one, the others are not asked. */
const maxInVain = 2;
const sysUpTime = '1.3.6.1.2.1.1.3.0';

/**
 * Reads columns by GET with a session of either engine, and returns the varbinds that were answered. When a request is not answered, but
 * the device answers others, the groups are asked for one by one, and then the columns of those without an answer. A column
 * without an answer is left out from then on, for an hour. Rejects when the device does not answer at all.
 */
export async function getAnswered(
  session: SnmpSession,
  groups: readonly (readonly AskedColumn[])[],
  options: GetAnsweredOptions = {},
): Promise<Varbind[]> {
  const left = groups
    .map((group) => group.filter(({ column }) => session.silentUntil(column) === undefined))
    .filter((group) => group.length > 0);
  return new AnsweredRead(session, options).read(left);
}

class AnsweredRead {
  readonly #session: SnmpSession;
  readonly #signal: AbortSignal | undefined;
  readonly #found: Varbind[] = [];
  #aliveOid: Oid;
  #waits = 0;

  constructor(session: SnmpSession, { signal, aliveOid = sysUpTime }: GetAnsweredOptions) {
    this.#session = session;
    this.#signal = signal;
    this.#aliveOid = aliveOid;
  }

  async read(groups: readonly (readonly AskedColumn[])[]): Promise<Varbind[]> {
    if (groups.length === 0 || (await this.#get(groups.flat()))) return this.#found;
    for (const group of groups) {
      // A single group was just asked for.
      if (groups.length > 1 && (await this.#get(group))) continue;
      if (this.#waits >= maxWaits) break;
      await this.#readEach(group);
    }
    return this.#found;
  }

  async #readEach(group: readonly AskedColumn[]): Promise<void> {
    let inVain = 0;
    let isAnswered = false;
    for (const asked of group) {
      if (this.#waits >= maxWaits) return;
      if (group.length > 1 && (await this.#get([asked]))) {
        isAnswered = true;
        continue;
      }
      this.#session.learnSilence(asked.column);
      if (++inVain < maxInVain || isAnswered) continue;
      for (const { column } of group) this.#session.learnSilence(column);
      return;
    }
  }

  /** False when the device does not answer this request, but another one. */
  async #get(columns: readonly AskedColumn[]): Promise<boolean> {
    const oids = columns.flatMap((asked) => asked.oids);
    try {
      this.#found.push(...(await this.#session.get(oids, { signal: this.#signal })));
      this.#aliveOid = oids[0] ?? this.#aliveOid;
      return true;
    } catch (error) {
      if (!(error instanceof SnmpError) || error.code !== 'SNMP_TIMEOUT') throw error;
      this.#waits++;
      await this.#assertAlive(error);
      return false;
    }
  }

  async #assertAlive(reason: SnmpError): Promise<void> {
    try {
      await this.#session.get([this.#aliveOid], { signal: this.#signal });
    } catch {
      this.#signal?.throwIfAborted();
      throw reason;
    }
  }
}
