import { fleetFacts, fleetQuery, fleetRead, listOf, quoteText } from '../../../src/http/index.ts';
import { access, type Static, Type } from '../../../src/index.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import { problem } from '../problem.ts';
import type { SnmpApiContext } from '../snmp-api-context.ts';
import { describeRun, discoverySchema, discoveryStateSchema } from './discovery-schema.ts';

const answerSchema = Type.Object(
  {
    discoveries: listOf(discoverySchema),
    total: Type.Integer({
      description: 'the number of discoveries in this state, or of all without a state',
    }),
    ...fleetFacts,
  },
  { title: 'DiscoveryList' },
);

type Answer = Static<typeof answerSchema>;

const listSchema = {
  operationId: 'listDiscoveries',
  tags: ['devices'],
  summary: 'Discoveries that run, wait or have ended, newest first',
  querystring: Type.Object(
    {
      state: Type.Optional(discoveryStateSchema),
      limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
      ...fleetQuery,
    },
    { additionalProperties: false },
  ),
  response: { 200: answerSchema },
};

const oneSchema = {
  operationId: 'getDiscovery',
  tags: ['devices'],
  summary: 'One discovery and its progress',
  params: Type.Object({ id: Type.String({ maxLength: 100 }) }, { additionalProperties: false }),
  response: { 200: discoverySchema },
};

export function discoveries({ discovery }: SnmpApiContext): RoutePlugin {
  return async (app, { askOthers }) => {
    const config = access('read');
    app.get(
      '/api/v1/snmp/discoveries',
      { config: fleetRead(mergeDiscoveries), schema: listSchema },
      async ({ query: { state, limit } }) => {
        const runs = discovery.runs.filter((run) => state === undefined || run.state === state);
        return { discoveries: runs.slice(0, limit).map(describeRun), total: runs.length };
      },
    );
    app.get('/api/v1/snmp/discoveries/:id', { config, schema: oneSchema }, async (request) => {
      const { id } = request.params;
      const run = discovery.findRun(id);
      if (run !== undefined) return describeRun(run);
      // The owner of the device discovers it, and the id says nothing about the device.
      const found = await askOthers(request);
      if (found === undefined) throw problem('HTTP_DISCOVERY_UNKNOWN', { id: quoteText(id) });
      return found as Static<typeof discoverySchema>;
    });
  };
}

/** Times in ISO 8601 are in their order as texts. */
function mergeDiscoveries(answers: readonly Answer[], { limit }: { readonly limit: number }): Answer {
  const all = answers.flatMap((answer) => answer.discoveries);
  return {
    discoveries: all.sort((a, b) => (a.requestedAt < b.requestedAt ? 1 : -1)).slice(0, limit),
    total: answers.reduce((sum, { total }) => sum + total, 0),
  };
}
