import { randomUUID } from 'node:crypto';
import { scopeHeader } from '../../src/http/index.ts';
import { defineErrors, explainError, type Logger } from '../../src/index.ts';
import type { Fleet, Member, Shards } from '../../src/sharding/index.ts';
import { networkErrors } from './errors.ts';
import { type ScanScheduler, shardOfNetwork } from './scan-scheduler.ts';
import { type BegunScan, showScan } from './scan-schemas.ts';

const failure = defineErrors(networkErrors);

/** From member to member: the id of the scan of which each does its networks. */
export const scanHeader = 'waywiser-scan';
const answerWithinMs = 4_000;

export interface ScanRequestParts {
  readonly scheduler: ScanScheduler;
  readonly shards: Pick<Shards, 'fleet'>;
  readonly log: Logger;
}

export interface ScanWish {
  /** Undefined for all networks. */
  readonly network: string | undefined;
  /** Whether only this collector is asked. */
  readonly isForMember: boolean;
  readonly id: string | undefined;
  readonly requestId: string;
}

export interface BegunParts extends Pick<BegunScan, 'unowned' | 'silentMembers'> {
  readonly answers: readonly BegunScan[];
}

/**
 * Lets each network be scanned by the collector that owns it. Rejects when nothing was begun: with SCAN_NO_NETWORKS, SCAN_NETWORK_UNKNOWN,
 * SCAN_STOPPED, SCAN_NOT_OWNED or SCAN_MEMBER_SILENT.
 */
export async function requestScan(wish: ScanWish, parts: ScanRequestParts): Promise<BegunParts> {
  const { scheduler, shards } = parts;
  const wanted = scheduler.listWanted(wish.network);
  const own = scheduler.listOwn(wanted);
  const id = wish.id ?? randomUUID();
  const answers: BegunScan[] = [];
  if (own.length > 0) {
    const { scan, joined } = scheduler.request(id, own);
    answers.push({ joined, scan: showScan(scan.ref, scan.counts) });
  }
  const silent: (SilentMember & { readonly networks: readonly string[] })[] = [];
  if (!wish.isForMember && shards.fleet !== undefined) {
    const others = groupByOwner(
      shards.fleet,
      wanted.filter((network) => !own.includes(network)),
    );
    await Promise.all(
      Array.from(others, async ([member, networks]) => {
        try {
          const answer = await askMember(member, id, wish, shards.fleet!);
          if (answer !== undefined) answers.push(answer);
        } catch (error) {
          const reason = explainError(error);
          parts.log.warn(
            { requestId: wish.requestId, member: member.name, networks, error },
            'A member of the cluster did not scan its networks.',
          );
          silent.push({ name: member.name, reason, networks });
        }
      }),
    );
  }
  if (answers.length === 0) {
    const [first] = silent;
    if (first === undefined) throw failure('SCAN_NOT_OWNED', { networks: wanted.join(', ') });
    const { name: member, networks, reason } = first;
    throw failure('SCAN_MEMBER_SILENT', { member, networks: networks.join(', '), reason });
  }
  const scanned = new Set(answers.flatMap(({ joined, scan }) => (joined ? wanted : scan.networks)));
  const lost = new Set(silent.flatMap(({ networks }) => networks));
  const unowned = wanted.filter((network) => !scanned.has(network) && !lost.has(network));
  return {
    answers,
    ...(unowned.length === 0 || wish.isForMember ? {} : { unowned }),
    ...(silent.length === 0 ? {} : { silentMembers: silent.map(({ name, reason }) => ({ name, reason })) }),
  };
}

interface SilentMember {
  readonly name: string;
  readonly reason: string;
}

/** The networks of each other member. Those that nobody owns at this moment are left out. */
function groupByOwner(fleet: Fleet, networks: readonly string[]): Map<Member, string[]> {
  const groups = new Map<Member, string[]>();
  for (const network of networks) {
    const owner = fleet.claims.get(shardOfNetwork(network))?.member;
    const member = owner === undefined || owner === fleet.name ? undefined : fleet.members.get(owner);
    if (member !== undefined) groups.set(member, [...(groups.get(member) ?? []), network]);
  }
  return groups;
}

/** Asks a member for the one network that is wanted, or for all networks that it owns. Resolves to undefined when it owns none. */
async function askMember(
  member: Member,
  id: string,
  { network }: ScanWish,
  fleet: Fleet,
): Promise<BegunScan | undefined> {
  if (fleet.requests === undefined) throw new Error('members do not call each other');
  const query = network === undefined ? '' : `?network=${encodeURIComponent(network)}`;
  const { status, body } = await fleet.requests.ask(member, {
    method: 'POST',
    path: `/api/v1/snmp/scan-networks${query}`,
    headers: { [scopeHeader]: 'member', [scanHeader]: id, accept: 'application/json' },
    timeoutMs: answerWithinMs,
  });
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  const answer = JSON.parse(Buffer.concat(chunks).toString('utf8')) as BegunScan & {
    readonly code?: string;
    readonly detail?: string;
  };
  if (answer.code === 'SCAN_NOT_OWNED') return undefined;
  if (status !== 202) throw new Error(answer.detail ?? `it answered with status ${status}`);
  return answer;
}
