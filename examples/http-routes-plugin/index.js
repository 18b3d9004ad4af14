// @ts-check
import { access, definePlugin, HttpProblem, Type } from 'waywiser';
import { httpRoutesToken } from 'waywiser/plugins/http-routes';

export default definePlugin({
  name: 'http-routes-plugin',
  kind: 'service',
  summary: 'Counts how often devices change their state, and reports it over HTTP.',
  needs: { routes: httpRoutesToken },
  start({ needs, events }) {
    /** @type {Map<string, number>} */
    const changes = new Map();
    events.on('device.state', ({ device, from }) => {
      if (from !== 'unknown') changes.set(device.name, (changes.get(device.name) ?? 0) + 1);
    });
    events.on('device.removed', ({ device }) => void changes.delete(device.name));
    needs.routes.add(stateChangeRoutes(changes));
  },
});

/**
 * @param {Map<string, number>} changes
 * @returns {import('waywiser/plugins/http-routes').RoutePlugin}
 */
function stateChangeRoutes(changes) {
  return async (app) => {
    app.get(
      '/api/v1/state-changes',
      {
        schema: {
          summary: 'How often devices changed their state',
          querystring: Type.Object(
            { least: Type.Integer({ minimum: 1, default: 1, description: 'leave out devices with fewer' }) },
            { additionalProperties: false },
          ),
          response: {
            200: Type.Object({
              items: Type.Array(Type.Object({ device: Type.String(), changes: Type.Integer() })),
            }),
          },
        },
      },
      async ({ query }) => ({
        items: [...changes]
          .map(([device, count]) => ({ device, changes: count }))
          .filter((item) => item.changes >= query.least)
          .sort((a, b) => b.changes - a.changes || a.device.localeCompare(b.device)),
      }),
    );

    app.delete(
      '/api/v1/state-changes/:device',
      {
        config: access('operate'),
        schema: {
          summary: 'Reset the count of one device',
          params: Type.Object({ device: Type.String() }),
          response: { 204: Type.Null({ description: 'the count was reset' }) },
        },
      },
      async ({ params }, reply) => {
        if (!changes.delete(params.device)) {
          throw new HttpProblem(404, 'NO_STATE_CHANGES', 'This device has not changed its state.');
        }
        return reply.code(204).send(null);
      },
    );
  };
}
