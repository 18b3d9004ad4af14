import { Type } from '../../../src/index.ts';
import { deviceRefSchema, deviceStates, listOf } from '../../../src/internal.ts';

export const deviceStateSchema = Type.Unsafe<(typeof deviceStates)[number]>(
  Type.String({ title: 'DeviceState', enum: [...deviceStates] }),
);

/** A device as lists show it. */
export const deviceSummarySchema = Type.Composite(
  [
    deviceRefSchema,
    Type.Object({
      state: deviceStateSchema,
      since: Type.String({ format: 'date-time' }),
      why: Type.String({ description: 'why it is in that state' }),
      enabled: Type.Boolean(),
      deviceGroups: listOf(Type.String()),
      tags: Type.Record(Type.String(), Type.String()),
    }),
  ],
  { title: 'Device' },
);
