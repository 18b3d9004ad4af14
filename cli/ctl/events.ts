import { stdout } from 'node:process';
import {
  type ApiClient,
  ApiProblem,
  type FollowedEvent,
  type StreamEventMap,
  type StreamEventName,
} from '../../src/client/index.ts';
import { onSignals } from '../run/signals.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { counted, plainText } from '../terminal/plain-text.ts';
import { formatMilliseconds } from '../terminal/time-text.ts';
import { parseWholeNumber } from '../terminal/whole-number.ts';

export interface EventsOptions {
  readonly name?: readonly string[];
  readonly device?: string;
  readonly json?: boolean;
  /** Stop after this many events. */
  readonly count?: string;
}

/** `waywiser ctl events`: prints one line per event until Ctrl-C. */
export async function showEvents(
  client: ApiClient,
  { name, device, json, count }: EventsOptions,
): Promise<number> {
  let left =
    count === undefined ? Number.POSITIVE_INFINITY : parseWholeNumber(count, { option: '--count', least: 1 });
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  const release = onSignals(stop, process.exit);
  const known = device === undefined ? undefined : await findName(client, device);
  if (device !== undefined && known === undefined) {
    console.error(
      colours.yellow(
        `There is no device "${plainText(device)}" at the moment. Its events follow when there is one.`,
      ),
    );
  }
  // The reader closed the pipe, as `| head` does.
  stdout.on('error', stop);
  try {
    const events = client.events({
      ...(name === undefined
        ? {}
        : { names: [...(name as readonly StreamEventName[]), 'events.missed' as const] }),
      ...(device === undefined ? {} : { device: known ?? device }),
      signal: stopped.signal,
      onLost: () => console.error(colours.yellow('The connection was lost. Reconnecting.')),
    });
    for await (const event of events) {
      console.log(json ? JSON.stringify(event) : formatEvent(event, new Date()));
      if (--left <= 0) break;
    }
  } finally {
    stdout.off('error', stop);
    release();
  }
  return exitCodes.done;
}

/** The name by which events can be selected; undefined when there is no such device now. */
async function findName(client: ApiClient, device: string): Promise<string | undefined> {
  try {
    return (await client.call('getDeviceByName', { path: { device } })).body.name;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'HTTP_DEVICE_NAME_UNKNOWN') return undefined;
    throw error;
  }
}

function formatEvent({ name, member, data }: FollowedEvent, now: Date): string {
  const clock = colours.dim(now.toLocaleTimeString('en-GB'));
  const device = 'device' in data ? ` ${colours.bold(plainText(data.device.name))}` : '';
  const words = (wordings[name] as (payload: unknown) => string)(data);
  // Of a device it does not matter which member asks it.
  const from = member === undefined || device !== '' ? '' : ` ${colours.dim(`(${plainText(member)})`)}`;
  return `${clock} ${colours.cyan(name)}${device} ${plainText(words)}`.trimEnd() + from;
}

type Wordings = { readonly [Name in StreamEventName]: (payload: StreamEventMap[Name]) => string };

const wordings: Wordings = {
  'definitions.changed': ({ generation, affectedDevices, forceRediscovery, requestedBy }) =>
    `generation ${generation} by ${requestedBy}, ${counted(affectedDevices.length, 'device')} affected${forceRediscovery ? ' and rediscovered' : ''}`,
  'definitions.rejected': ({ problems, requestedBy }) =>
    `${counted(problems.length, 'problem')}, requested by ${requestedBy}`,
  'device.added': ({ cause }) => `by ${cause}`,
  'device.changed': ({ cause }) => `by ${cause}`,
  'device.removed': ({ cause }) => `by ${cause}`,
  'device.state': ({ from, to, why }) => `${from} → ${to}: ${why}`,
  'device.renumbered': ({ record, count }) => `${counted(count, 'row')} of ${record} moved to other indexes`,
  'device.misordered': ({ table }) => `the OIDs below ${table} do not increase: read by GET`,
  'discovery.started': ({ cause }) => cause,
  'discovery.progressed': ({ objects, total }) => `${objects} of ${total} objects`,
  'discovery.completed': ({ inventory, durationMs }) =>
    `found ${counted(inventory.instances, 'instance')} (${counted(inventory.objects, 'object')} searched) in ${formatMilliseconds(durationMs)}`,
  'discovery.failed': ({ message, code }) => `${message} [${code}]`,
  'scan.started': ({ cause, networks, addresses }) =>
    `${cause}: ${addresses} addresses of ${networks.join(', ')}`,
  'scan.progressed': ({ visited, addresses, answered }) =>
    `${visited} of ${addresses} addresses, ${answered} answered`,
  'scan.completed': ({ addresses, answered, found, silent, durationMs }) =>
    `${answered} of ${addresses} addresses answered (${found} new, ${silent} silent) in ${formatMilliseconds(durationMs)}`,
  'scan.failed': ({ message, code }) => `${message} [${code}]`,
  'poll.completed': ({ plan, values, packets, durationMs }) =>
    `${plan}: ${values} values in ${packets} packets and ${Math.round(durationMs)} ms`,
  'poll.failed': ({ plan, reason }) => `${plan}: ${reason}`,
  'output.stalled': ({ output, queuedBatches, why }) =>
    `${output}: ${counted(queuedBatches, 'batch', 'batches')} queued: ${why}`,
  'output.recovered': ({ output, queuedBatches }) =>
    `${output}: ${counted(queuedBatches, 'batch', 'batches')} queued`,
  'output.dropped': ({ output, batches, values, why }) =>
    `${output}: ${counted(batches, 'batch', 'batches')}${values === 0 ? '' : `, ${counted(values, 'value')} of other batches`}: ${why}`,
  'trap.received': ({ name, severity, message }) => `${severity}: ${message ?? name}`,
  'trap.dropped': ({ source, cause, count, seconds }) =>
    `${count} of ${source} within ${seconds} s: ${cause}`,
  'collector.ready': () => '',
  'shard.gained': ({ shards }) => counted(shards, 'shard'),
  'shard.lost': ({ shards, why }) => `${counted(shards, 'shard')}: ${why}`,
  'member.joined': ({ member }) => member,
  'member.left': ({ member }) => member,
  'worker.started': ({ worker }) => worker,
  'worker.ended': ({ worker, why, restartMs }) => `${worker}: ${why}, starts again after ${restartMs} ms`,
  'cluster.degraded': ({ why, keepsPolling }) =>
    `${why}; its devices are ${keepsPolling ? 'polled further' : 'not polled'}`,
  'cluster.recovered': () => '',
  'collector.stopping': ({ why }) => why,
  'events.missed': ({ count, until, why }) =>
    `${count === undefined ? 'events' : counted(count, 'event')} before ${until}: ${why}`,
};
