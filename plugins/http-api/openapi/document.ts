import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from '../../../src/index.ts';
import { access, type HttpRole } from '../../http-routes/service.ts';

/** Describes every route that is added from now on at /openapi.json, and shows it to people at /docs. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Waywiser',
        version,
        description:
          'The HTTP API of the SNMP collector. Every error is application/problem+json (RFC 9457).',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer' },
          password: { type: 'http', scheme: 'basic' },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const role = (route.config as { readonly role?: HttpRole } | undefined)?.role;
      const roles = role === undefined ? [] : [role];
      const security = role === 'public' ? [] : [{ token: roles }, { password: roles }];
      return { schema: { ...withDefaults(schema), security }, url };
    },
  });
  app.get(
    '/openapi.json',
    {
      config: access('read'),
      schema: {
        operationId: 'getDescription',
        tags: ['collector'],
        summary: 'This description',
        response: { 200: Type.Object({}, { additionalProperties: true }) },
      },
    },
    async () => app.swagger(),
  );
  await app.register(swaggerUi, { routePrefix: '/docs' });
}

interface RouteSchema {
  readonly querystring?: unknown;
}

/** Who calls may leave out what has a default; who answers may rely on it, so the route's own schema requires it. */
function withDefaults<Schema extends RouteSchema | undefined>(schema: Schema): Schema {
  const query = schema?.querystring as TSchema | undefined;
  const names: readonly string[] | undefined = query?.['required'];
  if (names === undefined) return schema;
  const required = names.filter((name) => query!['properties'][name]?.default === undefined);
  return { ...schema, querystring: { ...query, required } };
}
