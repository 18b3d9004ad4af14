import {
  type AutoCatalog,
  type CompiledObject,
  chooseObjects,
  enterpriseOf,
  leftOutText,
  type ObjectWish,
  type PresenceSearch,
  rootCandidate,
  rootOf,
} from '../../../src/definitions/index.ts';
import type { AutoInventory, Inventory, ObjectInventory, Oid } from '../../../src/index.ts';
import type { SnmpSession } from '../../../src/snmp/index.ts';
import { type SearchOptions, searchDevice } from './search-device.ts';

export interface FindOptions extends SearchOptions {
  readonly wish: ObjectWish;
  readonly catalog: AutoCatalog;
  readonly sysObjectId: Oid | undefined;
  /** Objects of the previous inventory. They stay where the device does not answer the search for them. */
  readonly known: Inventory['objects'] | undefined;
  /** When only definitions have changed: what the device answered before, and the objects that it may have beside those. */
  readonly before?: { readonly auto: AutoInventory; readonly newObjects: ReadonlySet<string> } | undefined;
}

/** What a device has of the objects that its groups ask for. */
export interface FoundObjects {
  readonly roots: readonly Oid[];
  /** By id: the first column of an object that has an instance, where the search found one. */
  readonly firstColumns: ReadonlyMap<string, Oid>;
  /** Chooses what to collect, given the objects that turned out to have no row. Those replace no other object. */
  choose(empty: ReadonlySet<string>): FoundChoice;
}

export interface FoundChoice {
  /** To be surveyed, in file order. */
  readonly objects: readonly CompiledObject[];
  readonly leftOut: Readonly<Record<string, string>>;
  /** Roots below which not everything could be asked for. */
  readonly silentRoots: readonly Oid[];
}

/** Asks a device for the roots of its groups' objects, and below those that it answers for the objects. */
export async function findObjects(session: SnmpSession, options: FindOptions): Promise<FoundObjects> {
  const { wish, catalog, known, before } = options;
  const wanted = [...catalog.wanted(wish)];
  const { roots, isOpen, silent, search: earlier } = await findRoots(session, wanted, options);
  const isBelow = (object: CompiledObject) => catalog.rootsOf(object).some((root) => isOpen.has(root));
  const asked = wanted.filter(
    (object) => (before === undefined || before.newObjects.has(object.id)) && isBelow(object),
  );
  const search = await searchDevice(
    session,
    asked.map((object) => catalog.candidateOf(object)),
    options,
    earlier,
  );
  const isAsked = new Set(asked.map(({ id }) => id));
  const answers = (id: string): boolean => {
    if (search.present.has(id)) return true;
    const isKnown = hasRows(known?.get(id)) || hasAnswered(before?.auto.leftOut[id]);
    return isKnown && (search.unknown.has(id) || (before !== undefined && !isAsked.has(id)));
  };
  const choose = (empty: ReadonlySet<string>): FoundChoice => {
    const { chosen, replaced } = chooseObjects(wanted, wish, (id) => !empty.has(id) && answers(id));
    const leftOut: Record<string, string> = {};
    const silentRoots = new Set(silent);
    let silentObjects = 0;
    for (const object of wanted) {
      const { id } = object;
      const by = replaced.get(id);
      const earlier = before?.auto.leftOut[id];
      if (by !== undefined) leftOut[id] = leftOutText({ why: 'replaced', by });
      else if (empty.has(id)) leftOut[id] = 'no_rows';
      else if (answers(id)) continue;
      else if (!isAsked.has(id) && earlier !== undefined) leftOut[id] = earlier;
      else if (!search.unknown.has(id)) continue;
      else if (silentObjects++ < maxSilentObjects) leftOut[id] = 'silent';
      else for (const root of catalog.rootsOf(object)) silentRoots.add(root);
    }
    return { objects: chosen, leftOut, silentRoots: [...silentRoots].sort() };
  };
  return { roots, firstColumns: search.present, choose };
}

/** Objects that are kept with the reason that nothing can be said about them. Of more, their roots are kept. */
const maxSilentObjects = 100;

/** Whether a device has an object although it was left out. */
function hasAnswered(leftOut: string | undefined): boolean {
  return leftOut !== undefined && leftOut !== 'silent' && leftOut !== 'no_rows';
}

interface FoundRoots {
  readonly roots: readonly Oid[];
  /** The roots below which objects are asked for. */
  readonly isOpen: ReadonlySet<Oid>;
  /** The roots that the device did not answer for. */
  readonly silent: readonly Oid[];
  /** Undefined where nothing was asked for. */
  readonly search?: PresenceSearch;
}

async function findRoots(
  session: SnmpSession,
  wanted: readonly CompiledObject[],
  options: FindOptions,
): Promise<FoundRoots> {
  const { catalog, before, known } = options;
  if (before !== undefined) {
    const { roots, silentRoots = [] } = before.auto;
    return { roots, isOpen: new Set(roots), silent: silentRoots };
  }
  const needed = new Set(wanted.flatMap((object) => catalog.rootsOf(object)));
  const enterprise = enterpriseOf(options.sysObjectId);
  if (enterprise !== undefined) needed.add(enterprise);
  const search = await searchDevice(session, Array.from(needed, rootCandidate), options);
  const present = new Set([...search.present.keys(), ...Array.from(search.seen.values(), rootOf)]);
  await addFurther(session, present, options);
  const isOpen = new Set(present);
  for (const object of wanted) {
    if (!hasRows(known?.get(object.id))) continue;
    for (const root of catalog.rootsOf(object)) if (search.unknown.has(root)) isOpen.add(root);
  }
  const silent = [...search.unknown].filter((root) => !isOpen.has(root));
  return { roots: [...present].sort(), isOpen, silent, search };
}

/** Rounds in which roots that no definition names are looked for behind those that are known. */
const furtherRounds = 3;

/** Adds roots that no definition names: what follows a root that the device answers. A report tells them. */
async function addFurther(session: SnmpSession, present: Set<Oid>, options: SearchOptions): Promise<void> {
  const isAsked = new Set<Oid>();
  for (let round = 0; round < furtherRounds; round++) {
    const next = [...present].map(nextRoot).filter((root) => !isAsked.has(root) && !present.has(root));
    if (next.length === 0) return;
    for (const root of next) isAsked.add(root);
    const { seen } = await searchDevice(session, next.map(rootCandidate), options);
    for (const oid of seen.values()) present.add(rootOf(oid));
  }
}

/** The root with the next number. */
function nextRoot(root: Oid): Oid {
  const dot = root.lastIndexOf('.');
  return `${root.slice(0, dot)}.${Number(root.slice(dot + 1)) + 1}`;
}

function hasRows(object: ObjectInventory | undefined): boolean {
  return object !== undefined && object.instances.length > 0;
}
