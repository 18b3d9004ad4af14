import { type AnswerBody, type ApiClient, ApiProblem } from '../../src/client/index.ts';
import { formatGaps } from '../device/device-text.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { counted, plainText } from '../terminal/plain-text.ts';
import { formatPairs, formatTable } from '../terminal/table.ts';
import { formatDuration, formatTime } from '../terminal/time-text.ts';

type Polling = AnswerBody<'getPolling'>;
type Slow = AnswerBody<'listSlowest'>['devices'][number];

type Fact = readonly [name: string, text: string];

const slowestShown = 5;

/** `waywiser ctl status`: summarises the collector. Exit code 1 when it is not ready or works with limits. */
export async function showStatus(client: ApiClient, { json }: { readonly json?: boolean }): Promise<number> {
  const { body: collector } = await client.call('getCollector');
  const { body: definitions } = await client.call('getDefinitions');
  const complaints = await listComplaints(client);
  const polling = await unlessMissing(client.call('getPolling'));
  const history = await unlessMissing(client.call('getHistoryState'));
  const slowest = await unlessMissing(client.call('listSlowest', { query: { limit: slowestShown } }));
  if (json) {
    const parts = { collector, definitions, complaints, polling, history, slowest: slowest?.devices };
    console.log(JSON.stringify(parts, undefined, 2));
    return complaints.length === 0 ? exitCodes.done : exitCodes.failed;
  }
  const { instance, version, uptimeSeconds, pipeline } = collector;
  const verdict = complaints.length === 0 ? colours.green('ready') : colours.red(complaints.join(' '));
  const facts: Fact[] = [
    [
      'definitions',
      `generation ${definitions.generation}, ${formatTime(definitions.appliedAt)}, by ${definitions.requestedBy}`,
    ],
    ['devices', describeDevices(collector)],
    ...(polling === undefined ? [] : describePolling(polling)),
    ...(history === undefined ? [] : describeHistory(history)),
  ];
  const outputs = Object.entries(pipeline.outputs).map(([name, counters]) => [
    name,
    ...[counters.accepted, counters.delivered, counters.dropped, counters.queued].map(String),
  ]);
  const parts = [
    `${colours.bold(instance)}  waywiser ${version}, up ${formatDuration(uptimeSeconds)}: ${verdict}`,
    formatPairs(facts),
    ...(outputs.length === 0
      ? []
      : [formatTable(['output', 'accepted', 'delivered', 'dropped', 'queued'], outputs)]),
    ...(slowest === undefined || slowest.devices.length === 0 ? [] : [formatSlowest(slowest.devices)]),
  ];
  console.log(parts.join('\n\n'));
  return complaints.length === 0 ? exitCodes.done : exitCodes.failed;
}

async function listComplaints(client: ApiClient): Promise<readonly string[]> {
  try {
    return (await client.call('isReady')).body.degraded;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'HTTP_NOT_READY') return [error.message];
    throw error;
  }
}

/** Undefined when the collector has no poller. */
async function unlessMissing<Body>(call: Promise<{ readonly body: Body }>): Promise<Body | undefined> {
  try {
    return (await call).body;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'HTTP_NOT_FOUND') return undefined;
    throw error;
  }
}

interface CountedDevices {
  readonly devices: number;
  /** Collectors of earlier versions do not count them. */
  readonly devicesByState?: object;
}

/** The number of devices, and of those in each state. */
function describeDevices({ devices, devicesByState = {} }: CountedDevices): string {
  const states = Object.entries(devicesByState).filter(([, count]) => count > 0);
  const counts = states.map(([state, count]) => `${count} ${state === 'down' ? colours.red(state) : state}`);
  return counts.length === 0 ? String(devices) : `${devices}: ${counts.join(', ')}`;
}

function describePolling(polling: Polling): Fact[] {
  const { devices, underWay, polls, failedPolls, packets, retries, overruns, skippedSlots, gaps } = polling;
  const { lateness, duration, roundTrip } = polling;
  return [
    ['polled', `${counted(devices, 'device')}, ${underWay} at the moment`],
    ['polls', `${polls}, ${failedPolls} without a value; ${packets} packets, ${retries} retries`],
    ['slots', `99 % at most ${ms(lateness.p99Ms)} late; ${overruns} overruns, ${skippedSlots} skipped`],
    ['times', `99 %: polls at most ${ms(duration.p99Ms)}, round trips at most ${ms(roundTrip.p99Ms)}`],
    ['missing', formatGaps(gaps)],
  ];
}

const tierNames: Readonly<Record<string, string>> = {
  polled: 'as polled',
  five_minutes: '5 minutes',
  hours: '1 hour',
};

/** How far back each tier reaches. */
function describeHistory({
  tiers,
  damagedFiles,
  newerFiles = [],
  lostBatches,
}: AnswerBody<'getHistoryState'>): Fact[] {
  const reaches = tiers.map(({ tier, from, bytes, maxBytes }) => {
    const since = from === undefined ? 'nothing yet' : `since ${formatTime(from)}`;
    return `${tierNames[tier] ?? tier} ${since} (${formatMebibytes(bytes)} of ${formatMebibytes(maxBytes)} MiB)`;
  });
  if (tiers.length === 0) return [['history', 'read from a server']];
  const troubles = [
    ...(damagedFiles.length === 0 ? [] : [counted(damagedFiles.length, 'damaged file')]),
    ...(newerFiles.length === 0
      ? []
      : [counted(newerFiles.length, 'file of a newer version', 'files of a newer version')]),
    ...(lostBatches === 0 ? [] : [`${counted(lostBatches, 'batch')} lost`]),
  ];
  return [['history', [...reaches, ...troubles].join('; ')]];
}

function formatMebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(bytes < 10 * 2 ** 20 ? 1 : 0);
}

function formatSlowest(devices: readonly Slow[]): string {
  const rows = devices.map(({ device, lastDurationMs, roundTripMs, packets, retries, gaps }) => [
    plainText(device.name),
    ms(lastDurationMs),
    ms(roundTripMs),
    String(packets),
    String(retries),
    formatGaps(gaps),
  ]);
  return formatTable(['slowest', 'last poll', 'round trip', 'packets', 'retries', 'missing'], rows);
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
