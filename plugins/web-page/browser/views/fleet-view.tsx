import { useSignal, useSignalEffect } from '@preact/signals';
import type { AnswerBody } from '../../../../src/client/index.ts';
import { api } from '../state/api.ts';

/** What collects, and how many devices it has. */
export function FleetView() {
  const collector = useSignal<AnswerBody<'getCollector'> | undefined>(undefined);
  useSignalEffect(() => {
    const stop = new AbortController();
    api.call('getCollector', { signal: stop.signal }).then(
      ({ body }) => {
        collector.value = body;
      },
      () => {},
    );
    return () => stop.abort();
  });
  if (collector.value === undefined) return <p>Loading.</p>;
  const { instance, version, devices } = collector.value;
  return (
    <main>
      <h1>{instance}</h1>
      <p>Waywiser {version}</p>
      <ul>
        {Object.entries(devices).map(([state, count]) => (
          <li key={state}>
            {count} {state}
          </li>
        ))}
      </ul>
    </main>
  );
}
