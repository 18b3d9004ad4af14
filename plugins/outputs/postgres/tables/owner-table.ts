import type { Client } from 'pg';
import { type Batch, deviceKey } from '../../../../src/index.ts';
import { ownerSilentMs } from '../../../../src/sharding/index.ts';
import { inTransaction } from '../in-transaction.ts';

interface OwnerRow {
  readonly ip: string;
  readonly port: number;
  readonly epoch: string;
  readonly since_ms: string;
}

/** The newest epoch of a device in a group, and the times of its readings. */
interface OwnReadings {
  readonly ip: string;
  readonly port: number;
  readonly epoch: number;
  fromMs: number;
  toMs: number;
}

/** The last reading is written again after this time only. */
const noteEveryMs = 60_000;

/**
 * In a cluster: which collector asks a device, in a table that all collectors share. A former owner may still deliver what it has read
 * before the change, but nothing newer. One per connection.
 */
export class OwnerTable {
  readonly #client: Client;
  readonly #schema: string;
  readonly #path: string;
  #isThere = false;

  constructor(client: Client, schema: string) {
    this.#client = client;
    this.#schema = client.escapeIdentifier(schema);
    this.#path = `${this.#schema}.waywiser_owners`;
  }

  /** Do not call it in a transaction. */
  async prepare(batches: readonly Batch[]): Promise<void> {
    if (this.#isThere || batches.every(({ epoch }) => epoch === undefined)) return;
    await inTransaction(this.#client, async () => {
      await this.#client.query(`SELECT pg_advisory_xact_lock(hashtext('waywiser tables'))`);
      const { rows } = await this.#client.query('SELECT to_regclass($1) AS found', [this.#path]);
      if (rows[0].found !== null) return;
      await this.#client.query(
        `CREATE TABLE ${this.#path} (ip text, port integer, epoch bigint NOT NULL, since_ms bigint NOT NULL, last_ms bigint NOT NULL, PRIMARY KEY (ip, port))`,
      );
      const meaning =
        'which collector of the cluster asks a device: the epoch of its claim, and its first and last reading';
      await this.#client.query(`COMMENT ON TABLE ${this.#path} IS '${meaning}'`);
    });
    this.#isThere = true;
  }

  /** Returns the batches that a former owner read too late. Call it in the transaction that writes the others: it locks their devices. */
  async findFenced(batches: readonly Batch[]): Promise<readonly Batch[]> {
    const newest = new Map<string, OwnReadings>();
    for (const { device, epoch, timeMs } of batches) {
      if (epoch === undefined) continue;
      const known = newest.get(deviceKey(device));
      if (known === undefined || epoch > known.epoch)
        newest.set(deviceKey(device), {
          ip: device.ip,
          port: device.port,
          epoch,
          fromMs: timeMs,
          toMs: timeMs,
        });
      else if (epoch === known.epoch) {
        known.fromMs = Math.min(known.fromMs, timeMs);
        known.toMs = Math.max(known.toMs, timeMs);
      }
    }
    if (newest.size === 0) return [];
    // Two collectors that lock the same devices do so in the same order.
    const owners = [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, readings]) => readings);
    const columns = [
      owners.map(({ ip }) => ip),
      owners.map(({ port }) => port),
      owners.map(({ epoch }) => epoch),
      owners.map(({ fromMs }) => Math.round(fromMs)),
      owners.map(({ toMs }) => Math.round(toMs)),
    ];
    const given =
      'unnest($1::text[], $2::integer[], $3::bigint[], $4::bigint[], $5::bigint[]) AS given (ip, port, epoch, since_ms, last_ms)';
    await this.#client.query(
      `INSERT INTO ${this.#path} AS known SELECT * FROM ${given} ON CONFLICT (ip, port) DO UPDATE SET
         epoch = excluded.epoch, last_ms = excluded.last_ms,
         since_ms = CASE WHEN known.epoch = excluded.epoch THEN known.since_ms ELSE excluded.since_ms END
       WHERE known.epoch < excluded.epoch
         OR (known.epoch = excluded.epoch AND known.last_ms + ${noteEveryMs} < excluded.last_ms)
         OR known.last_ms + ${ownerSilentMs} < excluded.since_ms`,
      columns,
    );
    const { rows } = await this.#client.query<OwnerRow>(
      `SELECT ip, port, known.epoch, known.since_ms FROM ${this.#path} known JOIN ${given} USING (ip, port)`,
      columns,
    );
    const current = new Map(rows.map((row) => [deviceKey(row), row]));
    return batches.filter(({ device, epoch, timeMs }) => {
      const owner = current.get(deviceKey(device));
      if (epoch === undefined || owner === undefined) return false;
      return epoch < Number(owner.epoch) && timeMs >= Number(owner.since_ms);
    });
  }
}
