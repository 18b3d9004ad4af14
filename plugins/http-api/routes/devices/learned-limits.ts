import { type Static, Type } from '../../../../src/index.ts';
import { contextsOf, listOf } from '../../../../src/internal.ts';
import type { Device } from '../../../device-registry/service.ts';
import type { Learned, LearnedSubject } from '../../../snmp-client/service.ts';

export const learnedSchema = Type.Object(
  {
    roundTripMs: Type.Optional(Type.Number({ description: 'smoothed' })),
    requestsAtOnce: Type.Optional(
      Type.Integer({ description: 'that may be outstanding now; absent while nobody asks the device' }),
    ),
    oidsPerRequest: Type.Optional(Type.Integer({ description: 'more were too big for it' })),
    varbindsPerReply: Type.Optional(Type.Integer({ description: 'more were too big for it' })),
    missingOids: Type.Integer({ description: 'asked for one by one, and not there' }),
    tables: listOf(
      Type.Object({
        root: Type.String({ description: 'the OID above the columns' }),
        varbindBytes: Type.Optional(Type.Number({ description: 'of a varbind in a reply, on average' })),
        repetitionsPerRequest: Type.Optional(Type.Integer({ description: 'more failed' })),
        loops: Type.Boolean({ description: 'whether its OIDs do not increase: it is read up to there' }),
      }),
    ),
  },
  { title: 'LearnedLimits', description: 'what the device has taught the collector, kept over restarts' },
);

/** The device as the client knows it, in the context that speaks for it. */
export function learnedSubjectOf({ ref, settings }: Device, address: string): LearnedSubject {
  const context = String(settings.version) === '3' ? contextsOf(settings)[0] : undefined;
  return { address, port: ref.port, context };
}

/** What is not known yet is left out. */
export function describeLearned({
  srttMs = 0,
  window,
  maxOids,
  maxVarbinds,
  missing = [],
  tables,
}: Learned): Static<typeof learnedSchema> {
  return {
    ...(srttMs === 0 ? {} : { roundTripMs: Math.round(srttMs * 1000) / 1000 }),
    ...(window === undefined ? {} : { requestsAtOnce: window }),
    ...(maxOids === undefined ? {} : { oidsPerRequest: maxOids }),
    ...(maxVarbinds === undefined ? {} : { varbindsPerReply: maxVarbinds }),
    missingOids: missing.length,
    tables: tables.map(({ root, varbindBytes, maxRepetitions, isLooping = false }) => ({
      root,
      ...(varbindBytes === undefined ? {} : { varbindBytes }),
      ...(maxRepetitions === undefined ? {} : { repetitionsPerRequest: maxRepetitions }),
      loops: isLooping,
    })),
  };
}
