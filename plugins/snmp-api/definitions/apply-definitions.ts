import { deviceRefSchema, listOf } from '../../../src/http/index.ts';
import { access, type DeviceRef, deviceKey, Type } from '../../../src/index.ts';
import type { AcceptedApply } from '../../definitions-loader/service.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import { problem } from '../problem.ts';
import type { SnmpApiContext } from '../snmp-api-context.ts';
import {
  definitionChangesSchema,
  definitionProblemSchema,
  listedChangeSchema,
} from './definition-schemas.ts';

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

const memberGeneration = Type.Object(
  {
    name: Type.String(),
    generation: Type.Optional(Type.Integer({ description: 'absent while the member has not switched' })),
    changed: Type.Optional(Type.Boolean()),
  },
  { title: 'MemberGeneration', description: 'in a cluster: the generation that a member uses now' },
);

const schema = {
  operationId: 'applyDefinitions',
  tags: ['definitions'],
  summary: 'Apply the definition files',
  description:
    'Reads every definition file again from the directories that the collector was started with, and switches to the new definitions without a gap in polling. If a file has an error, nothing changes.',
  querystring: Type.Object(
    {
      force_rediscovery: Type.Boolean({
        default: false,
        description: 'rediscover the affected devices; false rediscovers none of them',
      }),
      dry_run: Type.Boolean({
        default: false,
        description: 'return what would change and what it would cost, and change nothing',
      }),
    },
    { additionalProperties: false },
  ),
  response: {
    200: Type.Object(
      {
        generation: Type.Integer({ description: 'the current generation' }),
        previousGeneration: Type.Integer(),
        changed: Type.Boolean(),
        forceRediscovery: Type.Boolean(),
        changes: definitionChangesSchema,
        affectedDevices: listOf(deviceRefSchema),
        rediscovering: Type.Array(deviceRefSchema, {
          description:
            'with force_rediscovery, the affected devices; always, those whose credentials changed',
        }),
        warnings: listOf(definitionProblemSchema),
        durationMs: Type.Number(),
        members: Type.Optional(listOf(memberGeneration)),
        cost: Type.Optional(Type.Object({ before: cost, after: cost }, { description: 'only in a dry run' })),
        /** Only in a dry run: the first 500, those that changed by themselves first. */
        differences: Type.Optional(listOf(listedChangeSchema)),
      },
      { title: 'ApplyResult' },
    ),
  },
};

/** Applies the definition files. */
export function applyDefinitions({ definitions, registry, discovery }: SnmpApiContext): RoutePlugin {
  return async (app, { callers }) => {
    // An empty body is accepted with any content type.
    app.addHook('onRequest', async ({ headers }) => {
      delete headers['content-type'];
    });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: string | Buffer) => {
      if (!/^\s*(\{\s*\})?\s*$/.test(String(body))) throw problem('HTTP_BODY_UNEXPECTED', {});
    });
    app.post('/api/v1/snmp/apply-definitions', { config: access('operate'), schema }, async (request) => {
      const { force_rediscovery: forceRediscovery, dry_run: dryRun } = request.query;
      const requestedBy = callers.of(request).name;
      const result = await definitions.apply({ forceRediscovery, dryRun, requestedBy });
      if (!result.accepted) {
        const { problems, generation } = result;
        const count = problems.filter(({ level }) => level === 'error').length;
        throw problem('HTTP_DEFINITIONS_INVALID', { count }, { generation, problems });
      }
      return { ...result, rediscovering: dryRun ? findEnabled(result) : findRunning(result) };
    });
  };

  /** In a dry run: the devices that would be rediscovered. */
  function findEnabled({ forceRediscovery, affectedDevices }: AcceptedApply): DeviceRef[] {
    if (!forceRediscovery) return [];
    return affectedDevices.filter(({ ip, port }) => {
      const device = registry.findDevice(ip, port);
      return device !== undefined && device.settings.enabled !== false;
    });
  }

  /** Devices with a waiting or running discovery, not their first one, that is forced or follows from changed settings. */
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
