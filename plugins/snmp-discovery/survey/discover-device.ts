import {
  type CompiledObject,
  findUnaffordable,
  type ObjectWish,
  type PollBudget,
  wishOf,
} from '../../../src/definitions/index.ts';
import {
  type AutoInventory,
  type DiscoveryProgress,
  defineErrors,
  type Inventory,
  type InventoryCut,
  type ObjectInventory,
} from '../../../src/index.ts';
import { contextsOf } from '../../../src/model/index.ts';
import type { SnmpSession } from '../../../src/snmp/index.ts';
import type { SliceTurns } from '../../../src/timing/index.ts';
import type { Generation } from '../../definitions-loader/service.ts';
import type { Device } from '../../device-registry/service.ts';
import { discoveryErrors } from '../errors.ts';
import { type BudgetLimits, DeviceBudget, type TotalMemory, weighInventory } from './device-budget.ts';
import { findObjects } from './find-objects.ts';
import { type ReachedDevice, type ReachTools, reachDevice, type Subject } from './reach-device.ts';
import { type ChoiceSurvey, surveyChoice } from './survey-choice.ts';

const failure = defineErrors(discoveryErrors);

/** What changed in the definitions since an inventory. */
export interface DefinitionNews {
  /** New or changed ones. */
  readonly objects: ReadonlySet<string>;
  /** A group of the device may name or leave out other objects now. */
  readonly hasOtherGroups: boolean;
}

export interface DiscoverTools extends ReachTools {
  readonly generation: Generation;
  readonly limits: BudgetLimits;
  readonly memory: TotalMemory;
  readonly pollBudget: PollBudget;
  /** Shared by all discoveries. */
  readonly slices: SliceTurns;
  readonly signal: AbortSignal;
  /** What is new since the previous inventory, where only definitions may have changed. */
  readonly news: DefinitionNews | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onProgress: (progress: DiscoveryProgress) => void;
  /** Called when a further context did not answer. Its previous inventory stays in use. */
  readonly onSilentContext: (context: string, error: unknown) => void;
}

/**
 * Reads the identity, objects and rows of a device. Resolves to a new inventory, made with one generation of definitions. Rejects
 * without a result when the device cannot be reached or stops answering.
 */
export async function discoverDevice(
  device: Device,
  before: Inventory | undefined,
  tools: DiscoverTools,
): Promise<Inventory> {
  const { generation, signal, onProgress } = tools;
  // Settings that change during the discovery apply to the next one, as new definitions do.
  const subject: Subject = { ref: device.ref, settings: device.settings };
  const reached = await reachDevice(subject, before?.credential ?? 0, tools, signal);
  const budget = new DeviceBudget(tools.limits, tools.memory, () => performance.now());
  try {
    const deviceGroups = findGroups(subject, reached.sysObjectId, generation);
    const wish = wishOf(deviceGroups.flatMap((id) => generation.findDeviceGroup(id)?.definition ?? []));
    const facts = {
      subject,
      reached,
      wish,
      budget,
      tools,
      update: findUpdate(before, deviceGroups, reached, tools),
    };
    const first = await surveyContext(reached.session, before?.objects, facts, {
      share: 1 / contextsOf(subject.settings).length,
      onProgress: (objects, instances, total) => onProgress({ objects, total, instances }),
    });
    const further = await surveyFurther(before, facts);
    const cut = first.cut ?? further?.cut;
    const found = {
      objects: first.objects,
      ...(further === undefined ? {} : { contexts: further.contexts }),
    };
    return {
      version: (before?.version ?? 0) + 1,
      discoveredMs: tools.now(),
      generation: generation.number,
      sysObjectId: reached.sysObjectId,
      sysUpTime: reached.sysUpTime,
      address: reached.address,
      credential: reached.credential,
      deviceGroups,
      ...found,
      ...(first.auto === undefined ? {} : { auto: first.auto }),
      ...(cut === undefined ? {} : { cut }),
      bytes: weighInventory(found, (id) => generation.findObject(id)?.definition.attributes.size ?? 0),
    };
  } finally {
    budget.end();
    reached.session.close();
  }
}

/** What all contexts of one discovery share. */
interface DiscoveryFacts {
  readonly subject: Subject;
  readonly reached: ReachedDevice;
  readonly wish: ObjectWish;
  readonly budget: DeviceBudget;
  readonly tools: DiscoverTools;
  readonly update: AutoUpdate | undefined;
}

/** When only definitions have changed: what the device answered before, and the objects that it may have beside those. */
interface AutoUpdate {
  readonly auto: AutoInventory;
  readonly news: DefinitionNews;
}

/** Undefined where everything has to be asked again. */
function findUpdate(
  before: Inventory | undefined,
  deviceGroups: readonly string[],
  { sysObjectId, sysUpTime = 0 }: ReachedDevice,
  { news }: DiscoverTools,
): AutoUpdate | undefined {
  if (news === undefined || before?.auto === undefined || before.contexts !== undefined) return undefined;
  const isSame = before.sysObjectId === sysObjectId && before.deviceGroups.join() === deviceGroups.join();
  const hasRestarted = sysUpTime < (before.sysUpTime ?? 0);
  return isSame && !hasRestarted ? { auto: before.auto, news } : undefined;
}

