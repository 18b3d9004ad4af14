import type { Device } from '../../../plugins/device-registry/service.ts';
import type { Discovery, DiscoveryOutcome } from '../../../plugins/snmp-discovery/service.ts';
import { WaywiserError } from '../../kernel/errors.ts';
import type { StatusLine } from '../terminal/status-line.ts';

const refreshMs = 100;

/** Discovers a device and shows how far it is. Rejects with the discovery's own failure. */
export async function runDiscovery(
  device: Device,
  discovery: Discovery,
  line: StatusLine,
): Promise<DiscoveryOutcome & { readonly ok: true }> {
  const { run } = discovery.request(device, 'requested');
  const show = () => {
    const { objects, total } = run.progress;
    line.showShare(`objects of ${device.ref.name}`, objects, total);
  };
  const timer = setInterval(show, refreshMs);
  try {
    const outcome = await run.ended;
    if (outcome.ok) return outcome;
    throw new WaywiserError(outcome.code, outcome.message);
  } finally {
    clearInterval(timer);
    line.clear();
  }
}
