import type { RecordRow } from '../../../../../src/client/index.ts';
import { isTroublesome } from '../../parts/gap-words.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { DeviceText, Num } from '../../parts/texts.tsx';
import { Tile } from '../../parts/tile.tsx';
import { formatPlace } from '../../state/route-text.ts';
import { type DeviceTabProps, numberOf, type RecordTable, rowsOf, textOf } from './device-rows.ts';
import { interfaceRecord } from './graphs.ts';
import { stateOf } from './interface-words.ts';

/** The device at a glance; each tile leads to what it counts. */
export function SummaryTiles({ device, tables }: DeviceTabProps) {
  const link = (tab: string, query: Readonly<Record<string, string>> = {}) =>
    formatPlace(['device', device.name], { tab, ...query });
  return (
    <div class="tiles few">
      <Interfaces rows={rowsOf(tables, interfaceRecord)} link={link} />
      <Usage title="Processors" rows={rowsOf(tables, 'processor')} kind="processor" />
      <Usage title="Memory" rows={rowsOf(tables, 'memory')} kind="memory" />
      <Usage title="Storage" rows={rowsOf(tables, 'storage')} kind="storage" />
      <Sensors rows={rowsOf(tables, 'sensor')} link={link} />
      <MissingValues tables={tables} link={link} />
    </div>
  );
}

interface Linked {
  readonly link: (tab: string, query?: Readonly<Record<string, string>>) => string;
}

function Interfaces({ rows, link }: Linked & { readonly rows: readonly RecordRow[] }) {
  if (rows.length === 0) return null;
  const states = rows.map(stateOf);
  const up = states.filter((state) => state === 'up').length;
  const disabled = states.filter((state) => state === 'disabled').length;
  const troubled = rows.length - up - disabled;
  return (
    <Tile title="Interfaces up" hint={`${disabled} are disabled`}>
      <a href={link('interfaces')}>
        <span class="num">{up}</span>
        <span class="unit"> of {rows.length - disabled}</span>
      </a>
      {troubled > 0 && (
        <small>
          <a href={link('interfaces', { only: 'trouble' })}>
            <StateBadge state="down" /> {troubled}
          </a>
        </small>
      )}
    </Tile>
  );
}

/** The busiest or fullest one with its name. A mean hides it among the others. */
function Usage({
  title,
  rows,
  kind,
}: {
  readonly title: string;
  readonly rows: readonly RecordRow[];
  readonly kind: string;
}) {
  const used = rows.flatMap((row) => {
    const usage = numberOf(row, `${kind}.usage`);
    return usage === undefined ? [] : [{ name: textOf(row, `${kind}.name`), usage }];
  });
  if (used.length === 0) return null;
  const fullest = used.reduce((most, each) => (each.usage > most.usage ? each : most));
  const hint = used.length === 1 ? undefined : `The highest of ${used.length}`;
  return (
    <Tile title={title} {...(hint === undefined ? {} : { hint })}>
      <Num value={Math.round(fullest.usage)} unit="%" />
      <small>
        <DeviceText text={fullest.name} max={24} />
      </small>
    </Tile>
  );
}

function Sensors({ rows, link }: Linked & { readonly rows: readonly RecordRow[] }) {
  if (rows.length === 0) return null;
  const count = (state: string) => rows.filter((row) => textOf(row, 'sensor.state') === state).length;
  const worst = (['critical', 'warning'] as const).find((state) => count(state) > 0);
  return (
    <Tile title="Sensors">
      <a href={link('sensors')}>
        <span class="num">{rows.length}</span>
      </a>
      <small>
        {worst === undefined ? (
          <StateBadge state="ok" />
        ) : (
          <a href={link('sensors')}>
            <StateBadge state={worst} /> {count(worst)}
          </a>
        )}
      </small>
    </Tile>
  );
}

/** Values that a person can do something about. The others are a property of the device. */
function MissingValues({ tables, link }: Linked & { readonly tables: readonly RecordTable[] }) {
  if (tables.length === 0) return null;
  const gaps = tables.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row.gaps)));
  const troubled = gaps.filter(isTroublesome).length;
  return (
    <Tile title="Missing values" hint="Of the last polls. Each says why it is missing.">
      <a href={link('values', { only: 'missing' })}>
        <span class="num">{gaps.length.toLocaleString('en')}</span>
      </a>
      <small class={troubled > 0 ? 'bad-text' : undefined}>
        {troubled > 0 ? `${troubled} to look at` : gaps.length > 0 && 'harmless'}
      </small>
    </Tile>
  );
}
