import { access, type DeviceRef, deviceKey, Type } from '../../../../src/index.ts';
import { deviceRefSchema, listOf } from '../../../../src/internal.ts';
import type { AcceptedApply } from '../../../definitions-loader/service.ts';
import type { RoutePlugin } from '../../../http-routes/service.ts';
import { problem } from '../../problem/problem.ts';
import { callerOf } from '../../security/caller.ts';
import type { ApiContext } from '../api-context.ts';
import { definitionChangesSchema, definitionProblemSchema } from './definition-schemas.ts';

const cost = Type.Object(
  {
    devices: Type.Integer(),
    objects: Type.Integer(),
    series: Type.Number(),
    valuesPerSecond: Type.Number(),
    packetsPerSecond: Type.Number(),
  },
  { title: 'PollingCost' },
);

const schema = {
  operationId: 'applyDefinitions',
  tags: ['definitions'],
  summary: 'Read all definition files again',
  description:
    'Reads every definition file again from the directories the collector was started with, and runs them without a gap in polling. Files with any error change nothing.',
  querystring: Type.Object(
    {
      force_rediscovery: Type.Boolean({
        default: false,
        description:
          'rediscover the devices whose object groups or objects changed; without it none of them is',
      }),
      dry_run: Type.Boolean({
        default: false,
        description: 'answer what would change and what it would cost, and change nothing',
      }),
    },
    { additionalProperties: false },
  ),
  response: {
    200: Type.Object(
      {
        generation: Type.Integer({ description: 'the one that runs now' }),
        previousGeneration: Type.Integer(),
        changed: Type.Boolean(),
        forceRediscovery: Type.Boolean(),
        changes: definitionChangesSchema,
        affectedDevices: listOf(deviceRefSchema),
        rediscovering: Type.Array(deviceRefSchema, {
          description:
            'those whose objects changed, with force_rediscovery, and those with other credentials',
        }),
        warnings: listOf(definitionProblemSchema),
        durationMs: Type.Number(),
        cost: Type.Optional(Type.Object({ before: cost, after: cost }, { description: 'in a dry run' })),
      },
      { title: 'ApplyResult' },
    ),
  },
};

/** The owner's first operation. */
export function applyDefinitions({ definitions, registry, discovery }: ApiContext): RoutePlugin {
  return async (app) => {
    // An empty body is fine whatever its type is said to be, so none is looked at.
    app.addHook('onRequest', async ({ headers }) => {
      delete headers['content-type'];
    });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: string | Buffer) => {
      if (!/^\s*(\{\s*\})?\s*$/.test(String(body))) throw problem('HTTP_BODY_UNEXPECTED', {});
    });
    app.post('/api/v1/snmp/apply-definitions', { config: access('operate'), schema }, async (request) => {
      const { force_rediscovery: forceRediscovery, dry_run: dryRun } = request.query;
      const requestedBy = callerOf(request).name;
      const result = await definitions.apply({ forceRediscovery, dryRun, requestedBy });
      if (!result.accepted) {
        const { problems, generation } = result;
        const count = problems.filter(({ level }) => level === 'error').length;
        throw problem('HTTP_DEFINITIONS_INVALID', { count }, { generation, problems });
      }
      return { ...result, rediscovering: dryRun ? findEnabled(result) : findRunning(result) };
    });
  };

  /** In a dry run: who would be rediscovered. */
  function findEnabled({ forceRediscovery, affectedDevices }: AcceptedApply): DeviceRef[] {
    if (!forceRediscovery) return [];
    return affectedDevices.filter(({ ip, port }) => {
      const device = registry.findDevice(ip, port);
      return device !== undefined && device.settings.enabled !== false;
    });
  }

  /** Whose second or later discovery waits or runs: because it is forced, or because the device is asked otherwise. */
  function findRunning({ forceRediscovery, changed, affectedDevices, changes }: AcceptedApply): DeviceRef[] {
    if (!changed) return [];
    const forced = new Set(forceRediscovery ? affectedDevices.map(deviceKey) : []);
    const written = new Set([...changes.devices.added, ...changes.devices.changed]);
    const found = new Map<string, DeviceRef>();
    for (const { outcome, cause, device } of discovery.runs) {
      if (outcome !== undefined || cause === 'initial') continue;
      const key = deviceKey(device);
      if (forced.has(key) || (cause === 'changed' && written.has(device.name))) found.set(key, device);
    }
    return [...found.values()];
  }
}
