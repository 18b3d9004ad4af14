import { labelledMetric, type Metric, oneMetric } from '../../../src/http/index.ts';
import type { SnmpClient } from '../../snmp-client/service.ts';

/** SNMP datagrams that arrived and were not used, by cause, and those that never arrived because the kernel dropped them. */
export async function listPacketMetrics(client: SnmpClient): Promise<Metric[]> {
  const { malformed, ignored } = client.counters();
  const drops = await client.kernelDrops();
  const causes = [
    ...Object.entries(malformed).map(([fault, count]) => [`malformed_${toLabel(fault)}`, count] as const),
    ...Object.entries(ignored).map(([reason, count]) => [toLabel(reason), count] as const),
  ];
  const metrics = [
    labelledMetric(
      'counter',
      'waywiser_snmp_packets_ignored_total',
      'SNMP packets that were received and ignored, by cause. unknown_request: late, repeated or forged.',
      'cause',
      causes,
    ),
  ];
  if (drops === undefined) return metrics;
  const help = 'SNMP packets that the kernel dropped because the receive buffers were full.';
  return [...metrics, oneMetric('counter', 'waywiser_snmp_packets_dropped_by_kernel_total', help, drops)];
}

/** `wrongSource` → `wrong_source`. */
function toLabel(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
