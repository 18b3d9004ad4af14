import { useMemo } from 'preact/hooks';
import { type Graph, HistoryChart } from '../../parts/history-chart.tsx';
import { runs } from '../../state/fleet.ts';
import { type DeviceTabProps, numberOf, type RecordTable, rowsOf, textOf } from './device-rows.ts';
import { healthGraphs, interfaceRecord, rowsGraph, trafficGraph } from './graphs.ts';
import { SummaryTiles } from './summary-tiles.tsx';

const maxTraffic = 6;
const maxLines = 8;

/** The busiest interfaces, processors, memory, storage, temperatures, and whether the device answers. */
export function OverviewTab({ device, tables }: DeviceTabProps) {
  const shape = tables.map(({ record, rows }) => `${record} ${rows.length}`).join('\n') + hasRates(tables);
  const graphs = useMemo(() => chooseGraphs(device.name, tables), [device.name, shape]);
  if (!runs('history')) {
    return (
      <>
        <SummaryTiles device={device} tables={tables} />
        <p class="empty">
          There are no graphs, because the plugin <code>history</code> does not run. Add{' '}
          <code>history: {'{}'}</code> to the configuration.
        </p>
      </>
    );
  }
  return (
    <>
      <SummaryTiles device={device} tables={tables} />
      <div class="charts">
        {graphs.map((graph) => (
          <HistoryChart key={`${graph.record} ${graph.title}`} graph={graph} />
        ))}
      </div>
    </>
  );
}

/** Which interfaces are the busiest is known when their rates are. */
function hasRates(tables: readonly RecordTable[]): boolean {
  return rowsOf(tables, interfaceRecord).some((row) => numberOf(row, 'netif.bytes.in_rate') !== undefined);
}

function chooseGraphs(device: string, tables: readonly RecordTable[]): Graph[] {
  const busiest = [...rowsOf(tables, interfaceRecord)]
    .map((row) => ({
      row,
      rate: Math.max(numberOf(row, 'netif.bytes.in_rate') ?? 0, numberOf(row, 'netif.bytes.out_rate') ?? 0),
      isUp: textOf(row, 'netif.status.oper.name') === 'up',
    }))
    .filter(
      ({ row, isUp, rate }) => (isUp || rate > 0) && textOf(row, 'netif.type.name') !== 'softwareLoopback',
    )
    .sort((a, b) => b.rate - a.rate)
    .slice(0, maxTraffic);
  const some = (record: string, title: string, field: string, unit: string, label: string): Graph[] => {
    const rows = rowsOf(tables, record)
      .filter((row) => numberOf(row, field) !== undefined)
      .slice(0, maxLines);
    return rows.length === 0 ? [] : [rowsGraph(device, record, rows, { title, field, unit, label })];
  };
  const sensors = (title: string, unit: string): Graph[] => {
    const rows = rowsOf(tables, 'sensor')
      .filter((row) => textOf(row, 'sensor.unit') === unit && numberOf(row, 'sensor.value') !== undefined)
      .slice(0, maxLines);
    const look = { title, field: 'sensor.value', unit, label: 'sensor.name' };
    return rows.length === 0 ? [] : [rowsGraph(device, 'sensor', rows, look)];
  };
  return [
    ...some('processor', 'Processors', 'processor.usage', '%', 'processor.name'),
    ...some('memory', 'Memory', 'memory.usage', '%', 'memory.name'),
    ...some('storage', 'Storage', 'storage.usage', '%', 'storage.name'),
    ...sensors('Temperatures', '°C'),
    ...sensors('Optical power', 'dBm'),
    ...some('consumable', 'Consumables', 'consumable.level', '%', 'consumable.name'),
    ...busiest.map(({ row }) =>
      trafficGraph(
        device,
        row,
        `${textOf(row, 'netif.name') || row.key} ${textOf(row, 'netif.alias')}`.trim(),
      ),
    ),
    ...healthGraphs(device),
  ];
}
