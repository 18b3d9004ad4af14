import type { FastifyRequest } from 'fastify';
import type { TSchema } from '../../../src/index.ts';

/**
 * Gives a query's texts the types that the route's schema names: `true` and `false`, and digits, and nothing else. Text
 * that is neither stays text, so that validation refuses it.
 */
export function convertQuery(schema: TSchema): (request: FastifyRequest) => Promise<void> {
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
