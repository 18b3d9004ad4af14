import type { AnswerBody, ApiClient } from '../../src/client/index.ts';
import type { DeviceSort } from '../../src/model/index.ts';
import { formatState } from '../device/device-text.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { plainText, shorten } from '../terminal/plain-text.ts';
import { formatTable } from '../terminal/table.ts';
import { formatTime } from '../terminal/time-text.ts';
import { countShown, readPages } from './pages.ts';
import { warnSilent } from './silent-members.ts';

export interface DevicesOptions {
  readonly state?: State;
  readonly group?: string;
  readonly vendor?: string;
  readonly sort?: DeviceSort;
  readonly tag?: string;
  readonly text?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

type Summary = AnswerBody<'listDevices'>['devices'][number];
type State = Summary['state'];

const maxReasonCharacters = 80;

/** `waywiser ctl devices`: prints a table of devices. */
export async function listDevices(
  client: ApiClient,
  { limit = '1000', json, ...filter }: DevicesOptions,
): Promise<number> {
  let last: AnswerBody<'listDevices'> | undefined;
  const { items: devices, total } = await readPages(limit, async (page) => {
    const { body } = await client.call('listDevices', { query: { ...filter, ...page } });
    last = body;
    return { ...body, items: body.devices };
  });
  warnSilent(last ?? {});
  if (json) console.log(JSON.stringify(devices, undefined, 2));
  else {
    console.log(
      formatTable(['device', 'address', 'port', 'state', 'since', 'groups', 'why'], devices.map(toRow)),
    );
    console.log(countShown(devices.length, total, 'devices'));
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
