import {
  type DiscoveryProgress,
  defineErrors,
  type Inventory,
  type InventoryCut,
} from '../../../src/index.ts';
import { type CompiledObject, contextsOf, type SliceTurns } from '../../../src/internal.ts';
import type { Generation } from '../../definitions-loader/service.ts';
import type { Device } from '../../device-registry/service.ts';
import { discoveryErrors } from '../errors.ts';
import { type BudgetLimits, DeviceBudget, type TotalMemory, weighInventory } from './device-budget.ts';
import { type ReachedDevice, type ReachTools, reachDevice, type Subject } from './reach-device.ts';
import { surveyObjects } from './survey-objects.ts';

const failure = defineErrors(discoveryErrors);

export interface DiscoverTools extends ReachTools {
  readonly generation: Generation;
  readonly limits: BudgetLimits;
  readonly memory: TotalMemory;
  /** Shared by all discoveries. */
  readonly slices: SliceTurns;
  readonly signal: AbortSignal;
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
  const { generation, signal, slices, onProgress } = tools;
  // Settings that change during the discovery apply to the next one, as new definitions do.
  const subject: Subject = { ref: device.ref, settings: device.settings };
  const reached = await reachDevice(subject, before?.credential ?? 0, tools, signal);
  const budget = new DeviceBudget(tools.limits, tools.memory, () => performance.now());
  try {
    const deviceGroups = findGroups(subject, reached.sysObjectId, generation);
    const objects = listObjects(deviceGroups, generation);
    const total = objects.length;
    const survey = await surveyObjects(reached.session, objects, {
      signal,
      budget,
      slices,
      share: 1 / contextsOf(subject.settings).length,
      known: before?.objects,
      aliveOid: reached.aliveOid,
      onProgress: (objects, instances) => onProgress({ objects, total, instances }),
    });
    if (survey.brokeOff !== undefined) {
      const details = { device: subject.ref.name, objects: survey.objects.size, total };
      throw failure('DISCOVERY_BROKE_OFF', details, survey.brokeOff);
    }
    const further = await surveyContexts(subject, before, reached, objects, budget, tools);
    const cut = survey.cut ?? further?.cut;
    const attributes = new Map(objects.map((object) => [object.id, object.attributes.size]));
    const found = {
      objects: survey.objects,
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
      ...(cut === undefined ? {} : { cut }),
      bytes: weighInventory(found, (id) => attributes.get(id) ?? 0),
    };
  } finally {
    budget.end();
    reached.session.close();
  }
}

/** Discovers the further contexts, with the address and credential that answered in the first one. */
async function surveyContexts(
  device: Subject,
  before: Inventory | undefined,
  { address, credential, aliveOid }: ReachedDevice,
  objects: readonly CompiledObject[],
  budget: DeviceBudget,
  { registry, open, signal, slices, onSilentContext }: DiscoverTools,
): Promise<FurtherContexts | undefined> {
  const further = contextsOf(device.settings).slice(1);
  if (further.length === 0) return undefined;
  const contexts = new Map<string, Inventory['objects']>();
  let cut: InventoryCut | undefined;
  for (const [position, context] of further.entries()) {
    const known = before?.contexts?.get(context);
    const session = await open(registry.getTargets(device, address, context)[credential]!);
    try {
      const share = budget.left / (further.length - position);
      const survey = await surveyObjects(session, objects, {
        signal,
        budget,
        slices,
        share,
        known,
        aliveOid,
      });
      if (survey.brokeOff !== undefined) throw survey.brokeOff;
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

function findGroups({ ref, settings }: Subject, sysObjectId: string | undefined, generation: Generation) {
  if (settings.device_groups !== undefined) return settings.device_groups;
  const group = generation.findDeviceGroupBySysObjectId(sysObjectId);
  if (group === undefined) {
    throw failure('DISCOVERY_NO_GROUP', { device: ref.name, sysObjectId: sysObjectId ?? '(none)' });
  }
  return [group];
}

/** Every object of the groups once. Groups that the definitions no longer have are ignored. */
function listObjects(deviceGroups: readonly string[], generation: Generation) {
  const ids = new Set(deviceGroups.flatMap((id) => generation.findDeviceGroup(id)?.definition.objects ?? []));
  return [...ids].flatMap((id) => generation.findObject(id)?.definition ?? []);
}
