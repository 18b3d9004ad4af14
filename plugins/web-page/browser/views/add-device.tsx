import { useSignal } from '@preact/signals';
import { ApiProblem } from '../../../../src/client/index.ts';
import { Dialog } from '../parts/dialog.tsx';
import { api } from '../state/api.ts';
import { act } from '../state/notices.ts';
import { goTo } from '../state/place.ts';

const versions = [
  ['', 'as in the defaults'],
  ['1', '1'],
  ['2c', '2c'],
  ['3', '3'],
] as const;

interface Refusal {
  readonly text: string;
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/** Adds a device. What the form leaves out comes from defaults/device.yml. */
export function AddDevice({
  groups,
  onClose,
}: {
  readonly groups: readonly string[];
  readonly onClose: () => void;
}) {
  const refusal = useSignal<Refusal | undefined>(undefined);
  const isBusy = useSignal(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    isBusy.value = true;
    refusal.value = await add((name) => String(form.get(name) ?? '').trim());
    isBusy.value = false;
    if (refusal.value === undefined) onClose();
  };
  return (
    <Dialog title="Add a device" onClose={onClose}>
      <h2>Add a device</h2>
      <p class="quiet">
        The collector keeps it in its state directory. What you leave out comes from{' '}
        <code>defaults/device.yml</code>. Polling begins when the first discovery has ended.
      </p>
      <form class="fields-form" onSubmit={submit}>
        <DeviceFields groups={groups} />
        {refusal.value !== undefined && <Refused refusal={refusal.value} />}
        <div class="buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isBusy.value}>
            Add
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function DeviceFields({ groups }: { readonly groups: readonly string[] }) {
  const version = useSignal('');
  return (
    <>
      <label>
        Name
        <input name="name" required maxLength={200} autocomplete="off" />
      </label>
      <label>
        Address
        <input name="ip" required placeholder="192.0.2.1" autocomplete="off" spellcheck={false} />
      </label>
      <label>
        Port
        <input name="port" inputMode="numeric" pattern="[0-9]{1,5}" placeholder="161" autocomplete="off" />
      </label>
      <label>
        SNMP version
        <select
          name="version"
          value={version.value}
          onChange={(event) => {
            version.value = event.currentTarget.value;
          }}
        >
          {versions.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {version.value !== '3' && (
        <label>
          Community
          <input
            name="community"
            placeholder={'${env:NAME} or ${file:name}'}
            autocomplete="off"
            spellcheck={false}
          />
        </label>
      )}
      <label>
        Device group
        <select name="group">
          <option value="">its sysObjectID decides</option>
          {groups.map((group) => (
            <option key={group} value={group}>
              {group}
            </option>
          ))}
        </select>
      </label>
      <label>
        Seconds between polls
        <input name="interval" inputMode="numeric" pattern="[0-9]*" autocomplete="off" />
      </label>
    </>
  );
}

function Refused({ refusal: { text, problems } }: { readonly refusal: Refusal }) {
  return (
    <div class="trouble" role="alert">
      {text}
      <ul>
        {problems.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path !== '' && <code>{path}: </code>}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Resolves with why the collector refused the device. */
async function add(field: (name: string) => string): Promise<Refusal | undefined> {
  const [name, ip, port, version, community, group, interval] = [
    'name',
    'ip',
    'port',
    'version',
    'community',
    'group',
    'interval',
  ].map(field) as [string, string, string, string, string, string, string];
  let refusal: Refusal | undefined;
  await act(
    async () => {
      await api.call('addDevice', {
        body: {
          name,
          ip,
          ...(port === '' ? {} : { port: Number(port) }),
          ...(version === '' ? {} : { version: version as '1' | '2c' | '3' }),
          ...(community === '' ? {} : { communities: [community] }),
          ...(group === '' ? {} : { device_groups: [group] }),
          ...(interval === '' ? {} : { poll_interval: Number(interval) }),
        },
      });
      goTo(['device', name]);
      return `${name} was added.`;
    },
    (error) => {
      refusal = describeRefusal(error);
    },
  );
  return refusal;
}

function describeRefusal(error: unknown): Refusal {
  const text = error instanceof Error ? error.message : String(error);
  const problems = error instanceof ApiProblem ? error.members['problems'] : undefined;
  return { text, problems: Array.isArray(problems) ? problems : [] };
}
