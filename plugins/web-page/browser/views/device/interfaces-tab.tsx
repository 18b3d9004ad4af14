import { useCallback, useMemo } from 'preact/hooks';
import type { RecordRow } from '../../../../../src/client/index.ts';
import { countOf } from '../../parts/count-text.ts';
import { ChoiceField, SearchField } from '../../parts/filter-fields.tsx';
import { HistoryChart } from '../../parts/history-chart.tsx';
import { type Column, LongTable } from '../../parts/long-table.tsx';
import { showNumber } from '../../parts/number-text.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { DeviceText } from '../../parts/texts.tsx';
import { runs } from '../../state/fleet.ts';
import { graphRange } from '../../state/graph-range.ts';
import { place, select } from '../../state/place.ts';
import { wantStateLines } from '../../state/state-lines.ts';
import { type DeviceTabProps, numberOf, rowsOf, textOf } from './device-rows.ts';
import { interfaceGraphs, interfaceRecord } from './graphs.ts';
import { InterfaceStates } from './interface-states.tsx';
import { nameOf, stateOf } from './interface-words.ts';
import { ValueCell } from './value-cell.tsx';

/** All interfaces, and the graphs of the chosen one. */
export function InterfacesTab({ device, tables }: DeviceTabProps) {
  const rows = rowsOf(tables, interfaceRecord);
  const { row: chosenKey, find = '', only = '' } = place.value.query;
  const chosen = rows.find(({ key }) => key === chosenKey);
  const hasHistory = runs('history');
  const columns = useMemo(() => listColumns(device.name, hasHistory), [device.name, hasHistory]);
  const range = graphRange.value;
  // Each reload asks again for states that are old.
  const onWindow = useCallback(
    (seen: readonly RecordRow[]) => {
      if (hasHistory)
        wantStateLines(
          device.name,
          seen.map(({ key }) => key),
        );
    },
    [device.name, hasHistory, range, tables],
  );
  const shown = rows.filter((row) => hasText(row, find) && isWanted(row, only));
  return (
    <>
      {chosen !== undefined && <InterfaceGraphs key={chosen.key} device={device.name} row={chosen} />}
      <search class="filters">
        <SearchField name="find" label="Search interfaces" placeholder="Name, alias or description" />
        <ChoiceField
          name="only"
          label="Which interfaces"
          all="All"
          choices={[
            ['up', 'Up'],
            ['trouble', 'Down although enabled'],
            ['errors', 'With errors or discards now'],
          ]}
        />
        <output class="quiet">
          {shown.length === rows.length ? '' : `${shown.length} of `}
          {countOf(rows.length, 'interface')}; choose one for its graphs, or a value to explain it
        </output>
      </search>
      <LongTable
        label="Interfaces"
        rows={shown}
        columns={columns}
        keyOf={({ key }) => key}
        onWindow={onWindow}
        onOpen={({ key }) => {
          select({ row: key === chosenKey ? '' : key });
          document.querySelector('.tabs')?.scrollIntoView({ block: 'start' });
        }}
      />
    </>
  );
}

function InterfaceGraphs({ device, row }: { readonly device: string; readonly row: RecordRow }) {
  const graphs = useMemo(() => interfaceGraphs(device, row), [device, row.key]);
  return (
    <section class="chosen-row" aria-label="Chosen interface">
      <header>
        <h2>
          <DeviceText text={nameOf(row)} />{' '}
          <span class="quiet">
            <DeviceText text={textOf(row, 'netif.alias')} />
          </span>
        </h2>
        <button type="button" onClick={() => select({ row: '' })}>
          Close
        </button>
      </header>
      {runs('history') && (
        <div class="charts">
          {graphs.map((graph) => (
            <HistoryChart key={graph.title} graph={graph} />
          ))}
        </div>
      )}
    </section>
  );
}

function listColumns(device: string, hasHistory: boolean): Column<RecordRow>[] {
  const history: readonly Column<RecordRow>[] = [
    {
      id: 'states',
      title: 'State over time',
      className: 'optional states-cell',
      show: (row) => <InterfaceStates device={device} row={row} />,
    },
  ];
  return [...identityColumns, ...(hasHistory ? history : []), ...trafficColumns(device)];
}

