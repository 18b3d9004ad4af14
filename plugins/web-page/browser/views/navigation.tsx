import { useSignal } from '@preact/signals';
import { connection } from '../state/connection.ts';
import { collector, runs, stateCounts } from '../state/fleet.ts';
import { navigationKeys } from '../state/keys.ts';
import { isPaletteOpen } from '../state/palette-state.ts';
import { place } from '../state/place.ts';
import { session } from '../state/session.ts';
import { signOut } from '../state/sign-in.ts';
import { switchTheme, theme } from '../state/theme.ts';

interface Entry {
  readonly id: string;
  readonly label: string;
  /** Only where one of these plugins runs. */
  readonly plugins?: readonly string[];
}

const entries: readonly Entry[] = [
  { id: 'fleet', label: 'Fleet' },
  { id: 'devices', label: 'Devices' },
  { id: 'definitions', label: 'Definitions' },
  { id: 'events', label: 'Events' },
  { id: 'traps', label: 'Traps', plugins: ['snmp-traps'] },
  { id: 'networks', label: 'Networks', plugins: ['network-discovery'] },
  { id: 'plugins', label: 'Outputs and plugins' },
  { id: 'cluster', label: 'Cluster', plugins: ['cluster', 'workers'] },
];

/** The plugin that a view needs and that does not run. */
export function missingPlugin(view: string): string | undefined {
  const { plugins = [] } = entries.find(({ id }) => id === view) ?? {};
  return plugins.some(runs) ? undefined : plugins[0];
}

/** The views that this collector has something for. */
export function listEntries(): readonly Entry[] {
  return entries
    .filter(({ id }) => missingPlugin(id) === undefined)
    .map((entry) => (entry.id === 'cluster' && runs('workers') ? { ...entry, label: 'Workers' } : entry));
}

export function Navigation() {
  const isOpen = useSignal(false);
  const shown = place.value.words[0] ?? 'fleet';
  const states = stateCounts.value;
  const troubled = states === undefined ? 0 : states.down + states.suspect;
  return (
    <header class={isOpen.value ? 'side open' : 'side'}>
      <div class="brand">
        <a href="#/fleet">
          <span class="mark" aria-hidden="true" />
          {collector.value?.instance ?? 'Waywiser'}
        </a>
        <Connection />
        <button
          type="button"
          class="menu"
          aria-expanded={isOpen.value}
          aria-label="Menu"
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          ☰
        </button>
      </div>
      <div class="folding">
        <button
          type="button"
          class="search"
          onClick={() => {
            isPaletteOpen.value = true;
          }}
        >
          <span>Search</span>
          <kbd>/</kbd>
        </button>
        <nav aria-label="Views">
          <ul>
            {listEntries().map(({ id, label }) => (
              <li key={id}>
                <a
                  href={`#/${id}`}
                  title={keyHint(id)}
                  onClick={() => {
                    isOpen.value = false;
                  }}
                  aria-current={id === shown || (id === 'devices' && shown === 'device') ? 'page' : undefined}
                >
                  {label}
                  {id === 'devices' && troubled > 0 && (
                    <span class="count bad" title={`${troubled} devices are down or suspect`}>
                      {troubled.toLocaleString('en')}
                    </span>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Viewer />
      </div>
    </header>
  );
}

/** The keys that go to a view. */
function keyHint(id: string): string | undefined {
  const key = Object.entries(navigationKeys).find(([, view]) => view === id)?.[0];
  return key === undefined ? undefined : `g ${key}`;
}

const connectionWords = {
  connecting: 'connecting',
  live: 'live',
  lost: 'no connection',
} as const;

function Connection() {
  const state = connection.value;
  return (
    <span class={`connection ${state}`} role="status" title="The connection to the collector">
      <span class="dot" aria-hidden="true" />
      {connectionWords[state]}
    </span>
  );
}

function Viewer() {
  const viewer = session.value;
  return (
    <div class="viewer">
      <button type="button" class="plain" onClick={switchTheme}>
        Colours: {theme.value}
      </button>
      {viewer?.signInRequired === true && (
        <p>
          <bdi>{viewer.name}</bdi> <span class="quiet">{viewer.roles.at(-1)}</span>{' '}
          <button type="button" class="plain" onClick={() => void signOut()}>
            Sign out
          </button>
        </p>
      )}
      <p class="quiet">
        Waywiser {viewer?.version} · <a href="./docs">API</a>
      </p>
    </div>
  );
}
