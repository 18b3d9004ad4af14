import { setImmediate } from 'node:timers/promises';
import { fleetFacts, fleetQuery, fleetRead, listOf, wantedShards } from '../../../src/http/index.ts';
import { type Static, Type } from '../../../src/index.ts';
import { deviceSorts } from '../../../src/model/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import { pageFacts, pageQuery } from '../pages.ts';
import type { SnmpApiContext } from '../snmp-api-context.ts';
import { DeviceFilter, deviceFilters } from './device-filter.ts';
import { DeviceOrder, FirstOf, type Placed } from './device-order.ts';
import { createIsoTime, deviceSummarySchema, summarizeDevice } from './device-schema.ts';
import { vendorOf } from './vendors.ts';

const querySchema = Type.Object(
  {
    ...deviceFilters,
    sort: Type.Optional(
      Type.Unsafe<(typeof deviceSorts)[number]>(
        Type.String({
          enum: [...deviceSorts],
          description: 'the order; -name is the reverse of name; by state, problems come first',
        }),
      ),
    ),
    ...pageQuery,
    ...fleetQuery,
  },
  { additionalProperties: false },
);

const listSchema = Type.Object(
  {
    devices: listOf(deviceSummarySchema),
    ...pageFacts,
    ...fleetFacts,
  },
  { title: 'DeviceList' },
);

type Query = Static<typeof querySchema>;
type List = Static<typeof listSchema>;

const schema = {
  operationId: 'listDevices',
  tags: ['devices'],
  summary: 'Devices, page by page',
  querystring: querySchema,
  response: { 200: listSchema },
};

/** A filter may have to check a hundred thousand devices. After this many, polling gets a turn. */
const devicesPerTurn = 2000;

export function listDevices({ registry, discovery }: SnmpApiContext): RoutePlugin {
  return async (app) => {
    const config = fleetRead<List, Query>(mergePages);
    app.get('/api/v1/snmp/devices', { config, schema }, async (request) => {
      const shards = wantedShards(request);
      return list(shards === undefined ? registry.devices() : registry.devicesIn(shards), request.query);
    });
  };

  /** In an order that does not depend on the registry: pages of several members fit together, and devices may come and go. Keeps one page, however many match. */
  async function list(all: Iterable<Device>, query: Query): Promise<List> {
    const { limit, cursor, sort } = query;
    const filter = new DeviceFilter(query, discovery);
    const order = new DeviceOrder(sort);
    const after = cursor === undefined ? undefined : order.readCursor(cursor);
    // One more than the page: whether there is another page.
    const first = new FirstOf<Placed & { readonly device: Device }>(limit + 1, order);
    let [total, position] = [0, 0];
    for (const device of all) {
      if (++position % devicesPerTurn === 0) await setImmediate();
      if (!filter.selects(device)) continue;
      total++;
      const key = order.keyOf(device, findVendor);
      const placed = { key, ref: device.ref, device };
      if (after !== undefined && order.compare(placed, after) <= 0) continue;
      if (first.accepts(placed)) first.add(placed);
    }
    const isoTime = createIsoTime();
    const found = first.list();
    const page = found.slice(0, limit);
    const devices = page.map(({ device }) =>
      summarizeDevice(device, discovery.findInventory(device), isoTime),
    );
    return { devices, total, ...(found.length > limit ? { next: order.cursorAfter(page.at(-1)!) } : {}) };
  }

  function findVendor(device: Device): string | undefined {
    return vendorOf(discovery.findInventory(device)?.sysObjectId);
  }
}

/** One page of the pages of several members. */
function mergePages(pages: readonly List[], { limit, sort }: Query): List {
  const order = new DeviceOrder(sort);
  const all = pages
    .flatMap(({ devices }) => devices)
    .map((device) => {
      const status = { state: device.state, sinceMs: Date.parse(device.since) };
      return { key: order.keyOf({ ref: device, status }, () => device.vendor), ref: device, device };
    })
    .sort(order.compare);
  const page = all.slice(0, limit);
  const hasMore = all.length > limit || pages.some(({ next }) => next !== undefined);
  const total = pages.reduce((sum, each) => sum + each.total, 0);
  return {
    devices: page.map(({ device }) => device),
    total,
    ...(hasMore && page.length > 0 ? { next: order.cursorAfter(page.at(-1)!) } : {}),
  };
}
