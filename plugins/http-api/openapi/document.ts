import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { access, type HttpRole, type TSchema, Type } from '../../../src/index.ts';
import { nameSchemas } from './named-schemas.ts';

/** Describes every route that is registered after this call: at /openapi.json for programs, at /docs for people. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Waywiser',
        version,
        description:
          'The HTTP API of the SNMP collector. Programs can read this description at [/openapi.json](/openapi.json). Every error is application/problem+json (RFC 9457). Every answer has the header x-request-id, and the log has the same id.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [
        {
          name: 'definitions',
          description: 'what to poll: the current definitions, and how to apply new ones',
        },
        { name: 'devices', description: 'which devices to poll, what each one has, and its latest values' },
        { name: 'collector', description: 'the state of the collector itself' },
      ],
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
      const described = withDescriptions(withDefaults(schema), route.method === 'GET');
      return { schema: { ...described, security }, url };
    },
    transformObject: (document) => nameSchemas('openapiObject' in document ? document.openapiObject : {}),
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
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: pagePolicy,
    uiConfig: { deepLinking: true, docExpansion: 'list' },
    theme: { title: 'Waywiser: the HTTP API', css: [{ filename: 'waywiser.css', content: pageStyle }] },
  });
}

interface RouteSchema {
  readonly querystring?: unknown;
  readonly response?: unknown;
}

/** OpenAPI requires a description of each answer: that of the schema, or a usual one. Only named schemas keep theirs. */
function withDescriptions<Schema extends RouteSchema | undefined>(
  schema: Schema,
  isQuestion: boolean,
): Schema {
  if (schema?.response === undefined) return schema;
  const usual = isQuestion ? 'The requested data.' : 'The operation succeeded.';
  const answers = Object.entries(schema.response as Record<string, TSchema>);
  const response = Object.fromEntries(
    answers.map(([status, answer]) => {
      const { description = usual, ...unnamed } = answer;
      if (answer['content'] !== undefined || answer['type'] === 'null') {
        return [status, { ...answer, description }];
      }
      const json = answer.title === undefined ? unnamed : answer;
      return [status, { description, content: { 'application/json': { schema: json } } }];
    }),
  );
  return { ...schema, response };
}

/** A client may leave out a query parameter that has a default. The route's own schema requires it, so that the handler can rely on it. */
function withDefaults<Schema extends RouteSchema | undefined>(schema: Schema): Schema {
  const query = schema?.querystring as TSchema | undefined;
  const names: readonly string[] | undefined = query?.['required'];
  if (names === undefined) return schema;
  const required = names.filter((name) => query!['properties'][name]?.default === undefined);
  return { ...schema, querystring: { ...query, required } };
}

/**
 * The page loads nothing from elsewhere. `upgrade-insecure-requests`, which is part of the usual policy, would leave the page blank
 * over plain HTTP: the browser would ask for its files over HTTPS.
 */
const pagePolicy = [
  "default-src 'self'",
  "base-uri 'self'",
  "font-src 'self' data:",
  "frame-ancestors 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "script-src 'self'",
  "script-src-attr 'none'",
  "style-src 'self'",
].join('; ');

/** Hides empty parts and the field for another description, and uses the width of the screen. */
const pageStyle = `
.swagger-ui .topbar, .swagger-ui .info .main .link, .swagger-ui .response-col_links { display: none }
.swagger-ui .wrapper { max-width: 1200px }
.swagger-ui .info { margin: 30px 0 20px }
.swagger-ui .scheme-container { padding: 12px 0; box-shadow: none; border-bottom: 1px solid #ddd }
.swagger-ui .opblock-tag > a { text-transform: capitalize }
`;
