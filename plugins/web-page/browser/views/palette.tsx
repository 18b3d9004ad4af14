import { useSignal } from '@preact/signals';
import type { Device } from '../../../../src/client/index.ts';
import { Dialog } from '../parts/dialog.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { DeviceText } from '../parts/texts.tsx';
import { api } from '../state/api.ts';
import { isPaletteOpen } from '../state/palette-state.ts';
import { goTo } from '../state/place.ts';
import { usePolled } from '../state/polled.ts';
import { switchTheme } from '../state/theme.ts';
import { listEntries } from './navigation.tsx';

interface Choice {
  readonly id: string;
  readonly label: string;
  readonly kind: string;
  readonly state?: string;
  readonly open: () => void;
}

const commands: readonly Choice[] = [
  { id: 'theme', label: 'Switch colours: light, dark, as the system', kind: 'command', open: switchTheme },
];

function listChoices(wanted: string, found: readonly Device[]): Choice[] {
  const fits = ({ label }: Choice) => wanted !== '' && label.toLowerCase().includes(wanted.toLowerCase());
  const views = listEntries().map(({ id, label }) => ({ id, label, kind: 'view', open: () => goTo([id]) }));
  const devices = found.map(({ name, ip, port, state }) => ({
    id: `${ip} ${port}`,
    label: name,
    kind: `${ip}:${port}`,
    state,
    open: () => goTo(['device', name]),
  }));
  return [...views.filter(fits), ...devices, ...commands.filter(fits)];
}

/** Finds a device, a view or a command as somebody types. */
export function Palette() {
  const text = useSignal('');
  const chosen = useSignal(0);
  const wanted = text.value.trim();
  const found = usePolled(`palette ${wanted}`, 0, async (signal) => {
    const { body } = await api.call('listDevices', {
      query: { limit: 12, ...(wanted === '' ? {} : { text: wanted }) },
      signal,
    });
    return body;
  });
  const close = () => {
    isPaletteOpen.value = false;
  };
  const choices = listChoices(wanted, found.value?.devices ?? []);
  const open = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    close();
    choice.open();
  };
  const current = Math.min(chosen.value, Math.max(0, choices.length - 1));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      chosen.value = Math.min(Math.max(current + step, 0), choices.length - 1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(choices[current]);
    }
  };
  return (
    <Dialog title="Search" className="palette" onClose={close}>
      <input
        placeholder="Name or address of a device, or a view"
        aria-label="Search"
        role="combobox"
        autocomplete="off"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={choices.length === 0 ? undefined : `choice-${current}`}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <div id="found" role="listbox" aria-label="Found">
        {choices.map((choice, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input takes the keys.
          <div
            class={i === current ? 'choice chosen' : 'choice'}
            tabIndex={-1}
            key={choice.id}
            id={`choice-${i}`}
            role="option"
            aria-selected={i === current}
            onClick={() => open(choice)}
          >
            <DeviceText text={choice.label} max={60} />
            {choice.state !== undefined && <StateBadge state={choice.state} />}
            <span class="quiet kind">{choice.kind}</span>
          </div>
        ))}
      </div>
      {choices.length === 0 && !found.isLoading && (
        <p class="quiet">Nothing has this in its name or address.</p>
      )}
      {found.value !== undefined && found.value.total > found.value.devices.length && (
        <p class="quiet">{found.value.total} devices in all. Type more of the name.</p>
      )}
    </Dialog>
  );
}
