import { explainError, type ObjectInventory, type Oid } from '../../../src/index.ts';
import type { CompiledObject } from '../../../src/internal.ts';
import { isException, type SnmpSession, type Varbind } from '../../../src/snmp/index.ts';
import { readInstances } from './instance-reader.ts';
import { isTimeout } from './reach-device.ts';

export interface SurveyOptions {
  readonly signal: AbortSignal;
  /** The previous inventory. It stays in use for a table whose walk fails. */
  readonly known?: ReadonlyMap<string, ObjectInventory> | undefined;
  /** Called for each reply, with the number of finished objects and of instances found. */
  readonly onProgress?: (objects: number, instances: number) => void;
}

export interface Survey {
  readonly objects: ReadonlyMap<string, ObjectInventory>;
  /** Why the survey ended early; undefined when every object was read. */
  readonly brokeOff: unknown;
}

/** Tables that are walked at the same time. The session limits the requests per device. */
const concurrentTables = 2;
/** After this number of consecutive tables without a reply, the survey ends, unless the device answers for its uptime. */
const maxSilentTables = 2;
/** Of a device that is alive, this many tables may stay without a reply. The rest keeps its previous inventory. */
const maxUnansweredTables = 8;
const sysUpTime = '1.3.6.1.2.1.1.3.0';

/** Finds the instances of these objects on a device, and the overriding attributes of each instance. */
export async function surveyObjects(
  session: SnmpSession,
  objects: readonly CompiledObject[],
  options: SurveyOptions,
): Promise<Survey> {
  const found = new Map<string, ObjectInventory>();
  const scalars = objects.filter(({ index }) => index.length === 0);
  const tables = groupByRecord(objects.filter(({ index }) => index.length > 0));
  let instances = 0;
  const onInstances = (count: number) => {
    instances += count;
    options.onProgress?.(found.size, instances);
  };
  for (const [id, inventory] of await surveyScalars(session, scalars, options)) {
    found.set(id, inventory);
    onInstances(inventory.instances.length);
  }

  let next = 0;
  let silent = 0;
  let unanswered = 0;
  let brokeOff: unknown;
  const keepRest = (error: unknown) => {
    for (const object of tables.slice(next).flat())
      found.set(object.id, keepKnown(object, options.known, explainError(error)));
    next = tables.length;
  };
  const work = async (): Promise<void> => {
    while (next < tables.length && brokeOff === undefined) {
      const table = tables[next++]!;
      try {
        const survey = await surveyTable(session, table, options.signal, onInstances);
        for (const [id, inventory] of survey) found.set(id, inventory);
        silent = 0;
      } catch (error) {
        options.signal.throwIfAborted();
        for (const object of table)
          found.set(object.id, keepKnown(object, options.known, explainError(error)));
        unanswered++;
        if (++silent >= Math.min(maxSilentTables, tables.length)) {
          if (await isAlive(session, options.signal)) silent = 0;
          else brokeOff = error;
        }
        if (unanswered >= maxUnansweredTables) keepRest(error);
      }
      onInstances(0);
    }
  };
  await Promise.all(Array.from({ length: concurrentTables }, work));
  return { objects: inOrder(objects, found), brokeOff };
}

