import type { Oid } from '../../../src/index.ts';
import { isException, type SnmpSession } from '../../../src/snmp/index.ts';

export interface ReadInstances {
  /** By column: the index arcs of its instances, in the order of the replies. */
  readonly instances: ReadonlyMap<Oid, readonly string[]>;
  /** Columns that were not read to their end, and why. */
  readonly partial: ReadonlyMap<Oid, string>;
}

/** Per column. A device with 20,000 interfaces has a dozen columns that override others. */
const maxInstances = 100_000;
/** Limits how long a device that returns endless rows can delay other devices. */
const maxTableMs = 600_000;

/** Walks columns side by side and keeps only their instances. */
export async function readInstances(
  session: SnmpSession,
  columns: readonly Oid[],
  signal: AbortSignal,
  onInstance: (column: Oid) => void = () => {},
): Promise<ReadInstances> {
  const instances = new Map(columns.map((column): [Oid, string[]] => [column, []]));
  const walk = session.walk(columns, {
    signal,
    maxVarbinds: maxInstances * columns.length,
    withinMs: maxTableMs,
  });
  for await (const varbinds of walk) {
    for (const { oid, type } of varbinds) {
      if (isException(type)) continue;
      const column = columns.find((root) => oid.startsWith(root) && oid.charCodeAt(root.length) === dot);
      if (column === undefined) continue;
      instances.get(column)?.push(oid.slice(column.length + 1));
      onInstance(column);
    }
  }
  return { instances, partial: new Map(walk.outcome.partial.map(({ root, reason }) => [root, reason])) };
}

const dot = 0x2e;
