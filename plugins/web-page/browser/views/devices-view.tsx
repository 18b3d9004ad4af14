import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useMemo } from 'preact/hooks';
import type { Device, DeviceList } from '../../../../src/client/index.ts';
import { countOf } from '../parts/count-text.ts';
import { ChoiceField, SearchField } from '../parts/filter-fields.tsx';
import { type Column, LongTable } from '../parts/long-table.tsx';
import { Trouble } from '../parts/panel.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Ago, DeviceText } from '../parts/texts.tsx';
import { api } from '../state/api.ts';
import { noticeFailure } from '../state/connection.ts';
import { runs } from '../state/fleet.ts';
import { goTo, place, select } from '../state/place.ts';
import { wantPollLines } from '../state/poll-lines.ts';
import { usePolled } from '../state/polled.ts';
import { formatPlace } from '../state/route-text.ts';
import { session } from '../state/session.ts';
import { AddDevice } from './add-device.tsx';
import { PollSparkline } from './poll-sparkline.tsx';

const pageSize = 200;
const reloadMs = 10_000;
const states = ['up', 'suspect', 'down', 'recovering', 'unknown'] as const;

/** All devices: the collector searches and filters, the page draws the rows that are visible. */
export function DevicesView() {
  const { text = '', state = '', group = '', vendor = '', tag = '', sort = '' } = place.value.query;
  const filter = { text, state, group, vendor, tag, sort };
  const { first, rows, onEnd } = useDevicePages(filter);
  const isAdding = useSignal(false);
  const groups = usePolled('device groups', 60_000, async (signal) =>
    (await api.call('listDeviceGroups', { query: { limit: 500 }, signal })).body.groups.map(({ id }) => id),
  );
  const hasHistory = runs('history');
  const columns = useMemo(() => listColumns(hasHistory), [hasHistory]);
  // Each reload asks again for lines that are old.
  const onWindow = useCallback(
    (shown: readonly Device[]) => {
      if (hasHistory) wantPollLines(shown.map(({ name }) => name));
    },
    [hasHistory, first.value],
  );
  const total = first.value?.total;
  return (
    <div class="view full">
      <div class="title-row">
        <h1>Devices</h1>
        {session.value?.canAdmin === true && (
          <div class="actions">
            <button
              type="button"
              onClick={() => {
                isAdding.value = true;
              }}
            >
              Add a device
            </button>
          </div>
        )}
      </div>
      <DeviceFilters
        filter={filter}
        groups={groups.value ?? []}
        total={total}
        onEnter={() => rows[0] !== undefined && open(rows[0])}
      />
      <Trouble problem={first.problem} />
      {total === 0 ? (
        <p class="empty">No device fits. Clear the filters, or check the spelling.</p>
      ) : (
        <LongTable
          label="Devices"
          rows={rows}
          columns={columns}
          keyOf={keyOf}
          onOpen={open}
          onEnd={onEnd}
          onWindow={onWindow}
          sortedBy={
            sort === '' ? undefined : { id: sort.replace('-', ''), isDescending: sort.startsWith('-') }
          }
          onSort={(id) => select({ sort: sort === id ? `-${id}` : id })}
        />
      )}
      {isAdding.value && (
        <AddDevice
          groups={groups.value ?? []}
          onClose={() => {
            isAdding.value = false;
          }}
        />
      )}
    </div>
  );
}

type DeviceFilter = Readonly<Record<'text' | 'state' | 'group' | 'vendor' | 'tag' | 'sort', string>>;

/** The devices of the pages that were scrolled to; the first page is read again from time to time. */
function useDevicePages(filter: DeviceFilter) {
  const key = JSON.stringify(filter);
  const first = usePolled(`devices ${key}`, reloadMs, (signal) => loadPage(filter, undefined, signal));
  const more = useSignal<{ readonly key: string; readonly pages: readonly DeviceList[] }>({ key, pages: [] });
  const isLoadingMore = useSignal(false);
  useEffect(() => {
    more.value = { key, pages: [] };
  }, [key, more]);

  const pages = [
    ...(first.value === undefined ? [] : [first.value]),
    ...(more.value.key === key ? more.value.pages : []),
  ];
  const rows = useMemo(() => joinPages(pages), [first.value, more.value]);
  const next = pages.at(-1)?.next;
  const onEnd = useCallback(() => {
    if (next === undefined || isLoadingMore.peek()) return;
    isLoadingMore.value = true;
    loadPage(filter, next, undefined)
      .then((page) => {
        const before = more.peek();
        more.value = { key, pages: [...(before.key === key ? before.pages : []), page] };
      })
      .catch(noticeFailure)
      .finally(() => {
        isLoadingMore.value = false;
      });
  }, [next, key]);
  return { first, rows, onEnd };
}

