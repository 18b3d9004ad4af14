import { type Batch, defineErrors, gapAt, WaywiserError } from '../../src/index.ts';
import type { Definitions } from '../definitions-loader/service.ts';
import type { Device } from '../device-registry/service.ts';
import type { Discovery } from '../snmp-discovery/service.ts';
import type { Poller } from '../snmp-poller/service.ts';
import { exporterErrors } from './errors.ts';
import type { ScrapeRequest, ScrapeTargets } from './scrape-targets.ts';

const failure = defineErrors(exporterErrors);

export interface ScrapeServices {
  readonly definitions: Definitions;
  readonly discovery: Discovery;
  readonly poller: Poller;
  readonly targets: ScrapeTargets;
}

export interface Scrape {
  readonly batches: readonly Batch[];
  /** What it took, beside a discovery. */
  readonly packets: number;
  readonly retries: number;
}

/** Polls the target now, and returns its records of the modules. A new device, or one with a new module, is discovered first. */
export async function scrape(services: ScrapeServices, request: ScrapeRequest): Promise<Scrape> {
  const { definitions, discovery, poller, targets } = services;
  const device = targets.find(request);
  const { name } = device.ref;
  if (isNew(device, discovery)) {
    const outcome = await discovery.request(device, 'requested').run.ended;
    if (!outcome.ok) throw failure('PROBE_NO_ANSWER', { device: name });
  }
  const { current } = definitions;
  const objects = request.modules.flatMap((module) => current.getDeviceGroup(module).definition.objects);
  const known = discovery.findInventory(device)?.objects;
  if (!objects.some((id) => known?.has(id))) {
    throw failure('PROBE_NOT_COLLECTED', { device: name, modules: request.modules.join(', ') });
  }
  const records = new Set(
    objects.flatMap((id) => {
      const object = current.findObject(id)?.definition;
      const hasSensors = [...(object?.attributes.values() ?? [])].some(({ sensor }) => sensor !== undefined);
      return hasSensors ? [object?.record, 'sensor'] : [object?.record];
    }),
  );
  const before = poller.deviceCounters(device);
  const batches = (await poll(device, request.modules, poller)).filter(({ record }) => records.has(record));
  // A poll without an answer makes no batches, and neither does one of empty tables.
  const hasRows = objects.some((id) => (known?.get(id)?.instances.length ?? 0) > 0);
  if (hasRows && !batches.some(hasValue)) throw failure('PROBE_NO_ANSWER', { device: name });
  const after = poller.deviceCounters(device);
  return {
    batches,
    packets: (after?.packets ?? 0) - (before?.packets ?? 0),
    retries: (after?.retries ?? 0) - (before?.retries ?? 0),
  };
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
async function poll(device: Device, modules: readonly string[], poller: Poller): Promise<readonly Batch[]> {
  return poller.pollNow(device, modules).catch((error: unknown) => {
    if (error instanceof WaywiserError && error.code === 'POLL_NOT_PLANNED') return [];
    throw error;
  });
}

function hasValue({ rows, columns }: Batch): boolean {
  if (columns.length === 0) return rows.count > 0;
  return columns.some((column) => {
    for (let row = 0; row < rows.count; row++) if (gapAt(column, row) === undefined) return true;
    return false;
  });
}
