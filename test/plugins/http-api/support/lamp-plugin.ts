import { httpRoutesToken } from '../../../../plugins/http-routes/service.ts';
import { access, definePlugin, HttpProblem, Type } from '../../../../src/index.ts';

const isOn = Type.Object(
  { isOn: Type.Boolean() },
  { additionalProperties: false, examples: [{ isOn: true }] },
);
const params = Type.Object({ id: Type.String() });

/** A third-party plugin that adds routes long before the API starts. */
export const lamp = definePlugin({
  name: 'lamp',
  kind: 'output',
  summary: 'Adds a route long before the API starts.',
  needs: { routes: httpRoutesToken },
  start({ needs }) {
    needs.routes.add(async (app) => {
      app.put(
        '/api/v1/lamp/:id',
        {
          config: access('operate'),
          schema: { summary: 'Switch the lamp', params, body: isOn, response: { 200: isOn } },
        },
        async ({ body, params }) => {
          if (params.id === 'missing') throw new HttpProblem(404, 'LAMP_UNKNOWN', 'There is no such lamp.');
          if (params.id === 'broken') throw new Error('the fuse of 42 is gone');
          return { ...body, wattage: 60 };
        },
      );
    });
  },
});
