import { type Batch, type Column, type ColumnFacts, gapCode, ownRecord } from '../../../src/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { DeviceCounters } from '../service.ts';

type Columns = Pick<Batch, 'record' | 'rows' | 'columns'>;

/** Whether the device answers, how long its polls take, and when one last returned values. */
export function healthRecord(
  { status }: Pick<Device, 'status'>,
  counters: DeviceCounters | undefined,
): Columns {
  const { slowestPlanMs = 0, lastSuccessMs = 0 } = counters ?? {};
  const isUp = status.state === 'up' || status.state === 'recovering';
  return {
    record: ownRecord('device'),
    rows: oneRow,
    columns: [
      { field: 'up', kind: 'boolean', values: isUp ? upValues : downValues, about: abouts.up },
      secondsColumn('poll.duration', slowestPlanMs, abouts.duration),
      secondsColumn('poll.last_success.timestamp', lastSuccessMs, abouts.lastSuccess),
    ],
  };
}

/** The rows of gap reasons, by their names: devices with the same reasons share them. */
export type GapRows = Map<string, Batch['rows']>;

/** How many values were missing since the start, by reason. Undefined while none was. */
export function gapsRecord({ gaps }: Pick<DeviceCounters, 'gaps'>, known: GapRows): Columns | undefined {
  const counts = Object.entries(gaps);
  if (counts.length === 0) return undefined;
  return {
    record: ownRecord('deviceGaps'),
    rows: rowsOf(Object.keys(gaps), known),
    columns: [
      {
        field: 'poll.gaps',
        kind: 'counter',
        metric: 'counter',
        about: abouts.gaps,
        words: Uint32Array.from(
          counts.flatMap(([, count]) => [count % wordRange, Math.floor(count / wordRange)]),
        ),
      },
    ],
  };
}

const wordRange = 2 ** 32;
/** The same objects for every device and poll. */
const abouts = {
  up: { description: 'Whether the device answers SNMP requests: 1 if it does, 0 if it does not.' },
  duration: { description: 'How long the last polls of the device took; that of its slowest interval.' },
  lastSuccess: { description: 'When a poll of the device last returned a value.' },
  gaps: { description: 'Values that polls of the device did not return since the start, by reason.' },
};

/** All devices share these, which nobody may change. */
const upValues = Uint8Array.of(1);
const downValues = Uint8Array.of(0);
const missing = Uint8Array.of(gapCode('down'));

/** A time that is 0 is not known yet. */
function secondsColumn(field: string, timeMs: number, about: ColumnFacts): Column {
  const gaps = timeMs === 0 ? missing : undefined;
  const values = Float64Array.of(timeMs / 1000);
  return { field, kind: 'number', metric: 'gauge', unit: 's', about, values, gaps };
}

/** All devices share their rows, so that outputs find them unchanged. */
const oneRow: Batch['rows'] = { count: 1, keys: ['device'], labels: {} };

function rowsOf(reasons: readonly string[], known: GapRows): Batch['rows'] {
  const key = reasons.join();
  let rows = known.get(key);
  if (rows === undefined) {
    rows = { count: reasons.length, keys: reasons, labels: { reason: reasons } };
    known.set(key, rows);
  }
  return rows;
}
