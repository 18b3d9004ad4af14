import colours from 'picocolors';
import type { AnswerBody, ApiClient } from '../../../client/index.ts';
import { exitCodes } from '../../terminal/exit-codes.ts';
import { plainText } from '../../terminal/plain-text.ts';
import { formatTable } from '../../terminal/table.ts';
import { formatGaps } from '../words.ts';

export interface PollOptions {
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `waywiser ctl poll IP PORT`: the collector polls a device out of turn; what that brought, without the values. */
export async function poll(
  client: ApiClient,
  ip: string,
  port: string,
  { wait = true, json }: PollOptions,
): Promise<number> {
  const { body } = await client.call('pollDevice', { path: { ip, port }, query: { wait } });
  if (json) console.log(JSON.stringify(body, undefined, 2));
  else console.log(isOver(body) ? formatPoll(body) : formatBegun(body));
  return isOver(body) && body.poll.values === 0 ? exitCodes.failed : exitCodes.done;
}

type Answer = AnswerBody<'pollDevice'>;
type Over = Extract<Answer, { readonly poll: { readonly values: number } }>;

function isOver(answer: Answer): answer is Over {
  return 'values' in answer.poll;
}

function formatBegun({ device, poll: { joined } }: Answer): string {
  return `${plainText(device.name)}: the poll is under way${joined ? ', begun before' : ''}.`;
}

function formatPoll({ device, poll: { values, packets, durationMs, gaps, records } }: Over): string {
  const name = colours.bold(plainText(device.name));
  const missing = Object.keys(gaps).length === 0 ? '' : `; missing: ${formatGaps(gaps)}`;
  const summary = `${name}: ${values} values in ${packets} packets and ${durationMs.toFixed(0)} ms${missing}`;
  if (values === 0) return `${summary}\n${colours.red('The poll failed.')}`;
  const rows = records.map(({ record, rows }) => [record, String(rows)]);
  return `${summary}\n${formatTable(['record', 'rows'], rows)}`;
}
