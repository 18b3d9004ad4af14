import { listOf } from '../../../src/http/index.ts';
import { type Static, Type } from '../../../src/index.ts';
import { contextsOf } from '../../../src/model/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { Learned, LearnedSubject } from '../../snmp-client/service.ts';

export const learnedSchema = Type.Object(
  {
    roundTripMs: Type.Optional(Type.Number({ description: 'smoothed round trip time' })),
    requestsAtOnce: Type.Optional(
      Type.Integer({
        description: 'how many requests may be in flight at present; absent while the device is not asked',
      }),
    ),
    oidsPerRequest: Type.Optional(Type.Integer({ description: 'a request with more OIDs was too big' })),
    varbindsPerReply: Type.Optional(
      Type.Integer({ description: 'a reply with more varbinds was too big in several tables' }),
    ),
    missingOids: Type.Integer({
      description: 'OIDs that the device does not have, found by asking for them one by one',
    }),
    silentColumns: listOf(
      Type.Object({
        column: Type.String({
          description:
            'a column or scalar that the device does not answer for, although it answers other requests',
        }),
        until: Type.String({ format: 'date-time', description: 'when it is asked again' }),
      }),
    ),
    misorderedTables: listOf(
      Type.Object({
        table: Type.String({
          description: 'the OID above the columns of a table that is polled by GET: its OIDs do not increase',
        }),
        until: Type.String({ format: 'date-time', description: 'when GETBULK is tried again' }),
      }),
    ),
    tables: listOf(
      Type.Object({
        root: Type.String({ description: 'the OID above the columns' }),
        varbindBytes: Type.Optional(Type.Number({ description: 'the average size of a varbind in a reply' })),
        repetitionsPerRequest: Type.Optional(
          Type.Integer({ description: 'a request with more repetitions failed' }),
        ),
        varbindsPerReply: Type.Optional(
          Type.Integer({
            description: 'a reply to a request that begins with this column was too big with more varbinds',
          }),
        ),
        loops: Type.Boolean({
          description: 'true when the OIDs of the table do not increase; it is read up to that point',
        }),
      }),
    ),
  },
  { title: 'LearnedLimits', description: 'learned device limits, which survive restarts' },
);

/** The subject by which the SNMP client keeps learned limits: the device, in its first context. */
export function learnedSubjectOf({ ref, settings }: Device, address: string): LearnedSubject {
  const context = String(settings.version) === '3' ? contextsOf(settings)[0] : undefined;
  return { address, port: ref.port, context };
}

/** Limits that are not known yet are left out. */
export function describeLearned(learned: Learned, nowMs: number): Static<typeof learnedSchema> {
  const {
    srttMs = 0,
    window,
    maxOids,
    maxVarbinds,
    missing = [],
    silent = [],
    misordered = [],
    tables,
  } = learned;
  const isValid = ({ untilMs }: { readonly untilMs: number }) => untilMs > nowMs;
  const timeOf = ({ untilMs }: { readonly untilMs: number }) => new Date(untilMs).toISOString();
  return {
    ...(srttMs === 0 ? {} : { roundTripMs: Math.round(srttMs * 1000) / 1000 }),
    ...(window === undefined ? {} : { requestsAtOnce: window }),
    ...(maxOids === undefined ? {} : { oidsPerRequest: maxOids }),
    ...(maxVarbinds === undefined ? {} : { varbindsPerReply: maxVarbinds }),
    missingOids: missing.length,
    silentColumns: silent.filter(isValid).map((each) => ({ column: each.column, until: timeOf(each) })),
    misorderedTables: misordered.filter(isValid).map((each) => ({ table: each.table, until: timeOf(each) })),
    tables: tables.map(({ root, varbindBytes, maxRepetitions, maxVarbinds: most, isLooping = false }) => ({
      root,
      ...(varbindBytes === undefined ? {} : { varbindBytes }),
      ...(maxRepetitions === undefined ? {} : { repetitionsPerRequest: maxRepetitions }),
      ...(most === undefined ? {} : { varbindsPerReply: most }),
      loops: isLooping,
    })),
  };
}
