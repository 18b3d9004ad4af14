import { access, Type } from '../../../src/index.ts';
import { listOf } from '../../../src/internal.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import { definitionChangesSchema, definitionProblemSchema } from '../schemas/definition-changes.ts';
import type { ApiContext } from './api-context.ts';

const facts = {
  generation: Type.Integer(),
  appliedAt: Type.String({ format: 'date-time' }),
  requestedBy: Type.String(),
};

const definitionsSchema = {
  operationId: 'getDefinitions',
  tags: ['definitions'],
  summary: 'The definitions that run: generation, counts, problems',
  response: {
    200: Type.Object(
      {
        ...facts,
        counts: Type.Record(Type.String(), Type.Integer()),
        degraded: Type.Boolean({ description: 'whether the last good ones run in the place of the files' }),
        problems: listOf(definitionProblemSchema),
      },
      { title: 'Definitions' },
    ),
  },
};

const generationsSchema = {
  operationId: 'listGenerations',
  tags: ['definitions'],
  summary: 'The last generations of this run, newest first',
  response: {
    200: Type.Object(
      {
        generations: listOf(
          Type.Object({ ...facts, changes: Type.Optional(definitionChangesSchema) }, { title: 'Generation' }),
        ),
      },
      { title: 'GenerationList' },
    ),
  },
};

export function runningDefinitions({ definitions }: ApiContext): RoutePlugin {
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
    app.get('/api/v1/snmp/generations', { config, schema: generationsSchema }, async () => ({
      generations: definitions.recent.map(({ number, appliedMs, requestedBy, changes }) => ({
        ...describe(number, appliedMs, requestedBy),
        ...(changes === undefined ? {} : { changes }),
      })),
    }));
  };
}

function describe(generation: number, appliedMs: number, requestedBy: string) {
  return { generation, appliedAt: new Date(appliedMs).toISOString(), requestedBy };
}
