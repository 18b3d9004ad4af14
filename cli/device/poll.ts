import type { AnswerBody, ApiClient } from '../../src/client/index.ts';
import { cliFailure, usageFailure } from '../cli-errors.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { plainText } from '../terminal/plain-text.ts';
import { terminalWidth } from '../terminal/table.ts';
import { type DevicePlace, formatGaps } from './device-text.ts';
import { formatRecord, type Layout, type ShownRecord } from './record-text.ts';

export interface PollOptions {
  readonly wait?: boolean;
  readonly json?: boolean;
  /** All columns of wide tables. */
  readonly all?: boolean;
  /** Only these columns, separated by commas. */
  readonly columns?: string;
}

type Answer = AnswerBody<'pollDevice'>;
type Finished = Extract<Answer, { readonly poll: { readonly values: number } }>;

/** As many rows as one answer of the API holds. */
const pageSize = 1000;

/** Polls a device now and prints the records of that poll. Throws DEVICE_POLL_EMPTY when it returned no value. */
export async function pollDevice(
  client: ApiClient,
  place: DevicePlace,
  { wait = true, json = false, all = false, columns }: PollOptions,
): Promise<number> {
  const { body } = await client.call('pollDevice', { path: place, query: { wait } });
  if (!isFinished(body)) {
    console.log(json ? JSON.stringify(body, undefined, 2) : formatStarted(body));
    return exitCodes.done;
  }
  const { device, poll } = body;
  const isEmpty = poll.values === 0;
  if (isEmpty && !json) {
    const details = { device: device.name, reasons: formatGaps(poll.gaps, 'nothing was polled') };
    throw cliFailure('DEVICE_POLL_EMPTY', details);
  }
  const records = isEmpty ? [] : await readRecords(client, place, poll.records);
  console.log(
    json
      ? JSON.stringify({ ...body, records }, undefined, 2)
      : formatPoll(body, records, { width: terminalWidth(), all, columns: columns?.split(',') }),
  );
  return isEmpty ? exitCodes.failed : exitCodes.done;
}

function isFinished(answer: Answer): answer is Finished {
  return 'values' in answer.poll;
}

/** The latest rows of these records, page by page. */
async function readRecords(
  client: ApiClient,
  place: DevicePlace,
  polled: Finished['poll']['records'],
): Promise<ShownRecord[]> {
  const names = new Set(polled.map(({ record }) => record));
  const found: ShownRecord[] = [];
  let next: string | undefined;
  do {
    const query = { limit: pageSize, ...(next === undefined ? {} : { cursor: next }) };
    const { body } = await client.call('getRecords', { path: place, query });
    for (const part of body.records) {
      const last = found.at(-1);
      // A page may end within a record, which the next one goes on with.
      if (last?.record === part.record)
        found[found.length - 1] = { ...last, rows: [...last.rows, ...part.rows] };
      else if (names.has(part.record)) found.push(part);
    }
    next = body.next;
  } while (next !== undefined);
  return found;
}

function formatStarted({ device, poll: { joined } }: Answer): string {
  return `${plainText(device.name)}: ${joined ? 'a poll is already running' : 'the poll has started'}.`;
}

function formatPoll({ device, poll }: Finished, records: readonly ShownRecord[], layout: Layout): string {
  const { values, packets, durationMs, gaps } = poll;
  const missing = Object.keys(gaps).length === 0 ? '' : `; missing: ${formatGaps(gaps)}`;
  const summary = `${colours.bold(plainText(device.name))}: ${values} values in ${packets} packets and ${durationMs.toFixed(0)} ms${missing}`;
  const tables = records.map((record) => formatRecord(record, layout)).filter((text) => text !== '');
  if (layout.columns !== undefined && tables.length === 0) {
    const expected = `columns of the records of ${plainText(device.name)}; --all shows their names`;
    throw usageFailure('OPTION_INVALID', { option: '--columns', expected });
  }
  return [...tables, summary].join('\n\n');
}
