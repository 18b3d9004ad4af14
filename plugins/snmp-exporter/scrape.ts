import { pollIntervalOf } from '../../src/definitions/index.ts';
import { type Batch, defineErrors, gapAt, WaywiserError } from '../../src/index.ts';
import type { Definitions, Generation } from '../definitions-loader/service.ts';
import type { Device } from '../device-registry/service.ts';
import type { Discovery } from '../snmp-discovery/service.ts';
import type { Poller } from '../snmp-poller/service.ts';
import { exporterErrors } from './errors.ts';
import type { PollIntervals, ScrapeRequest, ScrapeTargets } from './scrape-targets.ts';
import type { Scrape, SharedPolls } from './shared-polls.ts';

const failure = defineErrors(exporterErrors);

export interface ScrapeServices {
  readonly definitions: Definitions;
  readonly discovery: Discovery;
  readonly poller: Poller;
  readonly targets: ScrapeTargets;
  readonly polls: SharedPolls;
}

/**
 * The records of the modules of a target, from a poll that begins now or that an earlier scrape has begun within the interval. A new device, or one
 * with a new module, is discovered first, if the caller may operate.
 */
export async function scrape(services: ScrapeServices, request: ScrapeRequest): Promise<Scrape> {
  const { definitions, discovery, poller, targets, polls } = services;
  const { device, intervals } = targets.find(request);
  const { name } = device.ref;
  if (isNew(device, discovery) && request.mayOperate) {
    const outcome = await discovery.request(device, 'requested').run.ended;
    if (!outcome.ok) throw failure('PROBE_NO_ANSWER', { device: name });
  }
  const { current } = definitions;
  const objects = request.modules.flatMap((module) => current.getDeviceGroup(module).definition.objects);
  const known = discovery.findInventory(device)?.objects;
  if (known === undefined) throw failure('PROBE_NO_ANSWER', { device: name });
  if (!objects.some((id) => known.has(id))) {
    throw failure('PROBE_NOT_COLLECTED', { device: name, modules: request.modules.join(', ') });
  }
  const modules = new Map(
    request.modules.map((module) => [module, intervalOf(module, intervals, current)] as const),
  );
  const found = await polls.find(device, current.number, modules, (due) => poll(device, due, poller));
  const records = recordsOf(objects, current);
  const batches = found.flatMap((each) => each.batches).filter(({ record }) => records.has(record));
  // A poll without an answer makes no batches, and neither does one of empty tables.
  const hasRows = objects.some((id) => (known.get(id)?.instances.length ?? 0) > 0);
  if (hasRows && !batches.some(hasValue)) throw failure('PROBE_NO_ANSWER', { device: name });
  return {
    batches,
    packets: found.reduce((sum, { packets }) => sum + packets, 0),
    retries: found.reduce((sum, { retries }) => sum + retries, 0),
  };
}

/** The shortest interval of the objects of a module, in milliseconds. */
function intervalOf(module: string, intervals: PollIntervals, current: Generation): number {
  const { objects } = current.getDeviceGroup(module).definition;
  const types = new Set(objects.map((id) => current.findObject(id)?.definition.type));
  const { everyMsByType } = current.sections;
  return Math.min(...Array.from(types, (type) => pollIntervalOf(type, intervals, everyMsByType)));
}

/** The names of the records that have the values of the objects. */
function recordsOf(objects: readonly string[], current: Generation): ReadonlySet<string | undefined> {
  return new Set(
    objects.flatMap((id) => {
      const object = current.findObject(id)?.definition;
      const hasSensors = [...(object?.attributes.values() ?? [])].some(({ sensor }) => sensor !== undefined);
      return hasSensors ? [object?.record, 'sensor'] : [object?.record];
    }),
  );
}

/** Whether the last discovery of the device did not look for all of its device groups. */
function isNew(device: Device, discovery: Discovery): boolean {
  const inventory = discovery.findInventory(device);
  return (
    inventory === undefined ||
    (device.settings.device_groups ?? []).some((group) => !inventory.deviceGroups.includes(group))
  );
}

/** No records for a device that has nothing of what was looked for. */
async function poll(device: Device, modules: readonly string[], poller: Poller): Promise<Scrape> {
  const before = poller.deviceCounters(device);
  const batches = await poller.pollNow(device, modules).catch((error: unknown) => {
    if (error instanceof WaywiserError && error.code === 'POLL_NOT_PLANNED') return [];
    throw error;
  });
  const after = poller.deviceCounters(device);
  return {
    batches,
    packets: (after?.packets ?? 0) - (before?.packets ?? 0),
    retries: (after?.retries ?? 0) - (before?.retries ?? 0),
  };
}

function hasValue({ rows, columns }: Batch): boolean {
  if (columns.length === 0) return rows.count > 0;
  return columns.some((column) => {
    for (let row = 0; row < rows.count; row++) if (gapAt(column, row) === undefined) return true;
    return false;
  });
}