async function isAlive(session: SnmpSession, signal: AbortSignal): Promise<boolean> {
  try {
    await session.get([sysUpTime], { signal });
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** A scalar object exists when one of its attributes exists. */
async function surveyScalars(
  session: SnmpSession,
  objects: readonly CompiledObject[],
  { signal }: SurveyOptions,
): Promise<Map<string, ObjectInventory>> {
  const columns = objects.flatMap(({ attributes }) =>
    [...attributes.values()].map(({ column }) => `${column}.0`),
  );
  const varbinds = columns.length === 0 ? [] : await readScalars(session, columns, signal);
  const present = new Set(varbinds.filter(({ type }) => !isException(type)).map(({ oid }) => oid));
  return new Map(
    objects.map((object) => {
      const attributes = [...object.attributes.values()];
      const isThere = attributes.some(({ column }) => present.has(`${column}.0`));
      const overriding = attributes.filter(({ overrides }) => overrides.length > 0);
      return [
        object.id,
        {
          hash: object.hash,
          instances: isThere ? ['0'] : [],
          overriding: Object.fromEntries(
            overriding.map(({ name, column }) => [name, present.has(`${column}.0`) ? (true as const) : []]),
          ),
        },
      ];
    }),
  );
}

async function readScalars(
  session: SnmpSession,
  oids: readonly Oid[],
  signal: AbortSignal,
): Promise<Varbind[]> {
  try {
    return await session.get(oids, { signal });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return readAround(session, oids, signal, error);
  }
}

/**
 * Some agents do not answer a request that contains a certain OID. Finds what they answer among OIDs of which a request got no reply;
 * rejects when both halves get none.
 */
async function readAround(
  session: SnmpSession,
  oids: readonly Oid[],
  signal: AbortSignal,
  reason: unknown,
): Promise<Varbind[]> {
  if (oids.length === 1) return [];
  const middle = oids.length >> 1;
  const halves = [oids.slice(0, middle), oids.slice(middle)];
  const answers = await Promise.allSettled(halves.map((half) => session.get(half, { signal })));
  if (answers.every(({ status }) => status === 'rejected')) throw reason;
  const parts = answers.map((answer, i) =>
    answer.status === 'fulfilled' ? answer.value : readAround(session, halves[i]!, signal, reason),
  );
  return (await Promise.all(parts)).flat();
}

/** Objects of one record share their rows, so their discovery and overriding columns are walked side by side. */
async function surveyTable(
  session: SnmpSession,
  table: readonly CompiledObject[],
  signal: AbortSignal,
  onInstances: (count: number) => void,
): Promise<Map<string, ObjectInventory>> {
  const wanted = table.map((object) => ({ object, columns: columnsOf(object) }));
  const roots = [...new Set(wanted.flatMap(({ columns }) => [...columns.values()]))];
  const rowColumns = new Set(table.map(discoveryColumnOf));
  const { instances, partial } = await readInstances(session, roots, signal, (column) => {
    if (rowColumns.has(column)) onInstances(1);
  });
  return new Map(
    wanted.map(({ object, columns }) => {
      const discovery = discoveryColumnOf(object);
      const rows = instances.get(discovery) ?? [];
      const overriding = [...columns]
        .filter(([name]) => (object.attributes.get(name)?.overrides.length ?? 0) > 0)
        .map(([name, column]) => [name, positionsIn(rows, instances.get(column) ?? [])] as const);
      const why =
        partial.get(discovery) ?? [...columns.values()].flatMap((column) => partial.get(column) ?? [])[0];
      return [
        object.id,
        {
          hash: object.hash,
          instances: rows,
          overriding: Object.fromEntries(overriding),
          ...(why === undefined ? {} : { partial: why }),
        },
      ];
    }),
  );
}

function discoveryColumnOf({ attributes, discoveryAttribute = '' }: CompiledObject): string {
  return attributes.get(discoveryAttribute)?.column ?? '';
}

/** The columns to walk, by attribute: the discovery attribute, and attributes that override others. */
function columnsOf({ attributes, discoveryAttribute }: CompiledObject): Map<string, string> {
  const columns = new Map<string, string>();
  for (const { name, column, overrides } of attributes.values()) {
    if (name === discoveryAttribute || overrides.length > 0) columns.set(name, column);
  }
  return columns;
}

/** The positions of the given instances in `rows`; true when they are all of them. */
function positionsIn(rows: readonly string[], instances: readonly string[]): true | readonly number[] {
  const present = new Set(instances);
  const positions = rows.flatMap((row, position) => (present.has(row) ? [position] : []));
  return positions.length === rows.length ? true : positions;
}

function keepKnown(object: CompiledObject, known: SurveyOptions['known'], partial: string): ObjectInventory {
  const { instances = [], overriding = {} } = known?.get(object.id) ?? {};
  return { hash: object.hash, instances, overriding, partial };
}

function groupByRecord(objects: readonly CompiledObject[]): readonly (readonly CompiledObject[])[] {
  const byRecord = new Map<string, CompiledObject[]>();
  for (const object of objects) {
    const group = byRecord.get(object.record);
    if (group === undefined) byRecord.set(object.record, [object]);
    else group.push(object);
  }
  return [...byRecord.values()];
}

function inOrder(objects: readonly CompiledObject[], found: ReadonlyMap<string, ObjectInventory>) {
  return new Map(
    objects.flatMap(({ id }) => {
      const inventory = found.get(id);
      return inventory === undefined ? [] : [[id, inventory] as const];
    }),
  );
}
