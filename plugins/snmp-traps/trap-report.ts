import { createDurationHistogram, type Histogram } from '../../src/internal.ts';
import type { Metric } from '../http-routes/service.ts';
import type { ReceptionReport } from './receiving/reception.ts';
import type { Receiving } from './receiving/reception-thread.ts';

/** What the reception says about itself, asked once a second. */
export class TrapReport {
  readonly #receiving: Pick<Receiving, 'report'>;
  readonly delays: Histogram = createDurationHistogram();
  #last: ReceptionReport | undefined;

  constructor(receiving: Pick<Receiving, 'report'>) {
    this.#receiving = receiving;
  }

  get last(): ReceptionReport | undefined {
    return this.#last;
  }

  async fresh(): Promise<ReceptionReport> {
    this.#last = await this.#receiving.report();
    return this.#last;
  }

  /** Its own counters never fall and have no label that a stranger chooses. */
  metrics(): readonly Metric[] {
    if (this.#last === undefined) return [];
    const { receiver, listeners } = this.#last;
    const one = (type: Metric['type'], name: string, help: string, value: number): Metric => ({
      name: `waywiser_${name}`,
      help,
      type,
      samples: [{ value }],
    });
    const by = (
      name: string,
      help: string,
      label: string,
      counts: Readonly<Record<string, number>>,
    ): Metric => ({
      name: `waywiser_${name}`,
      help,
      type: 'counter',
      samples: Object.entries(counts).map(([text, value]) => ({ labels: { [label]: text }, value })),
    });
    const { sum, count } = this.delays;
    const perListener = (
      type: Metric['type'],
      name: string,
      help: string,
      pick: (at: number) => number | undefined,
    ): Metric => ({
      name: `waywiser_${name}`,
      help,
      type,
      samples: listeners.flatMap(({ address, port }, at) => {
        const value = pick(at);
        return value === undefined ? [] : [{ labels: { listener: `${address} ${port}` }, value }];
      }),
    });
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
        (at) => listeners[at]?.kernelDrops,
      ),
      perListener(
        'gauge',
        'trap_receive_buffer_bytes',
        'The receive buffer that the system has granted.',
        (at) => listeners[at]?.receiveBufferBytes,
      ),
      one('gauge', 'trap_engines', 'SNMPv3 engines of senders that are known.', receiver.engines),
      one('gauge', 'trap_queued', 'Notifications that wait for the pipeline.', receiver.queued),
      {
        name: 'waywiser_trap_delay_seconds',
        help: 'Time from the receipt of a notification to the pipeline.',
        type: 'histogram',
        samples: [
          ...this.delays.cumulative().map(({ bound, count: below }) => ({
            suffix: '_bucket',
            labels: { le: String(bound) },
            value: below,
          })),
          { suffix: '_bucket', labels: { le: '+Inf' }, value: count },
          { suffix: '_sum', value: sum },
          { suffix: '_count', value: count },
        ],
      },
    ];
  }
}
