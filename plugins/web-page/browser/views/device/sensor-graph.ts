import type { RecordRow } from '../../../../../src/client/index.ts';
import type { Graph } from '../../parts/history-chart.tsx';
import { makeSafe } from '../../parts/safe-text.ts';
import { numberOf, textOf } from './device-rows.ts';

/** The value of a sensor with its limits. */
export function sensorGraph(device: string, row: RecordRow): Graph {
  const limits = [
    ['sensor.low.critical', true],
    ['sensor.low.warning', false],
    ['sensor.high.warning', false],
    ['sensor.high.critical', true],
  ] as const;
  const isState = textOf(row, 'sensor.class') === 'state';
  return {
    title: makeSafe(textOf(row, 'sensor.name') || row.key, 60),
    device,
    record: 'sensor',
    rows: [row.key],
    fields: [isState ? 'sensor.state' : 'sensor.value'],
    unit: textOf(row, 'sensor.unit'),
    isTimeline: isState,
    lines: [{ label: textOf(row, 'sensor.class') || 'value', find: ({ field }) => field === 'sensor.value' }],
    limits: limits.flatMap(([field, isCritical]) => {
      const value = numberOf(row, field);
      return value === undefined ? [] : [{ value, isCritical }];
    }),
  };
}
