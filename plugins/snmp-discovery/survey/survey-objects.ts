import type { CompiledObject } from '../../../src/definitions/index.ts';
import { explainError, type InventoryCut, type ObjectInventory, type Oid } from '../../../src/index.ts';
import { explainCut } from '../../../src/model/index.ts';
import { isException, type SnmpSession } from '../../../src/snmp/index.ts';
import { getAnswered } from '../../../src/snmp/internal.ts';
import { runInWindow, type SliceTurns } from '../../../src/timing/index.ts';
import { buildTable, countWithin, keepKnown } from './build-table.ts';
import type { DeviceBudget } from './device-budget.ts';
import { fits } from './row-filter.ts';
import { TableWalk } from './table-walk.ts';

export interface SurveyOptions {
  readonly signal: AbortSignal;
  readonly budget: DeviceBudget;
  readonly slices: SliceTurns;
  /** The share of the budget that this survey may take. */
  readonly share: number;
  /** The previous inventory. It stays in use for a table whose walk fails. */
  readonly known?: ReadonlyMap<string, ObjectInventory> | undefined;
  /** By object: a column that is known to have instances, which the discovery column may lack. */
  readonly firstColumns?: ReadonlyMap<string, Oid> | undefined;
  /** An OID that the device has answered: it shows whether the device is still alive. */
  readonly aliveOid: Oid;
  /** Called for each reply, with the number of finished objects and of instances found. */
  readonly onProgress?: (objects: number, instances: number) => void;
}

export interface Survey {
  readonly objects: ReadonlyMap<string, ObjectInventory>;
  /** Why the survey ended early; undefined when every object was asked for. */
  readonly brokeOff: unknown;
  /** The limit that was reached; undefined when the budget sufficed. */
  readonly cut: InventoryCut | undefined;
}

/** Tables that are walked at the same time. The session limits the requests per device. */
const concurrentTables = 2;
/** After this number of consecutive tables without a reply, the survey ends, unless the device answers for its uptime. */
const maxSilentTables = 2;
/** Of a device that is alive, this many tables may stay without a reply. The rest keeps its previous inventory. */
const maxUnansweredTables = 8;

/** Finds the instances of these objects on a device, and the overriding attributes of each instance. */
export function surveyObjects(
  session: SnmpSession,
  objects: readonly CompiledObject[],
  options: SurveyOptions,
): Promise<Survey> {
  return new ObjectSurvey(session, objects, options).run();
}

class ObjectSurvey {
  readonly #session: SnmpSession;
  readonly #objects: readonly CompiledObject[];
  readonly #options: SurveyOptions;
  readonly #found = new Map<string, ObjectInventory>();
  readonly #walks: readonly TableWalk[];
  /** Objects without rows because their walk failed or was not answered, and why. */
  readonly #failed: { readonly objects: readonly CompiledObject[]; readonly why: string }[] = [];
  #limit: InventoryCut['limit'] | undefined = undefined;
  readonly #cutObjects: string[] = [];
  #instances = 0;
  #silent = 0;
  #unanswered = 0;
  /** Why tables that have not begun are left out. */
  #skipsRest: string | undefined = undefined;
  #brokeOff: unknown;

  constructor(session: SnmpSession, objects: readonly CompiledObject[], options: SurveyOptions) {
    this.#session = session;
    this.#objects = objects;
    this.#options = options;
    const tables = groupByTable(objects.filter(({ index }) => index.length > 0));
    this.#walks = tables.map((table) => new TableWalk(session, table, options));
  }

