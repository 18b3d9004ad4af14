import { Type } from '../../../src/index.ts';

export const lastPollSchema = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    plan: Type.String(),
    ok: Type.Boolean(),
    durationMs: Type.Number(),
    packets: Type.Integer(),
    values: Type.Integer(),
    gaps: Type.Record(Type.String(), Type.Integer(), { description: 'missing values by reason' }),
  },
  { title: 'LastPoll', description: 'the last poll that ended, of whatever interval' },
);

export const lastErrorSchema = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    code: Type.String({ description: 'a code of docs/errors.md, or why values are missing' }),
    message: Type.String(),
  },
  {
    title: 'LastError',
    description: 'the last poll or discovery that failed since the start; it may be over',
  },
);
