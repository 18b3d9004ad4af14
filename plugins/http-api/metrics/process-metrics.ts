import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks';
import { Histogram } from '../../../src/internal.ts';
import { histogramSamples, labelledMetric, type Metric, oneMetric } from './exposition.ts';

const collectionKinds: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak_callbacks'],
]);
const collectionBounds = [0.001, 0.005, 0.02, 0.1, 0.5, 1];

/** What the process takes, how late its loop is and what collecting garbage costs. Watches until it is closed. */
export class ProcessMetrics {
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });
  readonly #collections = new Map<string, Histogram>();
  readonly #observer: PerformanceObserver;
  readonly #startSeconds: number;

  constructor(now: () => number) {
    this.#startSeconds = Math.round(now() / 1000 - process.uptime());
    for (const kind of collectionKinds.values()) {
      this.#collections.set(kind, new Histogram(collectionBounds));
    }
    this.#observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { kind = 0 } = (entry as { readonly detail?: { readonly kind?: number } }).detail ?? {};
        this.#collections.get(collectionKinds.get(kind) ?? '')?.add(entry.duration / 1000);
      }
    });
    this.#observer.observe({ entryTypes: ['gc'] });
    this.#delay.enable();
  }

  close(): void {
    this.#observer.disconnect();
    this.#delay.disable();
  }

  list(): Metric[] {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
    return [
      oneMetric(
        'counter',
        'process_cpu_seconds_total',
        'Processor time of the process.',
        (user + system) / 1e6,
      ),
      oneMetric(
        'gauge',
        'process_start_time_seconds',
        'When the process started, since 1970.',
        this.#startSeconds,
      ),
      oneMetric('gauge', 'process_resident_memory_bytes', 'Memory of the process.', rss),
      labelledMetric('gauge', 'nodejs_memory_bytes', 'Memory of the engine by what it is for.', 'area', [
        ['heap_used', heapUsed],
        ['heap_total', heapTotal],
        ['external', external],
        ['array_buffers', arrayBuffers],
      ]),
      ...this.#listLoop(),
      {
        name: 'nodejs_gc_duration_seconds',
        help: 'Pauses to collect garbage, by kind.',
        type: 'histogram',
        samples: [...this.#collections].flatMap(([kind, durations]) => histogramSamples(durations, { kind })),
      },
    ];
  }

  #listLoop(): Metric[] {
    const { active, idle } = performance.eventLoopUtilization();
    const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
    const delay = this.#delay;
    return [
      oneMetric(
        'gauge',
        'nodejs_eventloop_delay_median_seconds',
        'How late the loop was, half of the time since the start. 20 ms between two looks are in it.',
        seconds(delay.percentile(50)),
      ),
      oneMetric(
        'gauge',
        'nodejs_eventloop_delay_p99_seconds',
        'The same, for all but the worst hundredth of the time.',
        seconds(delay.percentile(99)),
      ),
      oneMetric('gauge', 'nodejs_eventloop_delay_max_seconds', 'The same, at its worst.', seconds(delay.max)),
      oneMetric('counter', 'nodejs_eventloop_active_seconds_total', 'Time the loop worked.', active / 1000),
      oneMetric('counter', 'nodejs_eventloop_idle_seconds_total', 'Time the loop waited.', idle / 1000),
    ];
  }
}