  /** The share of the budget that was taken. */
  get #taken(): number {
    return this.#walks.reduce((sum, { share }) => sum + share, 0);
  }

  async run(): Promise<Survey> {
    const scalars = this.#objects.filter(({ index }) => index.length === 0);
    for (const [id, inventory] of await surveyScalars(this.#session, scalars, this.#options)) {
      this.#found.set(id, inventory);
      this.#count(inventory.instances.length);
    }
    const open = await this.#walkTables();
    await this.#cut(open);
    this.#keepKnown();
    const { budget } = this.#options;
    budget.spend(this.#taken);
    return {
      objects: inOrder(this.#objects, this.#found),
      brokeOff: this.#brokeOff,
      cut: this.#limit && { ...budget.describe(this.#limit), objects: this.#cutObjects },
    };
  }

  /**
   * Walks the tables, and returns those that did not end within the budget. All tables get equal shares, and what short tables leave is
   * shared among the others. So the result depends neither on the order of the tables nor on which one is answered first.
   */
  async #walkTables(): Promise<readonly TableWalk[]> {
    let open = this.#walks;
    for (;;) {
      const taken = this.#taken;
      const share = (this.#options.share - taken) / open.length;
      await runInWindow(open, concurrentTables, (walk) => this.#continue(walk, walk.share + share));
      const left = open.filter(({ isOver }) => !isOver);
      if (left.length === 0 || this.#brokeOff !== undefined) return left;
      // Nothing ended, and no table had room for another instance.
      if (left.length === open.length && this.#taken === taken) return left;
      open = left;
    }
  }

  async #continue(walk: TableWalk, share: number): Promise<void> {
    if (this.#brokeOff !== undefined) return;
    if (this.#skipsRest !== undefined && !walk.hasBegun) {
      this.#fail(walk, this.#skipsRest);
      return;
    }
    try {
      await walk.readTo(share, (count) => this.#count(count));
      this.#silent = 0;
      if (!walk.isOver) return;
      if (walk.isUnanswered) this.#countUnanswered('unanswered');
      await this.#keep(walk);
    } catch (error) {
      this.#options.signal.throwIfAborted();
      this.#fail(walk, explainError(error));
      this.#countUnanswered(explainError(error));
      if (++this.#silent >= Math.min(maxSilentTables, this.#walks.length)) {
        if (await isAlive(this.#session, this.#options)) this.#silent = 0;
        else this.#brokeOff = error;
      }
    }
    this.#count(0);
  }

  #countUnanswered(why: string): void {
    if (++this.#unanswered >= maxUnansweredTables) this.#skipsRest = why;
  }

  async #keep(walk: TableWalk, rows = Number.POSITIVE_INFINITY, why?: string): Promise<void> {
    const isLate = [...walk.partial.values()].includes('budget');
    if (isLate) this.#note('max_seconds', walk);
    const reason = why ?? (isLate ? explainCut(this.#options.budget.describe('max_seconds')) : undefined);
    if (isLate && walk.rows === 0) {
      this.#fail(walk, reason!);
      return;
    }
    const built = await this.#options.slices.run(buildTable(walk, rows, reason));
    for (const [id, inventory] of built) this.#found.set(id, inventory);
    const unanswered = walk.objects.filter((object) => walk.lacksRows(object));
    if (unanswered.length > 0) this.#failed.push({ objects: unanswered, why: 'unanswered' });
    walk.forget();
  }

  #fail(walk: TableWalk, why: string): void {
    this.#failed.push({ objects: walk.objects, why });
    walk.isOver = true;
    walk.share = 0;
    walk.bytes = 0;
    walk.forget();
  }

  /** The known rows of tables that failed, as far as the budget allows. */
  #keepKnown(): void {
    const { budget, share, known } = this.#options;
    const free = (share - this.#taken) / this.#failed.length;
    for (const { objects, why } of this.#failed) {
      const maxRows = Math.floor(budget.instancesIn(free) / objects.length);
      for (const [id, inventory] of keepKnown(objects, known, why, maxRows)) this.#found.set(id, inventory);
    }
  }

  /** Keeps the first rows of the tables that did not end. */
  async #cut(open: readonly TableWalk[]): Promise<void> {
    const { budget } = this.#options;
    await Promise.all(open.map((walk) => walk.stop()));
    if (this.#brokeOff !== undefined || open.length === 0) return;
    const limit = budget.findLimit(this.#walks);
    const maxBytes = budget.maxCutBytes / open.length;
    for (const walk of open) {
      this.#note(limit, walk);
      await this.#keep(walk, countWithin(walk, maxBytes), explainCut(budget.describe(limit)));
    }
  }

  #note(limit: InventoryCut['limit'], { objects }: TableWalk): void {
    this.#limit ??= limit;
    this.#cutObjects.push(...objects.map(({ id }) => id));
  }

  #count(instances: number): void {
    this.#instances += instances;
    this.#options.onProgress?.(this.#found.size, this.#instances);
  }
}

async function isAlive(session: SnmpSession, { aliveOid, signal }: SurveyOptions): Promise<boolean> {
  try {
    await session.get([aliveOid], { signal });
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
  { signal, aliveOid }: SurveyOptions,
): Promise<Map<string, ObjectInventory>> {
  const groups = objects.map(({ attributes }) =>
    Array.from(attributes.values(), ({ column }) => ({ column: `${column}.0`, oids: [`${column}.0`] })),
  );
  const varbinds = await getAnswered(session, groups, { signal, aliveOid });
  const present = new Map(
    varbinds.filter(({ type }) => !isException(type)).map(({ oid, value }) => [oid, value]),
  );
  const answered = new Set(varbinds.map(({ oid }) => oid));
  return new Map(
    objects.map((object) => {
      const attributes = [...object.attributes.values()];
      const isThere =
        attributes.some(({ column }) => present.has(`${column}.0`)) &&
        (object.rows ?? []).every((condition) => {
          const { column } = object.attributes.get(condition.attribute ?? '')!;
          return fits(condition, present.get(`${column}.0`));
        });
      const isWhole = attributes.every(({ column }) => answered.has(`${column}.0`));
      const overriding = attributes.filter(({ overrides }) => overrides.length > 0);
      return [
        object.id,
        {
          hash: object.hash,
          ...(isWhole ? {} : { partial: 'unanswered' }),
          instances: isThere ? ['0'] : [],
          overriding: Object.fromEntries(
            overriding.map(({ name, column }) => [name, present.has(`${column}.0`) ? (true as const) : []]),
          ),
        },
      ];
    }),
  );
}

/** Objects of one table share their rows. */
function groupByTable(objects: readonly CompiledObject[]): readonly (readonly CompiledObject[])[] {
  const byTable = new Map<string, CompiledObject[]>();
  for (const object of objects) {
    const group = byTable.get(object.table);
    if (group === undefined) byTable.set(object.table, [object]);
    else group.push(object);
  }
  return [...byTable.values()];
}

function inOrder(objects: readonly CompiledObject[], found: ReadonlyMap<string, ObjectInventory>) {
  return new Map(
    objects.flatMap(({ id }) => {
      const inventory = found.get(id);
      return inventory === undefined ? [] : [[id, inventory] as const];
    }),
  );
}