const identityColumns: readonly Column<RecordRow>[] = [
  {
    id: 'state',
    title: 'State',
    className: 'state-cell',
    show: (row) => (
      <StateBadge
        state={stateOf(row)}
        why={`enabled: ${textOf(row, 'netif.status.admin.name')}, operates: ${textOf(row, 'netif.status.oper.name')}`}
      />
    ),
  },
  {
    id: 'name',
    title: 'Interface',
    show: (row) => (
      <button type="button" class="link" onClick={() => select({ row: row.key })}>
        <DeviceText text={nameOf(row)} max={40} />
      </button>
    ),
  },
  {
    id: 'alias',
    title: 'Alias',
    className: 'optional',
    show: (row) => <DeviceText text={textOf(row, 'netif.alias')} max={40} />,
  },
];

function trafficColumns(device: string): Column<RecordRow>[] {
  const cell = (row: RecordRow, field: string, unit?: string, times?: number) => (
    <ValueCell
      device={device}
      record={interfaceRecord}
      row={row}
      field={field}
      unit={unit}
      {...(times === undefined ? {} : { times })}
    />
  );
  return [
    {
      id: 'speed',
      title: 'Speed',
      className: 'right optional',
      show: (row) => cell(row, 'netif.speed', 'bit/s'),
    },
    {
      id: 'in',
      title: 'In',
      className: 'right',
      show: (row) => cell(row, 'netif.bytes.in_rate', 'bit/s', 8),
    },
    {
      id: 'out',
      title: 'Out',
      className: 'right',
      show: (row) => cell(row, 'netif.bytes.out_rate', 'bit/s', 8),
    },
    { id: 'used', title: 'Used', className: 'optional', show: (row) => <Used row={row} /> },
    {
      id: 'errors-in',
      title: 'Errors in',
      className: 'right optional',
      show: (row) => cell(row, 'netif.errors.in_rate', '/s'),
    },
    {
      id: 'errors-out',
      title: 'out',
      className: 'right optional',
      show: (row) => cell(row, 'netif.errors.out_rate', '/s'),
    },
    {
      id: 'discards-in',
      title: 'Discards in',
      className: 'right optional',
      show: (row) => cell(row, 'netif.discards.in_rate', '/s'),
    },
    {
      id: 'discards-out',
      title: 'out',
      className: 'right optional',
      show: (row) => cell(row, 'netif.discards.out_rate', '/s'),
    },
  ];
}

/** How much of its speed an interface uses, in the busier direction. */
function Used({ row }: { readonly row: RecordRow }) {
  const speed = numberOf(row, 'netif.speed') ?? 0;
  const rate =
    Math.max(numberOf(row, 'netif.bytes.in_rate') ?? 0, numberOf(row, 'netif.bytes.out_rate') ?? 0) * 8;
  if (speed <= 0) return null;
  const share = Math.min(1, rate / speed);
  return (
    <span class="used">
      <meter
        min={0}
        max={1}
        high={0.8}
        optimum={0}
        value={share}
        aria-label="Used"
        title={`${showNumber(share * 100, '%')} of ${showNumber(speed, 'bit/s')}`}
      />
      <span class="num quiet">{Math.round(share * 100)} %</span>
    </span>
  );
}

function hasText(row: RecordRow, text: string): boolean {
  if (text === '') return true;
  const wanted = text.toLowerCase();
  return ['netif.name', 'netif.alias', 'netif.descr'].some((field) =>
    textOf(row, field).toLowerCase().includes(wanted),
  );
}

function isWanted(row: RecordRow, only: string): boolean {
  if (only === 'up') return stateOf(row) === 'up';
  if (only === 'trouble') return !['up', 'disabled'].includes(stateOf(row));
  if (only !== 'errors') return true;
  return ['errors.in', 'errors.out', 'discards.in', 'discards.out'].some(
    (each) => (numberOf(row, `netif.${each}_rate`) ?? 0) > 0,
  );
}
