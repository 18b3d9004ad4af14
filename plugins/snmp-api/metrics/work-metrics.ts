import { histogramSamples, labelledMetric, type Metric, oneMetric } from '../../../src/http/index.ts';
import { Histogram } from '../../../src/timing/index.ts';
import { countStates } from '../devices/api-devices.ts';
import type { SnmpApiContext } from '../snmp-api-context.ts';

const pollBounds = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60];
const discoveryBounds = [0.1, 0.5, 1, 5, 10, 30, 60, 300];

/** Counts polls, discoveries, scans, values and gaps, from events. */
export class WorkMetrics {
  readonly #polls = new Map<string, number>();
  readonly #gaps = new Map<string, number>();
  readonly #discoveries = new Map<string, number>();
  readonly #partialTables = new Map<string, number>();
  readonly #applies = new Map<string, number>();
  readonly #scans = new Map<string, number>();
  readonly #scanned = new Map<string, number>();
  readonly #pollSeconds = new Histogram(pollBounds);
  readonly #discoverySeconds = new Histogram(discoveryBounds);
  #misorderedTables = 0;
  #values = 0;
  #packets = 0;
  #found = 0;

  constructor(events: SnmpApiContext['events']) {
    const countPoll = (outcome: string, poll: PollCounts) => {
      add(this.#polls, outcome);
      this.#packets += poll.packets;
      this.#pollSeconds.add(poll.durationMs / 1000);
      for (const [reason, count] of Object.entries(poll.gaps)) add(this.#gaps, reason, count);
    };
    events.on('poll.completed', (poll) => {
      countPoll('completed', poll);
      this.#values += poll.values;
    });
    events.on('poll.failed', (poll) => countPoll('failed', poll));
    events.on('device.misordered', () => {
      this.#misorderedTables++;
    });
    for (const outcome of ['completed', 'failed'] as const) {
      events.on(`discovery.${outcome}`, ({ durationMs }) => {
        add(this.#discoveries, outcome);
        this.#discoverySeconds.add(durationMs / 1000);
      });
    }
    events.on('discovery.completed', ({ inventory: { partial = {} } }) => {
      for (const reason of Object.values(partial)) add(this.#partialTables, nameReason(reason));
    });
    for (const outcome of ['completed', 'failed'] as const) {
      events.on(`scan.${outcome}`, ({ visited, known, answered, found, refused }) => {
        add(this.#scans, outcome);
        const results = { known, answered, refused, silent: visited - known - answered - refused };
        for (const [result, count] of Object.entries(results)) add(this.#scanned, result, count);
        this.#found += found;
      });
    }
    events.on('definitions.changed', () => add(this.#applies, 'changed'));
    events.on('definitions.rejected', () => add(this.#applies, 'rejected'));
  }

  list(context: SnmpApiContext): Metric[] {
    return [
      ...this.#listPolls(context),
      ...this.#listDiscoveries(context),
      ...this.#listScans(),
      ...this.#listDefinitions(context),
    ];
  }

  #listPolls(context: SnmpApiContext): Metric[] {
    return [
      labelledMetric(
        'gauge',
        'waywiser_devices',
        'Devices by state.',
        'state',
        Object.entries(countStates(context)),
      ),
      labelledMetric('counter', 'waywiser_polls_total', 'Polls by outcome.', 'outcome', this.#polls),
      {
        name: 'waywiser_poll_duration_seconds',
        help: 'Duration of polls, from the first request to the last reply.',
        type: 'histogram',
        samples: histogramSamples(this.#pollSeconds),
      },
      oneMetric('counter', 'waywiser_poll_values_total', 'Values that polls returned.', this.#values),
      oneMetric('counter', 'waywiser_poll_packets_total', 'Packets that polls sent.', this.#packets),
      labelledMetric(
        'counter',
        'waywiser_poll_gaps_total',
        'Missing values by reason.',
        'reason',
        this.#gaps,
      ),
      oneMetric(
        'counter',
        'waywiser_poll_misordered_tables_total',
        'Tables that are polled by GET because their OIDs do not increase, once per device and table.',
        this.#misorderedTables,
      ),
    ];
  }

  #listDiscoveries({ discovery }: SnmpApiContext): Metric[] {
    const open = discovery.runs.filter(({ outcome }) => outcome === undefined).length;
    return [
      labelledMetric(
        'counter',
        'waywiser_discovery_partial_tables_total',
        'Tables that discoveries did not read to their end, by reason.',
        'reason',
        this.#partialTables,
      ),
      oneMetric('gauge', 'waywiser_discoveries_open', 'Discoveries that wait or run.', open),
      labelledMetric(
        'counter',
        'waywiser_discoveries_total',
        'Ended discoveries by outcome.',
        'outcome',
        this.#discoveries,
      ),
      {
        name: 'waywiser_discovery_duration_seconds',
        help: 'Duration of discoveries.',
        type: 'histogram',
        samples: histogramSamples(this.#discoverySeconds),
      },
      labelledMetric(
        'gauge',
        'waywiser_inventories_cut',
        'Devices that have more than a limit of the discovery allows, by limit.',
        'limit',
        discovery.cuts,
      ),
    ];
  }

  #listDefinitions({ definitions }: SnmpApiContext): Metric[] {
    return [
      oneMetric(
        'gauge',
        'waywiser_definitions_generation',
        'The current generation of the definitions.',
        definitions.current.number,
      ),
      oneMetric(
        'gauge',
        'waywiser_definitions_degraded',
        '1 when the definition files have errors and older definitions stay in use.',
        definitions.degraded === undefined ? 0 : 1,
      ),
      labelledMetric(
        'counter',
        'waywiser_definitions_applied_total',
        'Applied definitions by outcome: changed or rejected.',
        'outcome',
        this.#applies,
      ),
    ];
  }

  /** Empty before the first scan. */
  #listScans(): Metric[] {
    if (this.#scans.size === 0) return [];
    const addresses = 'Addresses that scans visited, by result.';
    return [
      labelledMetric(
        'counter',
        'waywiser_scans_total',
        'Scans of networks by outcome.',
        'outcome',
        this.#scans,
      ),
      labelledMetric('counter', 'waywiser_scan_addresses_total', addresses, 'result', this.#scanned),
      oneMetric('counter', 'waywiser_scan_found_total', 'Devices that scans found.', this.#found),
    ];
  }
}

interface PollCounts {
  readonly durationMs: number;
  readonly packets: number;
  readonly gaps: Readonly<Record<string, number>>;
}

function add(counts: Map<string, number>, key: string, count = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Reasons that are sentences about one device are counted together. */
function nameReason(reason: string): string {
  return /^[a-zA-Z]{1,20}$/.test(reason) ? reason : 'failed';
}
