import { countOf } from '../parts/count-text.ts';
import { type Line, LinePanel } from '../parts/line-panel.tsx';
import { For } from '../parts/state-age.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { DeviceText } from '../parts/texts.tsx';
import { api } from '../state/api.ts';
import { runs } from '../state/fleet.ts';
import { usePolled } from '../state/polled.ts';
import { formatPlace } from '../state/route-text.ts';

const maxShown = 12;
const reloadMs = 5_000;

/** Devices that are not up, with the reason, and shards that nobody polls. */
export function Problems({ unknown }: { readonly unknown: number }) {
  const isShared = runs('cluster') || runs('workers');
  const listed = usePolled(`problems ${isShared}`, reloadMs, async (signal) => {
    const [lists, cluster] = await Promise.all([
      Promise.all(
        (['down', 'suspect', 'recovering'] as const).map((state) =>
          api.call('listDevices', { query: { state, limit: maxShown }, signal }),
        ),
      ),
      isShared ? api.call('getCluster', { signal }) : undefined,
    ]);
    return {
      devices: lists.flatMap(({ body }) => body.devices).slice(0, maxShown),
      total: lists.reduce((sum, { body }) => sum + body.total, 0),
      unowned: cluster?.body.unownedShards ?? 0,
    };
  });
  const { devices = [], total = 0, unowned = 0 } = listed.value ?? {};
  const lines: Line[] = devices.map(({ name, ip, port, state, why, since }) => ({
    key: `${ip} ${port}`,
    start: (
      <>
        <StateBadge state={state} />
        <a href={formatPlace(['device', name])}>
          <DeviceText text={name} max={40} />
        </a>
      </>
    ),
    text: <DeviceText text={why} max={300} />,
    end: <For since={since} />,
  }));
  return (
    <LinePanel
      title="Problems"
      aside={
        total > devices.length ? (
          <a href="#/devices?sort=state">all {total.toLocaleString('en')}</a>
        ) : undefined
      }
      problem={listed.problem}
      empty={
        unknown === 0
          ? 'All devices that are polled answer.'
          : `No device is in trouble. ${countOf(unknown, 'device was', 'devices were')} not asked yet.`
      }
      lines={listed.value && (unowned === 0 ? lines : [unownedLine(unowned), ...lines])}
    />
  );
}

function unownedLine(unowned: number): Line {
  return {
    key: 'unowned',
    start: <StateBadge state="error" />,
    text: `${countOf(unowned, 'shard has', 'shards have')} no owner: nobody polls the devices in them.`,
    end: <a href="#/cluster">members</a>,
  };
}
