import assert from 'node:assert/strict';
import Fastify from 'fastify';

/** An operation of /openapi.json, as tests use it. */
export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly parameters: readonly Parameter[];
  /** The lowest role that may call it; undefined when no authentication is needed. */
  readonly role: string | undefined;
  /** Examples of its body; undefined when it takes no body. */
  readonly bodies: readonly unknown[] | undefined;
  readonly responses: Readonly<Record<string, ResponseContent>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: { readonly type?: string; readonly enum?: readonly string[] };
}

interface ResponseContent {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly { readonly token?: readonly string[] }[];
  readonly requestBody?: {
    readonly content: Record<
      string,
      {
        readonly example?: unknown;
        readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
      }
    >;
  };
  readonly responses: Operation['responses'];
}

/** The part of an OpenAPI document that is read here. */
export interface Description {
  readonly paths: object;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

export function listOperations(description: Description): Operation[] {
  const { schemas } = description.components;
  const resolve = (schema: Parameter['schema'] & { readonly $ref?: string }) =>
    schema.$ref === undefined ? schema : (schemas[componentOf(schema.$ref)] as Parameter['schema']);
  return Object.entries<Record<string, Described>>(description.paths as never).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], security = [], requestBody, responses }]) => {
      const body = Object.values(requestBody?.content ?? {})[0];
      const examples = Object.values(body?.examples ?? { one: { value: body?.example } });
      return {
        path,
        method: method.toUpperCase(),
        parameters: parameters.map((each) => ({ ...each, schema: resolve(each.schema) })),
        role: security[0]?.token?.[0],
        bodies: body === undefined ? undefined : examples.map(({ value }) => value),
        responses,
      };
    }),
  );
}

/** The name in a reference to a component. */
export function componentOf(reference: string): string {
  assert.match(reference, /^#\/components\/schemas\/[\w.-]+$/);
  return reference.slice('#/components/schemas/'.length);
}

/** Every reference of a document, in the order of its keys. */
export function listReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === '$ref' && typeof each === 'string' ? [each] : listReferences(each),
  );
}

/** Returns how an answer differs from its described schema; undefined when it does not differ. */
export type CheckAnswer = (
  operation: Operation,
  answer: { readonly status: number; readonly type: string; readonly text: string },
) => string | undefined;

/**
 * Uses Fastify's own validator, configured to change nothing. All schemas are compiled here: compiling one while the
 * server answers holds the loop that both share.
 */
export async function createAnswerCheck(description: Description): Promise<CheckAnswer> {
  const { components } = description;
  const app = Fastify({
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, strict: false },
    },
  });
  let compile: ((schema: object) => ValidateFunction) | undefined;
  app.get('/', async (request) => {
    compile = (schema) => request.compileValidationSchema(schema as never) as never;
    return {};
  });
  await app.inject('/');
  // Many answers have the same schema.
  const validators = new Map<string, ValidateFunction>();
  for (const { responses } of listOperations(description)) {
    for (const { schema } of Object.values(responses).flatMap(({ content = {} }) => Object.values(content))) {
      const key = JSON.stringify(schema);
      if (!validators.has(key)) validators.set(key, compile!({ ...schema, components }));
    }
  }
  return ({ responses }, { status, type, text }) => {
    const described = responses[String(status)] ?? responses[`${String(status)[0]}XX`];
    if (described === undefined) return `the status ${status} is not described`;
    const mediaType = type.split(';')[0] ?? '';
    if (described.content === undefined) return text === '' ? undefined : 'an answer where none is described';
    const schema = described.content[mediaType]?.schema;
    if (schema === undefined) return `the content type ${mediaType || 'none'} is not described`;
    if (!mediaType.includes('json')) return undefined;
    const validate = validators.get(JSON.stringify(schema))!;
    return validate(JSON.parse(text)) ? undefined : JSON.stringify(validate.errors);
  };
}

interface ValidateFunction {
  (value: unknown): boolean;
  readonly errors?: unknown;
}
