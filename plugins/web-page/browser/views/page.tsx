import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { connection, followConnection } from '../state/connection.ts';
import { collector, followFleet } from '../state/fleet.ts';
import { followKeys } from '../state/keys.ts';
import { closeNotice, notices } from '../state/notices.ts';
import { isPaletteOpen } from '../state/palette-state.ts';
import { place } from '../state/place.ts';
import { isOpen, loadSession, session } from '../state/session.ts';
import { ClusterView } from './cluster-view.tsx';
import { DefinitionsView } from './definitions-view.tsx';
import { DeviceView } from './device/device-view.tsx';
import { DevicesView } from './devices-view.tsx';
import { EventsView } from './events-view.tsx';
import { FleetView } from './fleet-view.tsx';
import { missingPlugin, Navigation } from './navigation.tsx';
import { NetworksView } from './networks-view.tsx';
import { Palette } from './palette.tsx';
import { PluginsView } from './plugins-view.tsx';
import { SignInView } from './sign-in-view.tsx';
import { TrapsView } from './traps-view.tsx';

const views: Readonly<Record<string, FunctionComponent>> = {
  fleet: FleetView,
  devices: DevicesView,
  device: DeviceView,
  definitions: DefinitionsView,
  events: EventsView,
  traps: TrapsView,
  networks: NetworksView,
  plugins: PluginsView,
  cluster: ClusterView,
};

/** The frame around every view. */
export function Page() {
  useEffect(() => {
    const stop = new AbortController();
    void keepAsking(stop.signal);
    void followConnection(stop.signal);
    addEventListener('keydown', followKeys);
    return () => {
      stop.abort();
      removeEventListener('keydown', followKeys);
    };
  }, []);
  const mayRead = isOpen.value === true;
  useEffect(() => {
    if (!mayRead) return;
    const stop = new AbortController();
    void followFleet(stop.signal);
    return () => stop.abort();
  }, [mayRead]);
  const name = place.value.words[0] ?? 'fleet';
  useEffect(() => {
    document.title = `${place.value.words[1] ?? name} · Waywiser`;
    document.querySelector('main')?.scrollTo({ top: 0 });
  }, [name, place.value.words[1]]);

  if (session.value === undefined) return <Opening />;
  if (!mayRead) return <SignInView />;
  const View = views[name] ?? Nowhere;
  const missing = collector.value === undefined ? undefined : missingPlugin(name);
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('main')?.focus()}>
        Skip to the content
      </button>
      <Navigation />
      <main id="main" tabIndex={-1}>
        {connection.value === 'lost' && (
          <p class="lost" role="status">
            The connection to the collector is lost. What you see may be old. The page tries again every few
            seconds.
          </p>
        )}
        {missing === undefined ? <View /> : <NotRunning plugin={missing} />}
      </main>
      {isPaletteOpen.value && <Palette />}
      <Notices />
    </div>
  );
}

function Opening() {
  return (
    <p class="opening quiet">
      {connection.value === 'lost' ? 'The collector does not answer. Trying again …' : 'Loading …'}
    </p>
  );
}

function Nowhere() {
  return (
    <div class="view">
      <h1>There is nothing here</h1>
      <p>
        <a href="#/fleet">Go to the fleet</a>
      </p>
    </div>
  );
}

/** A link may lead to a view of a plugin that this collector does not have. */
function NotRunning({ plugin }: { readonly plugin: string }) {
  return (
    <div class="view">
      <h1>The plugin {plugin} does not run</h1>
      <p>
        This view needs it. Add <code>{plugin}</code> to <code>plugins</code> in the configuration of the
        collector.
      </p>
    </div>
  );
}

function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, level, text }) => (
        <div key={id} class={`notice ${level}`}>
          <span>{text}</span>
          <button type="button" aria-label="Close" onClick={() => closeNotice(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}

/** Asks who looks at the page until the collector answers. */
async function keepAsking(stop: AbortSignal): Promise<void> {
  while (!stop.aborted && session.peek() === undefined) {
    await loadSession().catch(() => {
      connection.value = 'lost';
    });
    if (session.peek() === undefined) await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}
