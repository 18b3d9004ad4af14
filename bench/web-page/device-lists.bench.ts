import { DeviceTable } from '../../plugins/device-registry/device-table.ts';
import { measureRequests } from '../http-api/clients.ts';
import { startListingApi } from '../http-api/listing-api.ts';
import { printFigure } from '../support/figure.ts';

/** How long the page waits for what it asks about many devices: search, filters, sorting and late pages, one JSON line each. */
const goalMs = 200;
const round = (value: number) => Number(value.toFixed(1));
const enterprises = [9, 2636, 8072, 14988, 2011, 30065];
const queries = {
  'the first page': '',
  'a search that finds 1 device': 'text=device-4711.',
  'a search that finds most devices': 'text=d',
  'a search that finds none': 'text=zzz',
  'a filter by group': 'group=switch-3',
  'a filter by tag': 'tag=site%3Dlab-7',
  'a filter by vendor': 'vendor=Arista',
  'a filter by state': 'state=down',
  'text, group, tag and vendor together': 'text=9&group=switch-3&tag=site&vendor=Cisco',
  'sorted by name': 'sort=name',
  'sorted by address, the last first': 'sort=-address',
  'sorted by state': 'sort=state',
  'sorted by vendor': 'sort=vendor',
  'a search, sorted by time': 'text=1&sort=-since',
};

for (const devices of [10_000, 100_000]) await measureLists(devices);

async function measureLists(devices: number): Promise<void> {
  const table = new DeviceTable();
  table.replaceAll(makeDevices(devices), Date.now());
  const inventories = new Map(
    [...table.values()].map((device, i) => [
      device,
      { deviceGroups: [`switch-${i % 7}`], sysObjectId: `1.3.6.1.4.1.${enterprises[i % 6]}.1.${i % 50}` },
    ]),
  );
  const { collector, baseUrl } = await startListingApi(table, (device) => inventories.get(device));
  const list = '/api/v1/snmp/devices?limit=200';
  const { next } = (await (await fetch(`${baseUrl}${list}&sort=name`)).json()) as { next: string };
  const late = Buffer.from(`v1 ${devices - 300}`).toString('base64url');
  const paths = Object.entries({
    ...queries,
    'a late page': `cursor=${late}`,
    'a late page of a search': `text=d&cursor=${late}`,
    'the second page, sorted by name': `sort=name&cursor=${next}`,
  }).map(([what, query]) => [what, `${list}&${query}`] as const);
  for (const [what, path] of [...paths, ['the vendors', '/api/v1/snmp/vendors'] as const]) {
    const requests = 60;
    await measureRequests(baseUrl, { sockets: 1, requests: 10, path });
    const { cpuSeconds, p50Ms, p99Ms } = await measureRequests(baseUrl, { sockets: 1, requests, path });
    printFigure(`${devices} devices, ${what}`, {
      p50Ms: round(p50Ms),
      p99Ms: round(p99Ms),
      cpuMs: round((cpuSeconds * 1000) / requests),
      goalMs,
      reached: p99Ms <= goalMs,
    });
  }
  await collector.stop();
}

function* makeDevices(devices: number) {
  for (let i = 0; i < devices; i++) {
    const ip = `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
    const ref = { name: `device-${(i * 7919) % devices}.example.net`, ip, port: 161 };
    const settings = { ip, tags: { site: `lab-${i % 100}` } };
    yield { ref, settings, settingOrigins: {}, origin: { file: 'x', line: 1 }, source: 'files' as const };
  }
}
