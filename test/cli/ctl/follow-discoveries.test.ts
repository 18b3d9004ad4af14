import assert from 'node:assert/strict';
import { it } from 'node:test';
import { followDiscoveries, listEnded } from '../../../cli/ctl/follow-discoveries.ts';
import { StatusLine } from '../../../cli/terminal/status-line.ts';
import type { Device } from '../../../plugins/device-registry/service.ts';
import { RunQueue } from '../../../plugins/snmp-discovery/runs/run-queue.ts';
import type { ApiClient } from '../../../src/client/index.ts';

it('reports all of 800 failed rediscoveries although the collector keeps only 500', async () => {
  const queue = new RunQueue({
    startsPerSecond: 400,
    maxConcurrent: 50,
    now: Date.now,
    generation: () => 1,
    execute: async (run) => {
      const failed = { ok: false, code: 'SNMP_TIMEOUT', message: 'silence', durationMs: 1 } as const;
      const change = { objects: 0, instances: 0, added: {}, removed: {} };
      const fails = Number(run.device.name) % 3 === 0;
      run.end(fails ? failed : { ok: true, change, durationMs: 1 }, Date.now());
    },
  });
  const client = {
    call: async (_name: string, { query }: { query: { state: string; limit: number } }) => {
      const runs = queue.runs.filter(({ state }) => state === query.state).slice(0, query.limit);
      const discoveries = runs.map(({ id, device, state, endedMs = 0 }) => {
        return { id, device, state, endedAt: new Date(endedMs).toISOString() };
      });
      return { body: { discoveries } };
    },
  } as unknown as ApiClient;
  const refs = Array.from({ length: 800 }, (_, i) => ({ name: `${i}`, ip: `192.0.2.${i}`, port: 161 }));
  const device = (ref: Device['ref']) => ({ ref }) as unknown as Device;
  await queue.request(device(refs[0]!), 'requested').run.ended;
  const earlier = await listEnded(client);
  assert.equal(earlier.size, 1);
  for (const ref of refs) queue.request(device(ref), 'forced');
  const failed = await followDiscoveries(client, refs, earlier, new StatusLine());
  assert.deepEqual(
    failed.map((run) => Number(run.device.name)).sort((a, b) => a - b),
    refs.map((_, i) => i).filter((i) => i % 3 === 0),
  );
  await queue.close();
});
