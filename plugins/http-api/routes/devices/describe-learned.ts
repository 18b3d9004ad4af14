import type { Static } from '../../../../src/index.ts';
import { contextsOf } from '../../../../src/internal.ts';
import type { Device } from '../../../device-registry/service.ts';
import type { Learned, LearnedSubject } from '../../../snmp-client/service.ts';
import type { learnedSchema } from '../../schemas/learned.ts';

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
