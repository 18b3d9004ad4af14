import type { RecordRow } from '../../../../../src/client/index.ts';
import { countOf } from '../../parts/count-text.ts';
import { ChoiceField, SearchField } from '../../parts/filter-fields.tsx';
import { LongTable } from '../../parts/long-table.tsx';
import { DeviceText } from '../../parts/texts.tsx';
import { place } from '../../state/place.ts';
import type { DeviceTabProps, RecordTable } from './device-rows.ts';
import { nameRow } from './row-name.ts';
import { ValueCell } from './value-cell.tsx';

interface ValueRow {
  readonly id: string;
  readonly record: string;
  readonly row: RecordRow;
  readonly field: string;
  readonly unit: string | undefined;
}

/** Every value that the last polls read, and every one that is missing. */
export function ValuesTab({ device, tables }: DeviceTabProps) {
  const { find = '', only = '' } = place.value.query;
  const rows = tables.flatMap(listValues);
  const wanted = find.toLowerCase();
  const shown = rows.filter(
    ({ record, row, field }) =>
      (only !== 'missing' || row.values[field] === undefined) &&
      (wanted === '' ||
        `${record} ${field} ${row.key} ${Object.values(row.labels).join(' ')}`
          .toLowerCase()
          .includes(wanted)),
  );
  return (
    <>
      <search class="filters">
        <SearchField name="find" label="Search values" placeholder="Record, field or row" />
        <ChoiceField name="only" label="Which values" all="All" choices={[['missing', 'Missing']]} />
        <output class="quiet">
          {shown.length === rows.length
            ? countOf(rows.length, 'value')
            : `${shown.length.toLocaleString('en')} of ${countOf(rows.length, 'value')}`}
          ; choose one to see where it comes from
        </output>
      </search>
      <LongTable
        label="Values"
        rows={shown}
        keyOf={({ id }) => id}
        columns={[
          { id: 'record', title: 'Record', className: 'mono optional', show: ({ record }) => record },
          { id: 'row', title: 'Row', show: ({ row }) => <DeviceText text={nameRow(row)} max={40} /> },
          { id: 'field', title: 'Field', className: 'mono rest', show: ({ field }) => field },
          {
            id: 'value',
            title: 'Value',
            className: 'right',
            show: ({ record, row, field, unit }) => (
              <ValueCell device={device.name} record={record} row={row} field={field} unit={unit} />
            ),
          },
        ]}
      />
    </>
  );
}

function listValues({ record, fields, rows }: RecordTable): ValueRow[] {
  return rows.flatMap((row) =>
    fields
      .filter(({ field }) => row.values[field] !== undefined || row.gaps[field] !== undefined)
      .map(({ field, unit }) => ({ id: `${record}\n${row.key}\n${field}`, record, row, field, unit })),
  );
}
