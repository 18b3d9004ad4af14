import { access, Type } from '../../../../src/index.ts';
import type { RoutePlugin } from '../../../http-routes/service.ts';
import type { ScrapeAnswer, ScrapeRequest } from './scrape.ts';
import { sendScrape } from './send-scrape.ts';

const oneOrMore = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }));

const schema = {
  operationId: 'scrapeMetrics',
  tags: ['devices'],
  summary: 'The latest values for Prometheus',
  description:
    'OpenMetrics if the client asks for it, otherwise classic text. Compressed if the client accepts gzip.',
  querystring: Type.Object(
    {
      device: oneOrMore('names or addresses of devices; by default all'),
      object: oneOrMore('ids of records; by default all'),
    },
    { additionalProperties: false },
  ),
  response: { 200: Type.String({ description: 'an exposition' }) },
};

/** Serves scrapes at `path` of the HTTP API. */
export function metricsRoute(
  path: string,
  scrape: (request: ScrapeRequest) => ScrapeAnswer | Promise<ScrapeAnswer>,
): RoutePlugin {
  return async (app) => {
    app.get(path, { config: access('read'), schema }, async ({ id, query, headers }, reply) => {
      const answer = await scrape({
        devices: [query.device ?? []].flat(),
        objects: [query.object ?? []].flat(),
        accept: headers.accept,
        acceptEncoding: headers['accept-encoding']?.toString(),
      });
      reply.hijack();
      const { raw } = reply;
      raw.setHeader('x-request-id', id);
      await sendScrape(answer, raw).catch(() => raw.destroy());
    });
  };
}
