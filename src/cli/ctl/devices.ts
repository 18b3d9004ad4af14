import type { AnswerBody, ApiClient } from '../../client/index.ts';
import { formatState } from '../device/device-text.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { plainText, shorten } from '../terminal/plain-text.ts';
import { formatTable } from '../terminal/table.ts';
import { formatTime } from '../terminal/time-text.ts';
import { parseWholeNumber } from '../terminal/whole-number.ts';

export interface DevicesOptions {
  readonly state?: State;
  readonly group?: string;
  readonly tag?: string;
  readonly text?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

type Summary = AnswerBody<'listDevices'>['devices'][number];
type State = Summary['state'];

const pageSize = 500;
const maxReasonCharacters = 80;

/** `waywiser ctl devices`: prints a table of devices. */
export async function listDevices(
  client: ApiClient,
  { limit = '1000', json, ...filter }: DevicesOptions,
): Promise<number> {
  const wanted = parseWholeNumber(limit, { option: '--limit', least: 1 });
  const devices: Summary[] = [];
  let next: string | undefined;
  let total = 0;
  do {
    const size = Math.min(pageSize, wanted - devices.length);
    const cursor = next === undefined ? {} : { cursor: next };
    const { body } = await client.call('listDevices', { query: { ...filter, limit: size, ...cursor } });
    devices.push(...body.devices);
    ({ total, next } = body);
  } while (next !== undefined && devices.length < wanted);
  if (json) console.log(JSON.stringify(devices, undefined, 2));
  else {
    console.log(
      formatTable(['device', 'address', 'port', 'state', 'since', 'groups', 'why'], devices.map(toRow)),
    );
    console.log(
      `${devices.length} of ${total} devices${next === undefined ? '' : '; use --limit to see more'}`,
    );
  }
  return exitCodes.done;
}

function toRow({ name, ip, port, state, since, why, deviceGroups, enabled }: Summary): string[] {
  return [
    plainText(name),
    ip,
    String(port),
    enabled ? formatState(state) : 'disabled',
    formatTime(since),
    deviceGroups.join(', '),
    state === 'up' ? '' : shorten(plainText(firstSentence(why)), maxReasonCharacters),
  ];
}

/** What happened. `ctl device` also shows what to do about it. */
function firstSentence(text: string): string {
  return /^.*?[.](?= [A-Z])/.exec(text)?.[0] ?? text;
}
