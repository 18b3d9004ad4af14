import type { FastifyInstance } from 'fastify';
import { Histogram } from '../../../../../src/internal.ts';
import { histogramSamples, labelledMetric, type Metric } from './metrics-text.ts';

const bounds = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 5];

/** What the API answers. Neither paths nor names become labels: strangers choose them. */
export class RequestMetrics {
  readonly #statuses = new Map<number, number>();
  readonly #seconds = new Histogram(bounds);

  listen(app: FastifyInstance): void {
    app.addHook('onResponse', (_request, { statusCode, elapsedTime }, done) => {
      this.#statuses.set(statusCode, (this.#statuses.get(statusCode) ?? 0) + 1);
      this.#seconds.add(elapsedTime / 1000);
      done();
    });
  }

  list(): Metric[] {
    const statuses = [...this.#statuses].map(([status, count]) => [String(status), count] as const);
    return [
      labelledMetric('counter', 'waywiser_http_requests_total', 'Answers by status.', 'code', statuses),
      {
        name: 'waywiser_http_request_duration_seconds',
        help: 'How long answers took.',
        type: 'histogram',
        samples: histogramSamples(this.#seconds),
      },
    ];
  }
}
