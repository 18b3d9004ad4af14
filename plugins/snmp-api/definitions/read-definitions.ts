import type { CompiledGroup, CompiledObject } from '../../../src/definitions/index.ts';
import { listOf } from '../../../src/http/index.ts';
import { access, Type } from '../../../src/index.ts';
import type { Generation, Located } from '../../definitions-loader/service.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import { cutList, pageFacts, pageQuery } from '../pages.ts';
import type { SnmpApiContext } from '../snmp-api-context.ts';
import { definitionChangesSchema, definitionProblemSchema } from './definition-schemas.ts';

const facts = {
  generation: Type.Integer(),
  appliedAt: Type.String({ format: 'date-time' }),
  requestedBy: Type.String(),
};

const definitionsSchema = {
  operationId: 'getDefinitions',
  tags: ['definitions'],
  summary: 'The current definitions: generation, counts, problems',
  response: {
    200: Type.Object(
      {
        ...facts,
        counts: Type.Record(Type.String(), Type.Integer()),
        degraded: Type.Boolean({
          description: 'true when the files have errors and older definitions stay in use',
        }),
        problems: listOf(definitionProblemSchema),
      },
      { title: 'Definitions' },
    ),
  },
};

const generationsSchema = {
  operationId: 'listGenerations',
  tags: ['definitions'],
  summary: 'The latest generations since the start, newest first, page by page',
  querystring: Type.Object(pageQuery, { additionalProperties: false }),
  response: {
    200: Type.Object(
      {
        generations: listOf(
          Type.Object({ ...facts, changes: Type.Optional(definitionChangesSchema) }, { title: 'Generation' }),
        ),
        ...pageFacts,
      },
      { title: 'GenerationList' },
    ),
  },
};

export function runningDefinitions({ definitions }: SnmpApiContext): RoutePlugin {
  return async (app) => {
    const config = access('read');
    app.get('/api/v1/snmp/definitions', { config, schema: definitionsSchema }, async () => {
      const { number, appliedMs, requestedBy, counts, warnings } = definitions.current.facts;
      const { degraded } = definitions;
      return {
        ...describe(number, appliedMs, requestedBy),
        counts: { ...counts },
        degraded: degraded !== undefined,
        problems: degraded ?? warnings,
      };
    });
    app.get('/api/v1/snmp/generations', { config, schema: generationsSchema }, async ({ query }) => {
      const { page, facts: pageOf } = cutList(
        definitions.recent,
        query,
        ({ number }) => number,
        'descending',
      );
      const generations = page.map(({ number, appliedMs, requestedBy, changes }) => ({
        ...describe(number, appliedMs, requestedBy),
        ...(changes === undefined ? {} : { changes }),
      }));
      return { generations, ...pageOf };
    });
  };
}

function describe(generation: number, appliedMs: number, requestedBy: string) {
  return { generation, appliedAt: new Date(appliedMs).toISOString(), requestedBy };
}

const params = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 300 }) },
  { additionalProperties: false },
);
const place = { id: Type.String(), file: Type.String(), line: Type.Integer(), hash: Type.String() };

const objectAnswer = Type.Object(
  {
    ...place,
    record: Type.String({ description: 'the record that has its values' }),
    augments: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
    discoveryAttribute: Type.Optional(Type.String()),
    attributes: listOf(
      Type.Object(
        {
          name: Type.String(),
          column: Type.String(),
          syntax: Type.String(),
          fields: listOf(Type.String()),
          tag: Type.Boolean(),
          at: Type.Optional(
            listOf(
              Type.Integer({ description: 'the parts of the index, from 1, at which another table has it' }),
            ),
          ),
          metric: Type.Optional(Type.String()),
          unit: Type.Optional(Type.String()),
          description: Type.Optional(Type.String()),
        },
        { title: 'AttributeDefinition' },
      ),
    ),
  },
  { title: 'ObjectDefinition' },
);
const groupAnswer = Type.Object(
  { ...place, members: listOf(Type.String()), objects: listOf(Type.String()) },
  { title: 'GroupDefinition' },
);

/** Single definitions of the current generation, with file and line. */
export function oneDefinition({ definitions }: SnmpApiContext): RoutePlugin {
  return async (app) => {
    const config = access('read');
    const tags = ['definitions'];
    const object = {
      operationId: 'getObject',
      tags,
      summary: 'One object definition',
      params,
      response: { 200: objectAnswer },
    };
    app.get('/api/v1/snmp/objects/:id', { config, schema: object }, async ({ params: { id } }) =>
      describeObject(definitions.current.getObject(id)),
    );
    const groups: readonly (readonly [path: string, operationId: string, summary: string, get: GetGroup])[] =
      [
        ['object-groups', 'getObjectGroup', 'One object group', (current, id) => current.getObjectGroup(id)],
        ['device-groups', 'getDeviceGroup', 'One device group', (current, id) => current.getDeviceGroup(id)],
      ];
    for (const [path, operationId, summary, get] of groups) {
      const schema = { operationId, tags, summary, params, response: { 200: groupAnswer } };
      app.get(`/api/v1/snmp/${path}/:id`, { config, schema }, async ({ params: { id } }) => {
        const { definition, origin } = get(definitions.current, id);
        return { ...definition, ...origin };
      });
    }
  };
}

type GetGroup = (current: Generation, id: string) => Located<CompiledGroup>;

function describeObject({ definition, origin }: Located<CompiledObject>) {
  const { id, hash, record, augments, type, discoveryAttribute } = definition;
  const attributes = [...definition.attributes.values()].map(
    ({ name, column, syntax, fields, tag, at, metric, unit, description }) => ({
      name,
      column,
      syntax,
      fields: fields.map(({ field }) => field),
      tag,
      ...(at === undefined ? {} : { at: at.map((part) => part + 1) }),
      ...present({ metric, unit, description }),
    }),
  );
  return { id, hash, ...origin, record, ...present({ augments, type, discoveryAttribute }), attributes };
}

/** The values that are not undefined. */
function present<Key extends string>(
  values: Readonly<Record<Key, string | undefined>>,
): Partial<Record<Key, string>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<
    Record<Key, string>
  >;
}
