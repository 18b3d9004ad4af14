import type { Static } from '../../../src/index.ts';
import type { DiscoveryRun } from '../../snmp-discovery/service.ts';
import type { discoverySchema } from '../schemas/discovery.ts';

/** A discovery as the API shows it. */
export function describeRun(run: DiscoveryRun): Static<typeof discoverySchema> {
  const { id, device, cause, state, progress, outcome, startedMs, endedMs } = run;
  return {
    id,
    device,
    cause,
    state,
    progress,
    requestedAt: new Date(run.requestedMs).toISOString(),
    ...(startedMs === undefined ? {} : { startedAt: new Date(startedMs).toISOString() }),
    ...(endedMs === undefined ? {} : { endedAt: new Date(endedMs).toISOString() }),
    ...(outcome === undefined ? {} : { outcome }),
  };
}
