import { histogramSamples, labelledMetric, oneMetric } from '../../src/http/index.ts';
import type { ListenerStatistics } from '../../src/snmp/index.ts';
import { createDurationHistogram, type Histogram } from '../../src/timing/index.ts';
import type { Metric } from '../http-routes/service.ts';
import type { ReceptionReport } from './receiving/reception.ts';
import type { Receiving } from './receiving/reception-thread.ts';

/** As the event `trap.dropped` has it. */
export interface RecentDrop {
  readonly source: string;
  readonly cause: string;
  readonly count: number;
}

/** What the reception says about itself, asked once a second. */
export class TrapReport {
  readonly #receiving: Pick<Receiving, 'report'>;
  readonly delays: Histogram = createDurationHistogram();
  #last: ReceptionReport | undefined;
  /** Drops that a report had, and nobody has taken. */
  #drops: RecentDrop[] = [];
  #kernelDrops = 0;

  constructor(receiving: Pick<Receiving, 'report'>) {
    this.#receiving = receiving;
  }

  get last(): ReceptionReport | undefined {
    return this.#last;
  }

  async fresh(): Promise<ReceptionReport> {
    this.#last = await this.#receiving.report();
    this.#drops.push(...this.#last.recentDrops);
    return this.#last;
  }

  /** What was dropped since the last call, also by the system: what had no room in the buffers of the listeners. */
  async takeDrops(): Promise<readonly RecentDrop[]> {
    const { listeners } = await this.fresh();
    const drops = this.#drops;
    this.#drops = [];
    const all = listeners.reduce((sum, { kernelDrops = 0 }) => sum + kernelDrops, 0);
    if (all > this.#kernelDrops)
      drops.push({ source: 'kernel', cause: 'kernel', count: all - this.#kernelDrops });
    this.#kernelDrops = all;
    return drops;
  }

  /** Its own counters never fall and have no label that a stranger chooses. */
  metrics(): readonly Metric[] {
    if (this.#last === undefined) return [];
    const { receiver, listeners } = this.#last;
    const one = (type: 'counter' | 'gauge', name: string, help: string, value: number) =>
      oneMetric(type, `waywiser_${name}`, help, value);
    const by = (name: string, help: string, label: string, counts: Readonly<Record<string, number>>) =>
      labelledMetric('counter', `waywiser_${name}`, help, label, Object.entries(counts));
    const perListener = (
      type: 'counter' | 'gauge',
      name: string,
      help: string,
      pick: (listener: ListenerStatistics) => number | undefined,
    ) =>
      labelledMetric(
        type,
        `waywiser_${name}`,
        help,
        'listener',
        listeners.flatMap((listener) => {
          const value = pick(listener);
          return value === undefined ? [] : [[`${listener.address} ${listener.port}`, value] as const];
        }),
      );
    return [
      one(
        'counter',
        'traps_received_total',
        'Datagrams that the listeners of notifications received.',
        receiver.received,
      ),
      one('counter', 'traps_accepted_total', 'Traps and informs that were recorded.', receiver.accepted),
      one('counter', 'traps_discovery_total', 'Questions for the SNMP engine ID.', receiver.discovery),
      by(
        'traps_collapsed_total',
        'Notifications that were received before: copy or repeat.',
        'why',
        receiver.collapsed,
      ),
      by('traps_dropped_total', 'Datagrams that were not accepted, by cause.', 'cause', receiver.dropped),
      by('trap_informs_total', 'Informs by outcome.', 'outcome', receiver.informs),
      by('trap_reports_total', 'SNMPv3 Reports that were sent, by reason.', 'reason', receiver.reports),
      perListener(
        'counter',
        'trap_kernel_drops_total',
        'Datagrams that the system had no room for.',
        ({ kernelDrops }) => kernelDrops,
      ),
      perListener(
        'gauge',
        'trap_receive_buffer_bytes',
        'The receive buffer that the system has granted.',
        (listener) => listener.receiveBufferBytes,
      ),
      one('gauge', 'trap_engines', 'SNMPv3 engines of senders that are known.', receiver.engines),
      one('gauge', 'trap_queued', 'Notifications that wait for the pipeline.', receiver.queued),
      {
        name: 'waywiser_trap_delay_seconds',
        help: 'Time from the receipt of a notification to the pipeline.',
        type: 'histogram',
        samples: histogramSamples(this.delays),
      },
    ];
  }
}
