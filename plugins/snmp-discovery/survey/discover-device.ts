import { type DiscoveryProgress, defineErrors, type Inventory } from '../../../src/index.ts';
import { type CompiledObject, contextsOf } from '../../../src/internal.ts';
import type { Generation } from '../../definitions-loader/service.ts';
import type { Device } from '../../device-registry/service.ts';
import { discoveryErrors } from '../errors.ts';
import { type ReachedDevice, type ReachTools, reachDevice, type Subject } from './reach-device.ts';
import { surveyObjects } from './survey-objects.ts';

const failure = defineErrors(discoveryErrors);

export interface DiscoverTools extends ReachTools {
  readonly generation: Generation;
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
  const { generation, signal, onProgress } = tools;
  // Settings that change during the discovery apply to the next one, as new definitions do.
  const subject: Subject = { ref: device.ref, settings: device.settings };
  const reached = await reachDevice(subject, before?.credential ?? 0, tools, signal);
  try {
    const deviceGroups = findGroups(subject, reached.sysObjectId, generation);
    const objects = listObjects(deviceGroups, generation);
    const total = objects.length;
    const survey = await surveyObjects(reached.session, objects, {
      signal,
      known: before?.objects,
      onProgress: (objects, instances) => onProgress({ objects, total, instances }),
    });
    if (survey.brokeOff !== undefined) {
      const details = { device: subject.ref.name, objects: survey.objects.size, total };
      throw failure('DISCOVERY_BROKE_OFF', details, survey.brokeOff);
    }
    return {
      version: (before?.version ?? 0) + 1,
      discoveredMs: tools.now(),
      generation: generation.number,
      sysObjectId: reached.sysObjectId,
      sysUpTime: reached.sysUpTime,
      address: reached.address,
      credential: reached.credential,
      deviceGroups,
      objects: survey.objects,
      ...(await surveyContexts(subject, before, reached, objects, tools)),
    };
  } finally {
    reached.session.close();
  }
}

/** Discovers the further contexts, with the address and credential that answered in the first one. */
async function surveyContexts(
  device: Subject,
  before: Inventory | undefined,
  { address, credential }: ReachedDevice,
  objects: readonly CompiledObject[],
  { registry, open, signal, onSilentContext }: DiscoverTools,
): Promise<Pick<Inventory, 'contexts'>> {
  const further = contextsOf(device.settings).slice(1);
  if (further.length === 0) return {};
  const contexts = new Map<string, Inventory['objects']>();
  for (const context of further) {
    const known = before?.contexts?.get(context);
    const session = await open(registry.getTargets(device, address, context)[credential]!);
    try {
      const survey = await surveyObjects(session, objects, { signal, known });
      if (survey.brokeOff !== undefined) throw survey.brokeOff;
      contexts.set(context, survey.objects);
    } catch (error) {
      signal.throwIfAborted();
      onSilentContext(context, error);
      if (known !== undefined) contexts.set(context, known);
    } finally {
      session.close();
    }
  }
  return { contexts };
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
