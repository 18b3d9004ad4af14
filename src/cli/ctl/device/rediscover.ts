import colours from 'picocolors';
import type { ApiClient } from '../../../client/index.ts';
import { exitCodes } from '../../terminal/exit-codes.ts';
import { StatusLine } from '../../terminal/status-line.ts';
import { formatTable } from '../../terminal/table.ts';
import { type Discovery, followDiscovery } from '../follow-discoveries.ts';

export interface RediscoverOptions {
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `waywiser ctl rediscover IP PORT`: the collector discovers a device again; how it went. */
export async function rediscover(
  client: ApiClient,
  ip: string,
  port: string,
  { wait = true, json }: RediscoverOptions,
): Promise<number> {
  const { body } = await client.call('rediscoverDevice', { body: { ip, port } });
  const { device, discovery } = body;
  if (!wait) {
    const joined = discovery.joined ? ', asked for before' : '';
    console.log(
      json
        ? JSON.stringify(body, undefined, 2)
        : `${device.name}: discovery ${discovery.id} is ${discovery.state}${joined}.`,
    );
    return exitCodes.done;
  }
  const ended = await followDiscovery(client, discovery.id, new StatusLine());
  console.log(json ? JSON.stringify(ended, undefined, 2) : formatOutcome(ended));
  return ended.outcome?.ok === true ? exitCodes.done : exitCodes.failed;
}

function formatOutcome({ device, outcome }: Discovery): string {
  const name = colours.bold(device.name);
  if (outcome?.ok !== true) {
    return `${name}: ${colours.red('failed:')} ${outcome?.message} ${colours.dim(`[${outcome?.code}]`)}`;
  }
  const { objects = 0, instances = 0, added = {}, removed = {} } = outcome.change ?? {};
  const seconds = (outcome.durationMs / 1000).toFixed(1);
  const summary = `${name}: ${instances} instances found, ${objects} objects looked for, in ${seconds} s`;
  const ids = [...new Set([...Object.keys(added), ...Object.keys(removed)])].sort();
  if (ids.length === 0) return `${summary}; nothing came or went.`;
  const rows = ids.map((id) => [
    id,
    added[id] === undefined ? '' : colours.green(`+${added[id]}`),
    removed[id] === undefined ? '' : colours.red(`-${removed[id]}`),
  ]);
  return `${summary}\n${formatTable(['object', 'new', 'gone'], rows)}`;
}
