import type { FastifyRequest } from 'fastify';
import { scopeHeader } from '../../../src/http/index.ts';
import { explainError, type Logger } from '../../../src/index.ts';
import { type Fleet, listShards, type Member, type Shards } from '../../../src/sharding/index.ts';
import type { RouteFacts } from '../../http-routes/service.ts';
import { isForMember, scopeOf } from './member-scope.ts';
import { decodeShards, movedHeader } from './shard-set.ts';

/** A page of a list takes milliseconds. A member that needs longer is busy, suspended or cut off. */
const answerWithinMs = 4_000;
const maxAnswerBytes = 64 << 20;

export interface SilentMember {
  readonly name: string;
  readonly reason: string;
}

export interface OthersAnswers {
  readonly answers: readonly object[];
  readonly silent: readonly SilentMember[];
  /** The shards about which this member must answer: its own ones, and those that nobody owns at this moment. */
  readonly left: ReadonlySet<number>;
}

/**
 * Asks every other member about the devices of its shards. Each shard is asked of one member only, so no device is in two answers. Shards
 * that moved meanwhile are asked of their new owners.
 */
export async function askMembers(request: FastifyRequest, fleet: Fleet, log: Logger): Promise<OthersAnswers> {
  const none: ReadonlySet<number> = new Set();
  const answers: object[] = [];
  const silent = new Map<string, string>();
  const left = new Set<number>();
  const askOne = async (member: Member, shards: ReadonlySet<number>): Promise<number[]> => {
    try {
      const { body, moved } = await readAnswer(request, fleet, member, shards);
      answers.push(body);
      return moved.filter((shard) => shards.has(shard));
    } catch (error) {
      log.warn(
        { requestId: request.id, member: member.name, error },
        'A member of the cluster did not answer.',
      );
      silent.set(member.name, explainError(error));
      return [];
    }
  };
  const others = [...fleet.members.values()].filter(({ name }) => name !== fleet.name);
  let parts = groupByOwner(fleet, listShards(), left);
  const moved = await Promise.all(others.map((member) => askOne(member, parts.get(member.name) ?? none)));
  const asked = parts;
  parts = groupByOwner(fleet, moved.flat(), left);
  const again = others.filter(({ name }) => parts.has(name));
  await Promise.all(
    again.map(async (member) => {
      const before = asked.get(member.name) ?? none;
      const shards = new Set([...parts.get(member.name)!].filter((shard) => !before.has(shard)));
      for (const shard of parts.get(member.name)!) if (before.has(shard)) left.add(shard);
      if (shards.size > 0) for (const shard of await askOne(member, shards)) left.add(shard);
    }),
  );
  return { answers, silent: Array.from(silent, ([name, reason]) => ({ name, reason })), left };
}

/** Asks every other member; the first answer counts. */
export function othersOf({ fleet }: Pick<Shards, 'fleet'>): RouteFacts['askOthers'] {
  return async (request) =>
    fleet === undefined || isForMember(request) ? undefined : await askAnyMember(request, fleet);
}

async function askAnyMember(request: FastifyRequest, fleet: Fleet): Promise<object | undefined> {
  const others = [...fleet.members.values()].filter(({ name }) => name !== fleet.name);
  const answers = others.map((member) => readAnswer(request, fleet, member, new Set()));
  return await Promise.any(answers).then(
    ({ body }) => body,
    () => undefined,
  );
}

/** The shards of each other living member. The rest is added to `left`. */
function groupByOwner(fleet: Fleet, shards: Iterable<number>, left: Set<number>): Map<string, Set<number>> {
  const groups = new Map<string, Set<number>>();
  for (const shard of shards) {
    const owner = fleet.claims.get(shard)?.member;
    if (owner === undefined || owner === fleet.name || !fleet.members.has(owner)) left.add(shard);
    else if (groups.has(owner)) groups.get(owner)!.add(shard);
    else groups.set(owner, new Set([shard]));
  }
  return groups;
}

async function readAnswer(
  { method, raw }: FastifyRequest,
  fleet: Fleet,
  member: Member,
  shards: ReadonlySet<number>,
): Promise<{ readonly body: object; readonly moved: readonly number[] }> {
  if (fleet.requests === undefined) throw new Error('members do not call each other');
  const answer = await fleet.requests.ask(member, {
    method,
    path: raw.url ?? '/',
    headers: { [scopeHeader]: scopeOf(shards), accept: 'application/json' },
    timeoutMs: answerWithinMs,
  });
  const timer = setTimeout(
    () => answer.body.destroy(new Error(`its answer was not complete within ${answerWithinMs} ms`)),
    answerWithinMs,
  );
  try {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of answer.body) {
      bytes += (part as Buffer).length;
      if (bytes > maxAnswerBytes) throw new Error(`its answer has more than ${maxAnswerBytes} bytes`);
      parts.push(part as Buffer);
    }
    if (answer.status !== 200) throw new Error(`it answered with status ${answer.status}`);
    const moved = answer.headers[movedHeader];
    return {
      body: JSON.parse(Buffer.concat(parts).toString('utf8')) as object,
      moved: typeof moved === 'string' ? [...decodeShards(moved)] : [],
    };
  } finally {
    clearTimeout(timer);
  }
}
