import { setTimeout as pause } from 'node:timers/promises';
import { type AnswerBody, type ApiClient, ApiProblem } from '../../src/client/index.ts';
import { cliFailure } from '../cli-errors.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { plainText } from '../terminal/plain-text.ts';
import { StatusLine } from '../terminal/status-line.ts';
import { formatMilliseconds } from '../terminal/time-text.ts';
import { warnSilent } from './silent-members.ts';

export interface ScanOptions {
  readonly wait?: boolean;
  readonly json?: boolean;
}

type EndedScan = NonNullable<AnswerBody<'getNetworkScans'>['last']>;

const refreshMs = 250;

/** `waywiser ctl scan [NETWORK]`: makes the collector scan its networks for devices and prints the result. */
export async function scanNetworks(
  client: ApiClient,
  network: string | undefined,
  { wait = true, json = false }: ScanOptions,
): Promise<number> {
  const begun = await begin(client, network);
  const { scan, joined } = begun;
  warnSilent(begun);
  for (const left of begun.unowned ?? [])
    console.error(
      colours.yellow(`The network ${plainText(left)} is not scanned: its owner is changing. Ask again.`),
    );
  if (!wait) {
    const how = joined ? 'is already running' : 'has started';
    console.log(json ? JSON.stringify(scan, undefined, 2) : `A scan of ${scan.addresses} addresses ${how}.`);
    return exitCodes.done;
  }
  const ended = await follow(client, scan.id, new StatusLine());
  console.log(json ? JSON.stringify(ended, undefined, 2) : formatScan(ended));
  return ended.problem === undefined ? exitCodes.done : exitCodes.failed;
}

async function begin(client: ApiClient, network: string | undefined): Promise<AnswerBody<'scanNetworks'>> {
  try {
    const { body } = await client.call('scanNetworks', { query: network === undefined ? {} : { network } });
    return body;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'HTTP_NOT_FOUND') {
      throw cliFailure('CTL_SCAN_UNAVAILABLE', {});
    }
    throw error;
  }
}

async function follow(client: ApiClient, id: string, line: StatusLine): Promise<EndedScan> {
  try {
    for (;;) {
      const { running, last } = (await client.call('getNetworkScans')).body;
      if (running?.id !== id && last !== undefined) return last;
      if (running !== undefined) line.showShare('addresses', running.visited, running.addresses);
      await pause(refreshMs);
    }
  } finally {
    line.clear();
  }
}

function formatScan(scan: EndedScan): string {
  const { networks, addresses, known, answered, found, refused, silent, removed, durationMs, problem } = scan;
  const counts = [
    `${found} new`,
    `${known} known`,
    ...(refused > 0 ? [`${refused} refused all credentials`] : []),
    ...(silent > 0 ? [`${silent} found earlier but silent now`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ];
  const text = `${answered} of ${addresses} addresses of ${networks.join(', ')} answered in ${formatMilliseconds(durationMs)}: ${counts.join(', ')}.`;
  return problem === undefined ? text : `${text}\n${colours.red(problem.message)} [${problem.code}]`;
}
