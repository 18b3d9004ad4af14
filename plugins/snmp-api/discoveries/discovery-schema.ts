import { deviceRefSchema } from '../../../src/http/index.ts';
import { type Static, Type } from '../../../src/index.ts';
import type { DiscoveryRun } from '../../snmp-discovery/service.ts';

const oneOf = <const Words extends readonly string[]>(title: string, words: Words) =>
  Type.Unsafe<Words[number]>(Type.String({ title, enum: [...words] }));

export const discoveryCauseSchema = oneOf('DiscoveryCause', [
  'initial',
  'forced',
  'requested',
  'reset',
  'changed',
  'scheduled',
]);
export const discoveryStateSchema = oneOf('DiscoveryState', ['waiting', 'running', 'completed', 'failed']);

/** The result of a discovery that has ended. */
const outcomeSchema = Type.Object(
  {
    ok: Type.Boolean(),
    durationMs: Type.Number(),
    change: Type.Optional(
      Type.Object(
        {
          objects: Type.Integer(),
          instances: Type.Integer(),
          added: Type.Record(Type.String(), Type.Integer()),
          removed: Type.Record(Type.String(), Type.Integer()),
          partial: Type.Optional(
            Type.Record(Type.String(), Type.String(), {
              description: 'why objects were not read to their end, such as notIncreasing',
            }),
          ),
        },
        { description: 'what the device has, and the added and removed instances by object' },
      ),
    ),
    code: Type.Optional(Type.String({ description: 'the reason of a failure, one of docs/errors.md' })),
    message: Type.Optional(Type.String({ description: 'the reason of a failure, as a sentence' })),
  },
  { title: 'DiscoveryOutcome' },
);

export const discoverySchema = Type.Object(
  {
    id: Type.String(),
    device: deviceRefSchema,
    cause: discoveryCauseSchema,
    state: discoveryStateSchema,
    requestedAt: Type.String({ format: 'date-time' }),
    startedAt: Type.Optional(Type.String({ format: 'date-time' })),
    endedAt: Type.Optional(Type.String({ format: 'date-time' })),
    progress: Type.Object(
      { objects: Type.Integer(), total: Type.Integer(), instances: Type.Integer() },
      { description: 'how many objects of how many have been asked for, and the instances found so far' },
    ),
    packets: Type.Optional(Type.Integer({ description: 'datagrams that were sent to the device until now' })),
    outcome: Type.Optional(outcomeSchema),
  },
  { title: 'Discovery' },
);

/** Describes a discovery for an answer. */
export function describeRun(run: DiscoveryRun): Static<typeof discoverySchema> {
  const { id, device, cause, state, progress, packets, outcome, startedMs, endedMs } = run;
  return {
    id,
    device,
    cause,
    state,
    progress,
    requestedAt: new Date(run.requestedMs).toISOString(),
    ...(startedMs === undefined ? {} : { startedAt: new Date(startedMs).toISOString() }),
    ...(endedMs === undefined ? {} : { endedAt: new Date(endedMs).toISOString() }),
    ...(packets === undefined ? {} : { packets }),
    ...(outcome === undefined ? {} : { outcome }),
  };
}
