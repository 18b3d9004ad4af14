import type { FastifyRequest, RouteOptions } from 'fastify';
import type { TSchema } from '../../../src/index.ts';
import { problem } from '../problem/problem.ts';
import { documentOf, problemSchema, problemType } from '../problem/problem-document.ts';

interface Schemas {
  readonly querystring?: TSchema;
  readonly response?: Readonly<Record<string, unknown>>;
}

/** Adds to a route what its author need not write: the conversion of its query, and the problems that it may answer. */
export function completeRoute(route: RouteOptions): void {
  if (route.schema === undefined) return;
  const { querystring, response = {} } = route.schema as Schemas;
  if (querystring !== undefined) {
    route.preValidation = [convertQuery(querystring), route.preValidation ?? []].flat();
  }
  route.schema.response = {
    ...response,
    '4xx': response['4xx'] ?? describeProblem('What is wrong with the request.', 'HTTP_BODY_MALFORMED'),
    '5xx': response['5xx'] ?? describeProblem('Why the collector cannot answer.', 'HTTP_OVERLOADED'),
  };
}

/**
 * Gives the texts of a query the types that the route's schema has: `true` and `false` become booleans, digits become
 * integers. Other text stays text, so that validation rejects it.
 */
function convertQuery(schema: TSchema): (request: FastifyRequest) => Promise<void> {
  const properties: Readonly<Record<string, TSchema>> = schema['properties'] ?? {};
  return async (request) => {
    const texts = Object.entries(request.query as Record<string, unknown>);
    request.query = Object.fromEntries(
      texts.map(([key, text]) => [
        key,
        Object.hasOwn(properties, key) ? convert(properties[key]!, text) : text,
      ]),
    );
  };
}

function convert({ type }: TSchema, text: unknown): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'integer' && typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  return text;
}

function describeProblem(description: string, example: 'HTTP_BODY_MALFORMED' | 'HTTP_OVERLOADED') {
  const content = { schema: problemSchema, example: documentOf(problem(example, {})) };
  return { description, content: { [problemType]: content } };
}
