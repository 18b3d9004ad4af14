import { computed, signal } from '@preact/signals';
import type { Collector, DeviceStateCounts, PollingCounters } from '../../../../src/client/index.ts';
import { api } from './api.ts';
import { noticeFailure } from './connection.ts';

/** One reading of the collector's counters. */
export interface FleetReading {
  readonly atMs: number;
  readonly collector: Collector;
  readonly polling: PollingCounters;
  /** Of all members, where there are several. */
  readonly states: DeviceStateCounts;
}

const maxReadings = 120;
const everyMs = 5_000;
/** The second reading comes soon, because rates need two. */
const secondAfterMs = 2_000;

/** The readings since the page was opened, the latest last: rates and their lines are made of them. */
export const fleetReadings = signal<readonly FleetReading[]>([]);
export const collector = computed(() => fleetReadings.value.at(-1)?.collector);
/** How many devices have which state. */
export const stateCounts = computed(() => fleetReadings.value.at(-1)?.states);

/** Whether a plugin runs; false until the collector has answered. */
export function runs(plugin: string): boolean {
  return collector.value?.plugins.some((each) => each.plugin === plugin && each.state === 'started') ?? false;
}

/** Reads the counters until `signal` aborts, as long as somebody looks at the page. */
export async function followFleet(stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    if (document.visibilityState === 'visible') await readFleet(stop);
    const waitMs = fleetReadings.peek().length === 1 ? secondAfterMs : everyMs;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

async function readFleet(stop: AbortSignal): Promise<void> {
  try {
    const [{ body: latest }, { body: polling }] = await Promise.all([
      api.call('getCollector', { signal: stop }),
      api.call('getPolling', { signal: stop }),
    ]);
    const states = await countStates(latest, stop);
    const readings = fleetReadings.peek();
    // A collector that started again counts from zero.
    const isNew = (readings.at(-1)?.polling.polls ?? 0) > polling.polls;
    fleetReadings.value = [
      ...(isNew ? [] : readings),
      { atMs: Date.now(), collector: latest, polling, states },
    ].slice(-maxReadings);
  } catch (error) {
    if (!stop.aborted) noticeFailure(error);
  }
}

/** A member knows the states of its own devices only; the list of devices is that of all members. */
async function countStates(
  { plugins, devicesByState }: Collector,
  signal: AbortSignal,
): Promise<DeviceStateCounts> {
  if (!plugins.some(({ plugin }) => plugin === 'cluster')) return devicesByState;
  const states = Object.keys(devicesByState) as (keyof DeviceStateCounts)[];
  const counted = await Promise.all(
    states.map(async (state) => {
      const { body } = await api.call('listDevices', { query: { state, limit: 1 }, signal });
      return [state, body.total] as const;
    }),
  );
  return Object.fromEntries(counted) as unknown as DeviceStateCounts;
}
