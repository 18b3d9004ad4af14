import { useSignal } from '@preact/signals';
import type { DeviceDetails } from '../../../../../src/client/index.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { showNumber } from '../../parts/number-text.ts';
import { api } from '../../state/api.ts';
import { act } from '../../state/notices.ts';
import { goTo } from '../../state/place.ts';
import { session } from '../../state/session.ts';

/** What somebody with the role `operate` can do with a device. */
export function DeviceActions({
  device,
  onActed,
}: {
  readonly device: DeviceDetails;
  readonly onActed: () => void;
}) {
  const isAsking = useSignal(false);
  const busy = useSignal<'poll' | 'discovery' | undefined>(undefined);
  const isRemoving = useSignal(false);
  if (session.value?.canOperate !== true) return null;
  const run = async (kind: 'poll' | 'discovery', job: () => Promise<string>) => {
    busy.value = kind;
    await act(job);
    busy.value = undefined;
    onActed();
  };
  return (
    <div class="actions">
      <button
        type="button"
        disabled={busy.value !== undefined}
        onClick={() => void run('poll', () => pollNow(device))}
      >
        {busy.value === 'poll' ? 'Polling …' : 'Poll now'}
      </button>
      <button
        type="button"
        disabled={busy.value !== undefined}
        onClick={() => {
          isAsking.value = true;
        }}
      >
        {busy.value === 'discovery' ? 'Discovering …' : 'Rediscover'}
      </button>
      {session.value.canAdmin && isRemovable(device) && (
        <button
          type="button"
          onClick={() => {
            isRemoving.value = true;
          }}
        >
          Remove
        </button>
      )}
      {isRemoving.value && (
        <Confirm
          title="Remove this device"
          doIt="Remove"
          onClose={() => {
            isRemoving.value = false;
          }}
          onDone={() => void act(() => remove(device))}
        >
          <p>
            The collector stops polling <bdi>{device.name}</bdi> and forgets what it knows about it.
            {device.origin.file !== '' && ' A scan that finds it again adds it again.'}
          </p>
        </Confirm>
      )}
      {isAsking.value && (
        <Confirm
          title="Rediscover this device"
          doIt="Rediscover"
          onClose={() => {
            isAsking.value = false;
          }}
          onDone={() => void run('discovery', () => rediscover(device))}
        >
          <p>
            The collector asks <bdi>{device.name}</bdi> for every object of its groups again and replaces its
            inventory. Polling goes on meanwhile. This may take many requests on a large device.
          </p>
        </Confirm>
      )}
    </div>
  );
}

/** Devices of the API have no file, and found ones have settings of a network. Those of the files are removed there. */
function isRemovable({ origin, settings }: DeviceDetails): boolean {
  return origin.file === '' || Object.values(settings).some((setting) => setting.origin === 'network');
}

async function remove({ name, ip, port }: DeviceDetails): Promise<string> {
  await api.call('removeDevice', { path: { ip, port: String(port) } });
  goTo(['devices']);
  return `${name} was removed.`;
}

async function pollNow({ name }: DeviceDetails): Promise<string> {
  const { status, body } = await api.call('pollDeviceByName', {
    path: { device: name },
    query: { wait: true },
  });
  if (status !== 200) return `${name} is being polled.`;
  const { values, packets, durationMs } = body.poll;
  return `${name} was polled: ${values} values, ${packets} packets, ${showNumber(durationMs, 'ms')}.`;
}

async function rediscover({ name, ip, port }: DeviceDetails): Promise<string> {
  const answer = await api.call('rediscoverDevice', { query: { wait: true }, body: { ip, port } });
  if (answer.status !== 200) return `${name} is being discovered.`;
  const { outcome } = answer.body.discovery;
  if (outcome?.ok === false)
    throw new Error(`${name} could not be discovered: ${outcome.message ?? outcome.code}`);
  const change = outcome?.change;
  return `${name} was discovered: ${change?.objects ?? 0} objects, ${change?.instances ?? 0} instances.`;
}
