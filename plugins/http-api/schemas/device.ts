import { Type } from '../../../src/index.ts';
import { deviceStates } from '../../../src/internal.ts';
import { deviceRefSchema } from './device-ref.ts';
import { listOf } from './list-of.ts';

export const deviceStateSchema = Type.Unsafe<(typeof deviceStates)[number]>(
  Type.String({ enum: [...deviceStates] }),
);

/** A device as lists show it. */
export const deviceSummarySchema = Type.Composite([
  deviceRefSchema,
  Type.Object({
    state: deviceStateSchema,
    since: Type.String({ format: 'date-time' }),
    why: Type.String({ description: 'why it is in that state' }),
    enabled: Type.Boolean(),
    deviceGroups: listOf(Type.String()),
    tags: Type.Record(Type.String(), Type.String()),
  }),
]);

export const deviceAddressSchema = Type.Object(
  {
    ip: Type.String({ minLength: 1, maxLength: 300, description: 'in any spelling, or a host name' }),
    port: Type.String({ pattern: '^\\d{1,5}$', description: 'from 1 to 65535' }),
  },
  { additionalProperties: false },
);
