import { Type } from '../../../src/index.ts';
import { listOf } from '../../../src/internal.ts';

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
