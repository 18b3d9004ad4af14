import type { DeviceRef, EventBus } from '../../../../src/index.ts';
import { shardOf } from '../../../../src/internal.ts';
import type { Device, DeviceRegistry } from '../../../device-registry/service.ts';
import { problem } from '../../problem/problem.ts';

interface Entry {
  readonly device: Device;
  readonly shard: number;
}

interface Page<Entry> {
  readonly devices: readonly Entry[];
  readonly total: number;
  readonly next?: string;
}

/** The devices by name, address and port: the order that all members of a cluster agree on. Sorted again after a change. */
export class DevicesByName {
  readonly #registry: DeviceRegistry;
  #sorted: readonly Entry[] | undefined;

  constructor(registry: DeviceRegistry, events: EventBus) {
    this.#registry = registry;
    const forget = () => {
      this.#sorted = undefined;
    };
    for (const name of ['device.added', 'device.changed', 'device.removed'] as const) events.on(name, forget);
  }

  list(): readonly Entry[] {
    this.#sorted ??= Array.from(this.#registry.devices(), (device) => ({
      device,
      shard: shardOf(device.ref),
    })).sort((a, b) => compareDevices(a.device.ref, b.device.ref));
    return this.#sorted;
  }

  /** The number of devices up to the one that the cursor names, which may be gone. */
  positionAfter(cursor: string | undefined): number {
    if (cursor === undefined) return 0;
    const last = readCursor(cursor);
    const entries = this.list();
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareDevices(entries[middle]!.device.ref, last) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** One page of the pages of several members. */
export function mergePages<Summary extends DeviceRef>(
  pages: readonly Page<Summary>[],
  { limit }: { readonly limit: number },
): Page<Summary> {
  const all = pages.flatMap(({ devices }) => devices).sort(compareDevices);
  const devices = all.slice(0, limit);
  const hasMore = all.length > limit || pages.some(({ next }) => next !== undefined);
  const total = pages.reduce((sum, page) => sum + page.total, 0);
  return { devices, total, ...(hasMore && devices.length > 0 ? { next: cursorAfter(devices.at(-1)!) } : {}) };
}

function compareDevices(a: DeviceRef, b: DeviceRef): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.ip !== b.ip) return a.ip < b.ip ? -1 : 1;
  return a.port - b.port;
}

/** Names a device and not a position, so that it stays valid when devices move to other members. */
export function cursorAfter({ name, ip, port }: DeviceRef): string {
  return Buffer.from(JSON.stringify(['v2', name, ip, port])).toString('base64url');
}

function readCursor(cursor: string): DeviceRef {
  try {
    const [version, name, ip, port] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (version === 'v2' && typeof name === 'string' && typeof ip === 'string' && Number.isInteger(port))
      return { name, ip, port };
  } catch {
    // The same answer as for other texts that are no cursors.
  }
  throw problem('HTTP_INPUT_INVALID', { reason: 'the cursor is not one that a page returned' });
}
