import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks';
import { histogramSamples, labelledMetric, type Metric, oneMetric } from '../../../src/http/index.ts';
import { Histogram } from '../../../src/timing/index.ts';

const collectionKinds: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak_callbacks'],
]);
const collectionBounds = [0.001, 0.005, 0.02, 0.1, 0.5, 1];

/** CPU time and memory of the process, delay of its event loop, pauses for garbage collection. Measures until it is closed. */
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
      oneMetric('counter', 'process_cpu_seconds_total', 'CPU time of the process.', (user + system) / 1e6),
      oneMetric(
        'gauge',
        'process_start_time_seconds',
        'Start time of the process, in seconds since 1970.',
        this.#startSeconds,
      ),
      oneMetric('gauge', 'process_resident_memory_bytes', 'Resident memory of the process.', rss),
      labelledMetric('gauge', 'nodejs_memory_bytes', 'Memory of the JavaScript engine by area.', 'area', [
        ['heap_used', heapUsed],
        ['heap_total', heapTotal],
        ['external', external],
        ['array_buffers', arrayBuffers],
      ]),
      ...this.#listLoop(),
      {
        name: 'nodejs_gc_duration_seconds',
        help: 'Pauses for garbage collection, by kind.',
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
        'Median delay of the event loop since the start. It includes the sampling interval of 20 ms.',
        seconds(delay.percentile(50)),
      ),
      oneMetric(
        'gauge',
        'nodejs_eventloop_delay_p99_seconds',
        'The same, 99th percentile.',
        seconds(delay.percentile(99)),
      ),
      oneMetric('gauge', 'nodejs_eventloop_delay_max_seconds', 'The same, maximum.', seconds(delay.max)),
      oneMetric(
        'counter',
        'nodejs_eventloop_active_seconds_total',
        'Time that the event loop was busy.',
        active / 1000,
      ),
      oneMetric(
        'counter',
        'nodejs_eventloop_idle_seconds_total',
        'Time that the event loop was idle.',
        idle / 1000,
      ),
    ];
  }
}
