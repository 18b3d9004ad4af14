import type { RecordRow } from '../../../../../src/client/index.ts';
import type { Graph, GraphLine } from '../../parts/history-chart.tsx';
import { makeSafe } from '../../parts/safe-text.ts';
import { textOf } from './device-rows.ts';

const octetBits = 8;

/** A line for each row of a record. */
function lineOfRow(row: RecordRow, field: string, label: string): GraphLine {
  return { label: makeSafe(label, 40), find: (series) => series.row === row.key && series.field === field };
}

function lineOfField(field: string, label: string, times = 1): GraphLine {
  return { label, times, find: (series) => series.field === field };
}

export const interfaceRecord = 'IF-MIB::ifEntry';

/** The graphs of one interface, traffic first. */
export function interfaceGraphs(device: string, row: RecordRow): Graph[] {
  const one = { device, record: interfaceRecord, rows: [row.key] };
  const has = (field: string) => field in row.values || field in row.gaps;
  const pair = (title: string, kind: string, unit: string): Graph[] =>
    has(`${kind}.in`) || has(`${kind}.in_rate`)
      ? [
          {
            ...one,
            title,
            unit,
            fields: [`${kind}.in_rate`, `${kind}.out_rate`],
            lines: [lineOfField(`${kind}.in_rate`, 'in'), lineOfField(`${kind}.out_rate`, 'out')],
          },
        ]
      : [];
  return [
    trafficGraph(device, row, 'Traffic'),
    ...pair('Unicast packets', 'netif.packets.unicast', 'packets/s'),
    ...pair('Errors', 'netif.errors', 'packets/s'),
    ...pair('Discards', 'netif.discards', 'packets/s'),
    {
      ...one,
      title: 'Operational state',
      fields: ['netif.status.oper.name', 'netif.status.oper'],
      lines: [],
      isTimeline: true,
    },
  ];
}

export function trafficGraph(device: string, row: RecordRow, title: string): Graph {
  const [received, sent] = ['netif.bytes.in_rate', 'netif.bytes.out_rate'];
  return {
    title: makeSafe(title, 60),
    device,
    record: interfaceRecord,
    rows: [row.key],
    fields: [received, sent],
    unit: 'bit/s',
    lines: [lineOfField(received, 'in', octetBits), lineOfField(sent, 'out', octetBits)],
  };
}

/** One graph with a line for each row, such as all processors. */
export function rowsGraph(
  device: string,
  record: string,
  rows: readonly RecordRow[],
  look: { readonly title: string; readonly field: string; readonly unit: string; readonly label: string },
): Graph {
  return {
    title: look.title,
    device,
    record,
    rows: rows.map(({ key }) => key),
    fields: [look.field],
    unit: look.unit,
    lines: rows.map((row) => lineOfRow(row, look.field, textOf(row, look.label) || row.key)),
  };
}

/** Whether the device answered, and how long its polls took. */
export function healthGraphs(device: string): Graph[] {
  const own = { device, record: 'waywiser::device' };
  return [
    {
      ...own,
      title: 'Poll duration',
      fields: ['poll.duration'],
      unit: 's',
      lines: [lineOfField('poll.duration', 'longest poll')],
    },
    { ...own, title: 'Answers', fields: ['up'], lines: [], isTimeline: true },
  ];
}
