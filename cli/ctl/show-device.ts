import { type AnswerBody, type ApiClient, ApiProblem } from '../../src/client/index.ts';
import { type DevicePlace, formatGaps, formatState } from '../device/device-text.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { counted, plainText } from '../terminal/plain-text.ts';
import { formatPairs, formatTable } from '../terminal/table.ts';
import { formatTime } from '../terminal/time-text.ts';

type Device = AnswerBody<'getDevice'>;
type Polling = AnswerBody<'getDevicePolling'>;

/** `waywiser ctl device DEVICE`: shows everything that the collector knows about one device, except its values. */
export async function showDevice(
  client: ApiClient,
  path: DevicePlace,
  { json }: { readonly json?: boolean },
): Promise<number> {
  const { body: device } = await client.call('getDevice', { path });
  const polling = await findPolling(client, path);
  if (json) console.log(JSON.stringify({ ...device, polling }, undefined, 2));
  else console.log(formatDevice(device, polling));
  return exitCodes.done;
}

/** Undefined when the collector has no poller. */
async function findPolling(client: ApiClient, path: DevicePlace): Promise<Polling | undefined> {
  try {
    return (await client.call('getDevicePolling', { path })).body;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'HTTP_NOT_FOUND') return undefined;
    throw error;
  }
}

function formatDevice(device: Device, polling: Polling | undefined): string {
  const { name, ip, port, state, since, why, enabled, deviceGroups, origin } = device;
  const facts: Fact[] = [
    ['state', `${formatState(state)} since ${formatTime(since)}: ${plainText(why)}`],
    ['defined', origin.file === '' ? 'through the API' : `${origin.file}:${origin.line}`],
    ['groups', deviceGroups.length === 0 ? 'none' : deviceGroups.join(', ')],
    ...describeDiscovery(device),
    ...describeLearned(device),
    ...describePolling(polling),
  ];
  if (!enabled) facts.unshift(['polled', 'no: the device is disabled (enabled: false)']);
  const settings = Object.entries(device.settings).map(([key, { value, origin: from }]) => [
    key,
    plainText(typeof value === 'string' ? value : JSON.stringify(value)),
    colours.dim(from),
  ]);
  return [
    `${colours.bold(plainText(name))}  ${ip} port ${port}`,
    formatPairs(facts),
    '',
    formatTable(['setting', 'value', 'from'], settings),
  ].join('\n');
}

const maxListed = 5;

type Fact = readonly [name: string, text: string];

function describeDiscovery({ inventory, lastDiscovery }: Device): Fact[] {
  const found =
    inventory === undefined
      ? 'none'
      : `${counted(inventory.instances, 'instance')}, ${counted(inventory.objects, 'object')} searched, version ${inventory.version} of ${formatTime(inventory.discoveredAt)}`;
  const rows: Fact[] = [['inventory', found]];
  if (inventory?.cut !== undefined) rows.push(['limit reached', inventory.cut.text]);
  if (inventory?.sysObjectId !== undefined) rows.push(['sysObjectID', inventory.sysObjectId]);
  const incomplete = Object.entries(lastDiscovery?.outcome?.change?.partial ?? {});
  if (incomplete.length > 0) {
    rows.push(['incomplete', listFew(incomplete.map(([object, why]) => `${object} (${plainText(why)})`))]);
  }
  const failure = lastDiscovery?.outcome;
  if (failure?.ok === false)
    rows.push(['last discovery', `${plainText(failure.message ?? '')} [${failure.code}]`]);
  return rows;
}

function describeLearned({ learned }: Device): Fact[] {
  if (learned === undefined) return [];
  const {
    roundTripMs,
    requestsAtOnce,
    oidsPerRequest,
    varbindsPerReply,
    missingOids,
    tables,
    silentColumns,
    misorderedTables,
  } = learned;
  const fewest = Math.min(...tables.map((table) => table.varbindsPerReply ?? Number.POSITIVE_INFINITY));
  const least = Math.min(...tables.map((table) => table.repetitionsPerRequest ?? Number.POSITIVE_INFINITY));
  const facts = [
    roundTripMs === undefined ? '' : `round trip ${roundTripMs.toFixed(1)} ms`,
    requestsAtOnce === undefined ? '' : `${counted(requestsAtOnce, 'request')} in parallel`,
    oidsPerRequest === undefined ? '' : `${oidsPerRequest} OIDs per request`,
    varbindsPerReply === undefined ? '' : `${varbindsPerReply} varbinds per reply`,
    Number.isFinite(fewest) ? `as few as ${fewest} varbinds per reply of one table` : '',
    Number.isFinite(least) ? `as few as ${least} repetitions per request` : '',
    missingOids === 0 ? '' : `${missingOids} OIDs missing on the device`,
  ].filter((text) => text !== '');
  const loops = [
    ...tables.filter(({ loops }) => loops).map(({ root }) => root),
    ...misorderedTables.map(({ table }) => table),
  ];
  const rows: Fact[] = facts.length === 0 ? [] : [['learned', facts.join(', ')]];
  if (loops.length > 0) rows.push(['loops', `the agent repeats OIDs below ${loops.join(', ')}`]);
  if (silentColumns.length > 0) {
    const silent = silentColumns.map(({ column, until }) => `${column} until ${formatTime(until)}`);
    rows.push(['not answered', `left out: ${listFew(silent)}`]);
  }
  return rows;
}

function listFew(texts: readonly string[]): string {
  const more = texts.length - maxListed;
  return texts.slice(0, maxListed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function describePolling(polling: Polling | undefined): Fact[] {
  const { counters } = polling ?? {};
  if (counters === undefined) return [];
  const { polls, failedPolls, packets, retries, values, gaps, lastFailure } = counters;
  const last =
    counters.lastPollAt === undefined
      ? 'none yet'
      : `${formatTime(counters.lastPollAt)}, ${counters.lastDurationMs.toFixed(0)} ms, round trip ${counters.roundTripMs.toFixed(1)} ms`;
  const next = polling!.next.map(({ plan, inMs }) => `${plan} in ${(Math.max(0, inMs) / 1000).toFixed(0)} s`);
  const rows: Fact[] = [
    ['last poll', last],
    ['next polls', next.length === 0 ? 'none' : next.join(', ')],
    [
      'polls',
      `${polls}, ${failedPolls} without a value; ${packets} packets, ${retries} retries; ${values} values`,
    ],
    ['missing', formatGaps(gaps)],
  ];
  if (lastFailure !== undefined)
    rows.push(['last failure', `${lastFailure.code} at ${formatTime(lastFailure.at)}`]);
  return rows;
}
