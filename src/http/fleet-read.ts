import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { Type } from '../typebox.ts';
import { access } from './access.ts';
import { listOf } from './route-schemas.ts';

/** The query of a read that the members of a cluster answer together. */
export const fleetQuery = {
  scope: Type.Optional(
    Type.Literal('member', { description: 'in a cluster: only what the member that is asked knows itself' }),
  ),
};

/** What an answer of several members says about those that did not answer. */
export const fleetFacts = {
  silentMembers: Type.Optional(
    listOf(
      Type.Object(
        { name: Type.String(), reason: Type.String() },
        {
          title: 'SilentMember',
          description: 'a member of the cluster that did not answer: what it knows is missing here',
        },
      ),
    ),
  ),
};

/** Makes one answer of those of several members. The answers of one member alone are not merged. */
export type MergeAnswers<Answer = object, Query = unknown> = (
  answers: readonly Answer[],
  query: Query,
) => Answer;

/** The `config` of a read that every member of a cluster answers for its own devices. */
export function fleetRead<Answer extends object, Query>(
  merge: MergeAnswers<Answer, Query>,
): FastifyContextConfig {
  return { ...access('read'), merge } as FastifyContextConfig;
}

/** Undefined for a route whose answer is that of one member. */
export function findMerge({ routeOptions: { config } }: FastifyRequest): MergeAnswers | undefined {
  return (config as { readonly merge?: MergeAnswers }).merge;
}
