import { cpuUsage } from 'node:process';
import { renderExposition } from '../../plugins/outputs/prometheus/exposition/exposition.ts';
import { LatestValues } from '../../plugins/outputs/prometheus/latest/latest-values.ts';
import { FamilyTable } from '../../src/output-kit/naming/family-table.ts';
import { createInterfaceBatches } from './interface-batches.ts';

const rounds = 5;

/** Accepting batches, then rendering them as text for a socket. */
export default async function* prometheusFigures() {
  const batches = [...createInterfaceBatches(500)];
  const values = batches.reduce((sum, { rows, columns }) => sum + rows.count * columns.length, 0) * rounds;
  const latest = new LatestValues({
    families: new FamilyTable('snmp_'),
    stateSets: new Set(),
    staleIntervals: 3,
    timestamps: true,
  });
  for (const batch of batches) latest.take(batch);
  const takeBegun = cpuUsage();
  for (let round = 0; round < rounds; round++) for (const batch of batches) latest.take(batch);
  yield ['prometheus, polls taken', values / cpuSeconds(takeBegun), 'values/CPU s'] as const;

  for (const openMetrics of [false, true]) {
    const settings = { openMetrics, timestamps: false, created: false, nowMs: Date.now() };
    let bytes = 0;
    const begun = cpuUsage();
    for (let round = 0; round < rounds; round++) {
      for (const chunk of renderExposition(latest.fresh(Date.now()), settings)) bytes += chunk.length;
    }
    const seconds = cpuSeconds(begun);
    const name = openMetrics ? 'OpenMetrics' : 'classic text';
    yield [`prometheus, ${name}, rendered`, values / seconds, 'values/CPU s'] as const;
    yield [`prometheus, ${name}, bytes per value`, bytes / values, 'bytes'] as const;
  }
}

function cpuSeconds(begun: NodeJS.CpuUsage): number {
  const { user, system } = cpuUsage(begun);
  return (user + system) / 1e6;
}
