import { signal } from '@preact/signals';
import { api } from './api.ts';

const stepSeconds = 120;
const maxAgeMs = 60_000;
const maxDevices = 60;

interface PollLine {
  readonly loadedMs: number;
  readonly values: readonly (number | null | undefined)[];
}

/** The lines that were loaded, by the name of the device. */
export const pollLines = signal<ReadonlyMap<string, PollLine>>(new Map());
let timer: ReturnType<typeof setTimeout> | undefined;

/** Loads the lines of these devices with one request, unless they are fresh. Called often: the last call counts. */
export function wantPollLines(devices: readonly string[]): void {
  clearTimeout(timer);
  timer = setTimeout(() => void load(devices), 150);
}

async function load(devices: readonly string[]): Promise<void> {
  const nowMs = Date.now();
  const stale = devices
    .filter((name) => nowMs - (pollLines.peek().get(name)?.loadedMs ?? 0) > maxAgeMs)
    .slice(0, maxDevices);
  if (stale.length === 0) return;
  try {
    const { body } = await api.call('getHistory', {
      query: {
        device: stale,
        record: 'waywiser::device',
        field: 'poll.duration',
        from: '-1h',
        step: stepSeconds,
      },
    });
    const found = new Map(body.series.map(({ device, values }) => [device, values]));
    pollLines.value = new Map([
      ...pollLines.peek(),
      ...stale.map((name): [string, PollLine] => [name, { loadedMs: nowMs, values: found.get(name) ?? [] }]),
    ]);
  } catch {
    // A list without lines is still a list.
  }
}
