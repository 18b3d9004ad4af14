import type { Batch, EventBus } from '../../../src/index.ts';
import { ownRecord } from '../../../src/index.ts';
import { shardOf } from '../../../src/sharding/index.ts';
import type { Device, DeviceRegistry } from '../../device-registry/service.ts';
import type { DeviceTools } from '../device/device-tools.ts';
import type { Poller } from '../service.ts';
import { type GapRows, gapsRecord, healthRecord } from './health-records.ts';

export interface HealthParts {
  readonly registry: DeviceRegistry;
  readonly poller: Pick<Poller, 'deviceCounters'>;
  readonly tools: Pick<DeviceTools, 'clock' | 'push' | 'isPaused' | 'generation' | 'nextSequence' | 'shards'>;
  readonly everyMs: number;
}

const stepMs = 1_000;

/**
 * Sends records about the health of each device, at its interval and when its state changes: also while the device is down and gets no
 * polls. The devices are spread evenly over the interval, one step per second.
 */
export class HealthReporter {
  readonly #parts: HealthParts;
  readonly #gapRows: GapRows = new Map();
  #step = 0;
  #timer: unknown = undefined;

  constructor(parts: HealthParts) {
    this.#parts = parts;
  }

  listen(events: EventBus): void {
    events.on('device.state', ({ device: { ip, port } }) => {
      const device = this.#parts.registry.findDevice(ip, port);
      if (device !== undefined) this.#report(device);
    });
  }

  begin(): void {
    const { clock } = this.#parts.tools;
    this.#timer = clock.setTimer(() => {
      this.begin();
      this.#reportStep();
    }, stepMs);
  }

  close(): void {
    this.#parts.tools.clock.clearTimer(this.#timer);
  }

  /** Reports the devices of this step: the same ones in each interval, as long as none is added or removed. */
  #reportStep(): void {
    const { registry, everyMs } = this.#parts;
    const steps = everyMs / stepMs;
    const step = this.#step;
    this.#step = (step + 1) % steps;
    const from = Math.floor((registry.size * step) / steps);
    let left = Math.floor((registry.size * (step + 1)) / steps) - from;
    for (const device of registry.devices(from)) {
      if (left-- <= 0) return;
      this.#report(device);
    }
  }

  /** A device that was not asked yet is neither up nor down. */
  #report(device: Device): void {
    const { poller, tools } = this.#parts;
    if (device.settings.enabled === false || device.status.state === 'unknown' || tools.isPaused()) return;
    if (!tools.shards.owns(shardOf(device.ref))) return;
    const counters = poller.deviceCounters(device);
    const gaps = counters && gapsRecord(counters, this.#gapRows);
    for (const record of [healthRecord(device, counters), ...(gaps === undefined ? [] : [gaps])]) {
      tools.push(this.#toBatch(device, record));
    }
  }

  #toBatch(
    { ref, settings }: Device,
    { record, rows, columns }: Pick<Batch, 'record' | 'rows' | 'columns'>,
  ): Batch {
    const { tools, everyMs } = this.#parts;
    const nowMs = Math.round(tools.clock.wallNow());
    return {
      device: ref,
      tags: settings.tags ?? noTags,
      record,
      plan: ownRecord('health'),
      generation: tools.generation(),
      sequence: tools.nextSequence(),
      slotMs: nowMs,
      timeMs: nowMs,
      intervalMs: everyMs,
      rows,
      columns,
    };
  }
}

const noTags: Batch['tags'] = Object.freeze({});