interface ContextSurvey extends Pick<ChoiceSurvey, 'objects' | 'cut'> {
  readonly auto?: AutoInventory;
}

/** Finds the objects and rows of one context. */
async function surveyContext(
  session: SnmpSession,
  known: Inventory['objects'] | undefined,
  { subject, reached, wish, budget, tools, update }: DiscoveryFacts,
  {
    share,
    onProgress,
  }: {
    readonly share: number;
    readonly onProgress?: (objects: number, instances: number, total: number) => void;
  },
): Promise<ContextSurvey> {
  const { generation, signal, slices } = tools;
  const { aliveOid, sysObjectId } = reached;
  const { catalog } = generation;
  const asking = { signal, budget, aliveOid };
  const answered =
    update === undefined || update.news.hasOtherGroups
      ? undefined
      : { auto: update.auto, newObjects: update.news.objects };
  const found = wish.isAuto
    ? await findObjects(session, { ...asking, wish, catalog, sysObjectId, known, before: answered }).catch(
        (error: unknown) => {
          throw brokeOff(subject, 0, 0, error, signal);
        },
      )
    : undefined;
  const named = [...wish.named].flatMap((id) => generation.findObject(id)?.definition ?? []);
  const isKept = ({ id, hash }: CompiledObject) => {
    const kept = update && known?.get(id);
    return kept?.hash === hash && kept.partial === undefined;
  };
  const survey = await surveyChoice(session, {
    ...asking,
    slices,
    share,
    known,
    isKept,
    firstColumns: found?.firstColumns,
    choose: (empty) => found?.choose(empty).objects ?? named,
    onProgress,
    brokeOff: (objects, total, reason) => brokeOff(subject, objects, total, reason, signal),
  });
  if (found === undefined) return survey;
  const { objects, leftOut: notChosen, silentRoots } = found.choose(survey.empty);
  const all = new Map<string, ObjectInventory>();
  const leftOut = new Map(Object.entries(notChosen));
  const isCut = new Set(survey.cut?.objects);
  for (const { id } of objects) {
    const inventory = survey.objects.get(id) ?? known?.get(id);
    if (inventory !== undefined) all.set(id, inventory);
    else leftOut.set(id, isCut.has(id) ? 'cut' : 'no_rows');
  }
  const tooMuch = findUnaffordable(
    objects,
    (id) => all.get(id)?.instances.length ?? 0,
    wish.named,
    subject.settings,
    generation.sections.everyMsByType,
    tools.pollBudget,
  );
  for (const id of tooMuch) {
    all.delete(id);
    leftOut.set(id, 'budget');
  }
  const collected = new Set(objects.flatMap((object) => (all.has(object.id) ? catalog.rootsOf(object) : [])));
  const { roots } = found;
  const auto = {
    roots,
    uncollected: roots.filter((root) => !collected.has(root)),
    leftOut: Object.fromEntries(leftOut),
    ...(silentRoots.length === 0 ? {} : { silentRoots }),
  };
  return { objects: all, cut: survey.cut, auto };
}

function brokeOff(
  { ref }: Subject,
  objects: number,
  total: number,
  reason: unknown,
  signal: AbortSignal,
): unknown {
  return signal.aborted
    ? reason
    : failure('DISCOVERY_BROKE_OFF', { device: ref.name, objects, total }, reason);
}

/** Discovers the further contexts, with the address and credential that answered in the first one. */
async function surveyFurther(
  before: Inventory | undefined,
  facts: DiscoveryFacts,
): Promise<FurtherContexts | undefined> {
  const { subject, reached, budget } = facts;
  const { registry, open, signal, onSilentContext } = facts.tools;
  const further = contextsOf(subject.settings).slice(1);
  if (further.length === 0) return undefined;
  const contexts = new Map<string, Inventory['objects']>();
  let cut: InventoryCut | undefined;
  for (const [position, context] of further.entries()) {
    const known = before?.contexts?.get(context);
    const session = await open(registry.getTargets(subject, reached.address, context)[reached.credential]!);
    try {
      const share = budget.left / (further.length - position);
      const survey = await surveyContext(session, known, facts, { share });
      contexts.set(context, survey.objects);
      cut ??= survey.cut;
    } catch (error) {
      signal.throwIfAborted();
      onSilentContext(context, error);
      if (known !== undefined) contexts.set(context, known);
    } finally {
      session.close();
    }
  }
  return { contexts, cut };
}

interface FurtherContexts {
  readonly contexts: NonNullable<Inventory['contexts']>;
  readonly cut: InventoryCut | undefined;
}

/** Collects what a device answers that has no group. */
const lastGroup = 'auto';

function findGroups({ ref, settings }: Subject, sysObjectId: string | undefined, generation: Generation) {
  if (settings.device_groups !== undefined) return settings.device_groups;
  const group =
    generation.findDeviceGroupBySysObjectId(sysObjectId) ??
    generation.findDeviceGroup(lastGroup)?.definition.id;
  if (group === undefined) {
    throw failure('DISCOVERY_NO_GROUP', { device: ref.name, sysObjectId: sysObjectId ?? '(none)' });
  }
  return [group];
}