interface DeviceFiltersProps {
  readonly filter: DeviceFilter;
  readonly groups: readonly string[];
  readonly total: number | undefined;
  readonly onEnter: () => void;
}

function DeviceFilters({ filter, groups, total, onEnter }: DeviceFiltersProps) {
  const vendors = usePolled('vendors', 60_000, async (signal) =>
    (await api.call('listVendors', { signal })).body.vendors.map(
      ({ vendor: name, devices }) => [name, `${name} (${devices})`] as const,
    ),
  );
  const { sort: _, ...narrowing } = filter;
  return (
    <search class="filters">
      <SearchField
        name="text"
        label="Search devices"
        placeholder="Part of a name or address"
        onEnter={onEnter}
      />
      <ChoiceField name="state" label="State" all="Any state" choices={states} />
      <ChoiceField name="group" label="Group" all="Any group" choices={groups} />
      <ChoiceField name="vendor" label="Vendor" all="Any vendor" choices={vendors.value ?? []} />
      <input
        aria-label="Tag"
        placeholder="Tag, such as site=lab"
        value={filter.tag}
        onChange={(event) => select({ tag: event.currentTarget.value })}
      />
      {Object.values(narrowing).some((value) => value !== '') && (
        <button type="button" onClick={() => select({ text: '', state: '', group: '', vendor: '', tag: '' })}>
          Clear
        </button>
      )}
      <output class="quiet">{total === undefined ? 'Loading …' : countOf(total, 'device')}</output>
    </search>
  );
}

function open({ name }: Device): void {
  goTo(['device', name]);
}

function keyOf({ ip, port }: Device): string {
  return `${ip} ${port}`;
}

function listColumns(hasHistory: boolean): Column<Device>[] {
  return [
    {
      id: 'state',
      title: 'State',
      isSortable: true,
      className: 'state-cell',
      show: ({ state, why }) => <StateBadge state={state} why={why} />,
    },
    {
      id: 'name',
      title: 'Name',
      isSortable: true,
      className: 'rest',
      show: ({ name }) => (
        <a href={formatPlace(['device', name])}>
          <DeviceText text={name} max={60} />
        </a>
      ),
    },
    {
      id: 'address',
      title: 'Address',
      isSortable: true,
      className: 'mono',
      show: ({ ip, port }) => `${ip}${port === 161 ? '' : `:${port}`}`,
    },
    {
      id: 'vendor',
      title: 'Vendor',
      isSortable: true,
      className: 'optional',
      show: ({ vendor = '' }) => vendor,
    },
    {
      id: 'groups',
      title: 'Groups',
      className: 'optional',
      show: ({ deviceGroups }) => <DeviceText text={deviceGroups.join(', ')} max={50} />,
    },
    {
      id: 'tags',
      title: 'Tags',
      className: 'optional',
      show: ({ tags }) =>
        Object.entries(tags).map(([name, value]) => (
          <a key={name} class="tag" href={formatPlace(['devices'], { tag: `${name}=${value}` })}>
            <DeviceText text={`${name}=${value}`} max={30} />
          </a>
        )),
    },
    ...(hasHistory
      ? [
          {
            id: 'poll',
            title: 'Poll duration, 1 h',
            className: 'optional',
            show: ({ name }: Device) => <PollSparkline device={name} />,
          },
        ]
      : []),
    {
      id: 'since',
      title: 'Since',
      isSortable: true,
      className: 'right optional',
      show: ({ since }) => <Ago at={since} />,
    },
  ];
}

async function loadPage(
  filter: DeviceFilter,
  cursor: string | undefined,
  signal: AbortSignal | undefined,
): Promise<DeviceList> {
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
  const { body } = await api.call('listDevices', {
    query: { limit: pageSize, ...given, ...(cursor === undefined ? {} : { cursor }) },
    ...(signal === undefined ? {} : { signal }),
  });
  return body;
}

/** A device that moved to another page meanwhile is shown once. */
function joinPages(pages: readonly DeviceList[]): Device[] {
  return [
    ...new Map(pages.flatMap(({ devices }) => devices).map((device) => [keyOf(device), device])).values(),
  ];
}
