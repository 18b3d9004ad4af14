import { Readable } from 'node:stream';
import { type FindSubject, hasRole, ownerRead, waitWithin } from '../../src/http/index.ts';
import { defineErrors, HttpProblem, Type, WaywiserError } from '../../src/index.ts';
import type { RouteFacts, RoutePlugin } from '../http-routes/service.ts';
import { exporterErrors } from './errors.ts';
import { renderFacts, ScrapeExposition } from './exposition.ts';
import { type ScrapeServices, scrape } from './scrape.ts';

const failure = defineErrors(exporterErrors);

const schema = {
  operationId: 'scrapeTarget',
  tags: ['devices'],
  summary: 'Poll a target now, as snmp_exporter does',
  description: 'The values of the modules as classic text for Prometheus, under the names of the MIB.',
  querystring: Type.Object(
    {
      target: Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'the name of a device, or an IP address, with or without a port',
      }),
      module: Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 64 })], {
        default: 'if_mib',
        description: 'device groups; several are separated by commas or repeated',
      }),
      auth: Type.String({
        default: 'public_v2',
        description: 'a network of autodiscover/networks.yml: its credentials and addresses',
      }),
    },
    { additionalProperties: false },
  ),
  response: { 200: Type.String({ description: 'an exposition' }) },
};

const statuses: Readonly<Record<string, number>> = {
  PROBE_MODULE_UNKNOWN: 400,
  PROBE_AUTH_UNKNOWN: 400,
  PROBE_AUTH_PLAIN: 409,
  PROBE_TARGET_INVALID: 400,
  PROBE_TARGET_REFUSED: 403,
  PROBE_PORT_REFUSED: 403,
  PROBE_ROLE_TOO_LOW: 403,
  PROBE_NOT_COLLECTED: 409,
  PROBE_TOO_MANY_TARGETS: 429,
  PROBE_NO_ANSWER: 503,
  PROBE_STOPPING: 503,
  PROBE_NOT_OWNED: 503,
  PROBE_TOO_SLOW: 504,
};

/** What Prometheus waits, less the time that the answer needs to arrive: as snmp_exporter does. */
const answerMs = 500;

/** Serves `GET /snmp?target=…&module=…&auth=…`. */
export function scrapeRoute(services: ScrapeServices): RoutePlugin {
  const exposition = new ScrapeExposition();
  return async (app, facts) => {
    const findSubject: FindSubject = ({ query }) =>
      services.targets.addressOf((query as { readonly target: string }).target);
    const config = ownerRead(findSubject, true);
    app.get('/snmp', { config, schema }, async (request, reply) => {
      const { query, headers } = request;
      const modules = [query.module].flat().flatMap((text) => text.split(',').filter((name) => name !== ''));
      const begunMs = performance.now();
      const given = Number(headers['x-prometheus-scrape-timeout-seconds']);
      const waitMs = given > 0 ? Math.max(given * 1000 - answerMs, answerMs) : facts.waitMs;
      const work = scrape(services, {
        target: query.target,
        auth: query.auth,
        mayOperate: hasRole(facts.callers.of(request).role, 'operate'),
        modules: [...new Set(modules)],
      });
      const { batches, packets, retries } = await within(work, { ...facts, waitMs }, query.target);
      const values = batches.reduce((sum, { rows, columns }) => sum + rows.count * columns.length, 0);
      const elapsedS = () => (performance.now() - begunMs) / 1000;
      const walkS = elapsedS();
      const text = function* () {
        yield* exposition.render(batches);
        yield* renderFacts({ modules, walkS, durationS: elapsedS(), packets, retries, values });
      };
      return reply
        .type('text/plain; version=0.0.4; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(Readable.from(text()) as never);
    });
  };
}

async function within<Value>(work: Promise<Value>, facts: RouteFacts, target: string): Promise<Value> {
  try {
    const value = await waitWithin(work, facts);
    if (value !== undefined) return value;
    if (facts.stopping.aborted) throw failure('PROBE_STOPPING', {});
    throw failure('PROBE_TOO_SLOW', { device: target, waitMs: facts.waitMs });
  } catch (error) {
    work.catch(() => {});
    const status = error instanceof WaywiserError ? statuses[error.code] : undefined;
    if (status === undefined) throw error;
    const { code, message } = error as WaywiserError;
    throw new HttpProblem(status, code, message);
  }
}
