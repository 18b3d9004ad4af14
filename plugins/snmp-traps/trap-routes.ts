import {
  deviceRefSchema,
  fleetFacts,
  fleetQuery,
  fleetRead,
  listOf,
  quoteText,
} from '../../src/http/index.ts';
import { access, HttpProblem, type Static, Type } from '../../src/index.ts';
import type { RoutePlugin } from '../http-routes/service.ts';
import type { AimedPolls } from './aim/aimed-polls.ts';
import { trapFailure } from './errors.ts';
import type { ForwardCounts } from './forwarding/forward-target.ts';
import type { LoggedTrap, TrapLog } from './record/trap-log.ts';
import type { AllowedUser } from './senders/trap-user.ts';
import type { TrapReport } from './trap-report.ts';

const optional = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) =>
  Type.Optional(schema);
const Count = Type.Integer();
const Counts = Type.Record(Type.String(), Type.Integer());

const trapSchema = Type.Object(
  {
    trapId: Type.String(),
    time: Type.String({ format: 'date-time' }),
    device: Type.Object({
      ...deviceRefSchema.properties,
      port: Type.Integer({ description: '0: no registered device' }),
    }),
    identity: Type.String({
      description: 'engine, relay, address, interface or none: how the device was found',
    }),
    name: Type.String({ description: 'the id of its definition, or its OID' }),
    oid: Type.String(),
    severity: Type.String(),
    category: Type.String(),
    message: optional(Type.String()),
    source: Type.String(),
    version: Type.String(),
    kind: Type.String(),
    level: Type.String(),
    user: optional(Type.String()),
    clears: optional(Type.String({ description: 'the notification that it ended' })),
    clearedBy: optional(Type.String({ description: 'the notification that ended it' })),
    polls: listOf(
      Type.Object(
        {
          time: Type.String({ format: 'date-time' }),
          outcome: Type.String({
            description:
              'polled, skipped (the limits of `aim` were reached), rediscovered, or passed (to the process that owns the device)',
          }),
          objects: listOf(Type.String()),
        },
        { title: 'TrapPoll' },
      ),
    ),
  },
  { title: 'Trap' },
);

const query = Type.Object(
  {
    device: optional(Type.String({ maxLength: 300, description: 'the name or the address of a device' })),
    name: optional(Type.String({ maxLength: 300 })),
    severity: optional(Type.String({ maxLength: 20 })),
    source: optional(Type.String({ maxLength: 100 })),
    since: optional(Type.String({ format: 'date-time' })),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
    cursor: optional(Type.String({ maxLength: 30, description: '`next` of the previous page' })),
    ...fleetQuery,
  },
  { additionalProperties: false },
);

const listSchema = Type.Object(
  {
    traps: listOf(trapSchema),
    next: optional(Type.String({ description: 'the cursor of the next page; absent on the last page' })),
    ...fleetFacts,
  },
  { title: 'TrapList' },
);

const statisticsSchema = Type.Object(
  {
    engineId: Type.String(),
    boots: Count,
    received: Count,
    accepted: Count,
    discovery: Count,
    collapsed: Counts,
    dropped: Counts,
    informs: Counts,
    reports: Counts,
    usm: Counts,
    engines: Count,
    queued: Count,
    aim: Counts,
    forward: Counts,
    listeners: listOf(
      Type.Object(
        {
          address: Type.String(),
          port: Count,
          received: Count,
          receiveBufferBytes: Count,
          kernelDrops: optional(Type.Integer({ description: 'absent where the system does not count them' })),
        },
        { title: 'TrapListener' },
      ),
    ),
  },
  { title: 'TrapStatistics' },
);

const sendersSchema = Type.Object(
  {
    refused: listOf(
      Type.Object({ source: Type.String(), cause: Type.String(), count: Count }, { title: 'RefusedSender' }),
    ),
    users: listOf(
      Type.Object(
        { user: Type.String(), level: Type.String(), engineIds: listOf(Type.String()) },
        { title: 'TrapUser' },
      ),
    ),
    engines: listOf(
      Type.Object(
        { address: Type.String(), engineId: Type.String(), boots: Count, startedAt: Type.String() },
        { title: 'SenderEngine' },
      ),
    ),
  },
  { title: 'TrapSenders' },
);

export interface TrapRouteParts {
  readonly log: TrapLog;
  readonly report: TrapReport;
  readonly aimed: Pick<AimedPolls, 'polled' | 'skipped'>;
  readonly forwarded: ForwardCounts;
  listUsers(): AllowedUser[];
}

