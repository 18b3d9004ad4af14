import type { CompiledGroup, CompiledObject } from '../../../src/definitions/index.ts';
import { listOf } from '../../../src/http/index.ts';
import { access, Type } from '../../../src/index.ts';
import type { Generation, Located } from '../../definitions-loader/service.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import { cutList, pageFacts, pageQuery } from '../pages.ts';
import type { SnmpApiContext } from '../snmp-api-context.ts';

const text = Type.Optional(Type.String({ maxLength: 300, description: 'part of the id' }));
const place = { id: Type.String(), file: Type.String(), line: Type.Integer() };
const generation = Type.Integer({
  description: 'the generation of this page',
});

const objectsSchema = {
  operationId: 'listObjects',
  tags: ['definitions'],
  summary: 'The object definitions, by id, page by page',
  querystring: Type.Object(
    {
      text,
      record: Type.Optional(
        Type.String({ maxLength: 300, description: 'only objects whose values are in this record' }),
      ),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  response: {
    200: Type.Object(
      {
        generation,
        objects: listOf(
          Type.Object(
            {
              ...place,
              record: Type.String({ description: 'the record that has its values' }),
              type: Type.Optional(Type.String()),
              attributes: Type.Integer({ description: 'the number of its attributes' }),
            },
            { title: 'ObjectSummary' },
          ),
        ),
        ...pageFacts,
      },
      { title: 'ObjectList' },
    ),
  },
};

const groupsQuery = Type.Object(
  {
    text,
    object: Type.Optional(Type.String({ maxLength: 300, description: 'only groups with this object' })),
    ...pageQuery,
  },
  { additionalProperties: false },
);
const groupsAnswer = Type.Object(
  {
    generation,
    groups: listOf(
      Type.Object(
        {
          ...place,
          members: listOf(Type.String()),
          objects: Type.Integer({ description: 'the number of its objects, also those of its members' }),
        },
        { title: 'GroupSummary' },
      ),
    ),
    ...pageFacts,
  },
  { title: 'GroupList' },
);

const groupRoutes = [
  {
    path: 'object-groups',
    operationId: 'listObjectGroups',
    summary: 'The object groups, by id, page by page',
    section: 'objectGroups',
    find: (current: Generation, id: string) => current.findObjectGroup(id),
  },
  {
    path: 'device-groups',
    operationId: 'listDeviceGroups',
    summary: 'The device groups, by id, page by page',
    section: 'deviceGroups',
    find: (current: Generation, id: string) => current.findDeviceGroup(id),
  },
] as const;

/** The definitions of the current generation, in short. */
export function listDefinitions({ definitions }: SnmpApiContext): RoutePlugin {
  return async (app) => {
    const config = access('read');
    app.get('/api/v1/snmp/objects', { config, schema: objectsSchema }, async ({ query }) => {
      const { current } = definitions;
      const ids = selectIds(
        current.sections.objects,
        query.text,
        ({ record }) => query.record === undefined || record === query.record,
      );
      const { page, facts } = cutList(ids, query, (id) => id);
      const objects = page.flatMap((id) => summarizeObject(current.findObject(id)));
      return { generation: current.number, objects, ...facts };
    });
    for (const { path, operationId, summary, section, find } of groupRoutes) {
      const schema = {
        operationId,
        tags: ['definitions'],
        summary,
        querystring: groupsQuery,
        response: { 200: groupsAnswer },
      };
      app.get(`/api/v1/snmp/${path}`, { config, schema }, async ({ query }) => {
        const { current } = definitions;
        const ids = selectIds(
          current.sections[section],
          query.text,
          ({ objects }) => query.object === undefined || objects.includes(query.object),
        );
        const { page, facts } = cutList(ids, query, (id) => id);
        const groups = page.flatMap((id) => summarizeGroup(find(current, id)));
        return { generation: current.number, groups, ...facts };
      });
    }
  };
}

function selectIds<Definition>(
  all: ReadonlyMap<string, Definition>,
  text: string | undefined,
  isWanted: (definition: Definition) => boolean,
): string[] {
  const part = text?.toLowerCase() ?? '';
  const ids: string[] = [];
  for (const [id, definition] of all) {
    if (id.toLowerCase().includes(part) && isWanted(definition)) ids.push(id);
  }
  return ids.sort();
}

function summarizeObject(found: Located<CompiledObject> | undefined) {
  if (found === undefined) return [];
  const { id, record, type, attributes } = found.definition;
  return [
    { id, ...found.origin, record, ...(type === undefined ? {} : { type }), attributes: attributes.size },
  ];
}

function summarizeGroup(found: Located<CompiledGroup> | undefined) {
  if (found === undefined) return [];
  const { id, members, objects } = found.definition;
  return [{ id, ...found.origin, members, objects: objects.length }];
}
