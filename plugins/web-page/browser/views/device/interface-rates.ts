import type { DeviceDetails } from '../../../../../src/client/index.ts';
import { api } from '../../state/api.ts';
import { runs } from '../../state/fleet.ts';
import { usePolled } from '../../state/polled.ts';
import { addRates } from './add-rates.ts';
import type { RecordTable } from './device-rows.ts';
import { interfaceRecord } from './graphs.ts';

const rateFields = ['bytes', 'errors', 'discards'].flatMap((kind) => [
  `netif.${kind}.in_rate`,
  `netif.${kind}.out_rate`,
]);
const reloadMs = 5_000;
/** A rate needs two polls, of which the last may be under way. */
const intervals = 3.5;

/**
 * The tables with the rates of interfaces. The poller computes rates only for outputs that send them; without such an output the history
 * computes them.
 */
export function useInterfaceRates(
  device: DeviceDetails | undefined,
  tables: readonly RecordTable[],
): readonly RecordTable[] {
  const table = tables.find(({ record }) => record === interfaceRecord);
  const isMissing = table?.fields.every(({ field }) => field !== rateFields[0]) ?? false;
  const isWanted = device !== undefined && isMissing && runs('history');
  const name = isWanted ? device.name : '';
  const rates = usePolled(`rates ${name}`, isWanted ? reloadMs : 0, async (signal) => {
    if (!isWanted) return undefined;
    const seconds = Math.ceil(Number(device.settings['poll_interval']?.value ?? 60) * intervals);
    const query = { device: name, record: interfaceRecord, field: rateFields, from: `-${seconds}s` };
    return (await api.call('getHistory', { query, signal })).body;
  });
  const answer = rates.value;
  return answer === undefined || !isWanted
    ? tables
    : tables.map((each) => (each === table ? addRates(each, answer) : each));
}