/** What people ask about notifications. */
export function trapRoutes(parts: TrapRouteParts): RoutePlugin {
  const { log } = parts;
  return async (app) => {
    const config = access('read');
    const tags = ['traps'];
    for (const { path, operationId, summary, list } of [
      {
        path: '',
        operationId: 'listTraps',
        summary: 'The last traps and informs, newest first',
        list: () => log.list(),
      },
      {
        path: '/open',
        operationId: 'listOpenTraps',
        summary: 'The notifications that no other one has ended, newest first',
        list: () => log.listOpen(),
      },
    ]) {
      const schema = { operationId, tags, summary, querystring: query, response: { 200: listSchema } };
      app.get(
        `/api/v1/snmp/traps${path}`,
        { config: fleetRead(mergeTraps), schema },
        async ({ query: wanted }) => choose(list(), wanted),
      );
    }
    app.get(
      '/api/v1/snmp/traps/statistics',
      {
        config,
        schema: {
          operationId: 'getTrapStatistics',
          tags,
          summary: 'Where every received datagram went',
          response: { 200: statisticsSchema },
        },
      },
      () => readStatistics(parts),
    );
    app.get(
      '/api/v1/snmp/traps/senders',
      {
        config,
        schema: {
          operationId: 'listTrapSenders',
          tags,
          summary: 'Whose notifications were refused and why, and the SNMPv3 users and engines of senders',
          response: { 200: sendersSchema },
        },
      },
      () => listSenders(parts),
    );
    app.get(
      '/api/v1/snmp/traps/:trap_id',
      {
        config,
        schema: {
          operationId: 'getTrap',
          tags,
          summary: 'One of the last notifications, and the polls that it led to',
          params: Type.Object({ trap_id: Type.String({ maxLength: 40 }) }, { additionalProperties: false }),
          response: { 200: trapSchema },
        },
      },
      async ({ params: { trap_id: id } }) => findTrap(parts, id),
    );
  };
}

async function readStatistics({
  report,
  aimed,
  forwarded,
}: TrapRouteParts): Promise<Static<typeof statisticsSchema>> {
  const { receiver, listeners } = await report.fresh();
  const { informs, reports, usm, dropped, collapsed, ...rest } = receiver;
  return {
    ...rest,
    collapsed: { ...collapsed },
    dropped: { ...dropped },
    informs: { ...informs },
    reports: { ...reports },
    usm: { ...usm },
    aim: { polled: aimed.polled, skipped: aimed.skipped },
    forward: { ...forwarded },
    listeners: listeners.map(({ kernelDrops, ...listener }) => ({
      ...listener,
      ...(kernelDrops === undefined ? {} : { kernelDrops }),
    })),
  };
}

async function listSenders({ report, listUsers }: TrapRouteParts): Promise<Static<typeof sendersSchema>> {
  const { drops, engines } = await report.fresh();
  return {
    refused: drops,
    users: listUsers().map(({ engineIds, ...rest }) => ({ ...rest, engineIds: [...engineIds] })),
    engines: engines.map(({ address, engineId, boots, startedAtMs }) => ({
      address,
      engineId,
      boots,
      startedAt: new Date(startedAtMs).toISOString(),
    })),
  };
}

function findTrap({ log }: TrapRouteParts, id: string): Static<typeof trapSchema> {
  const found = log.find(id);
  if (found === undefined) {
    throw new HttpProblem(404, 'TRAP_UNKNOWN', trapFailure('TRAP_UNKNOWN', { id: quoteText(id) }).message);
  }
  return show(found);
}

function choose(traps: readonly LoggedTrap[], wanted: Static<typeof query>): Static<typeof listSchema> {
  const sinceMs = wanted.since === undefined ? 0 : Date.parse(wanted.since);
  const chosen = traps.filter(
    ({ trapId, device, name, severity, received }) =>
      (wanted.cursor === undefined || trapId < wanted.cursor) &&
      (wanted.device === undefined || wanted.device === device.name || wanted.device === device.ip) &&
      (wanted.name === undefined || wanted.name === name) &&
      (wanted.severity === undefined || wanted.severity === severity) &&
      (wanted.source === undefined || wanted.source === received.source) &&
      received.timeMs >= sinceMs,
  );
  const page = chosen.slice(0, wanted.limit);
  const next = chosen.length > page.length ? { next: page.at(-1)!.trapId } : {};
  return { traps: page.map(show), ...next };
}

/** The ids of traps are in the order of their time, so one of them is a cursor for all members. */
function mergeTraps(
  answers: readonly Static<typeof listSchema>[],
  { limit }: { readonly limit: number },
): Static<typeof listSchema> {
  const all = answers.flatMap(({ traps }) => traps).sort((a, b) => (a.trapId < b.trapId ? 1 : -1));
  const traps = all.slice(0, limit);
  const hasMore = all.length > limit || answers.some(({ next }) => next !== undefined);
  return { traps, ...(hasMore && traps.length > 0 ? { next: traps.at(-1)!.trapId } : {}) };
}

function show(trap: LoggedTrap): Static<typeof trapSchema> {
  const { trapId, device, identity, name, oid, severity, category, message, received, clears, clearedBy } =
    trap;
  const { source, version, kind, level, security } = received;
  return {
    trapId,
    time: new Date(received.timeMs).toISOString(),
    device,
    identity,
    name,
    oid,
    severity,
    category,
    source,
    version,
    kind,
    level,
    ...(message === undefined ? {} : { message }),
    ...(security === undefined ? {} : { user: security.user }),
    ...(clears === undefined ? {} : { clears }),
    ...(clearedBy === undefined ? {} : { clearedBy }),
    polls: trap.polls.map(({ timeMs, outcome, objects }) => ({
      time: new Date(timeMs).toISOString(),
      outcome,
      objects,
    })),
  };
}
