import { cpuUsage } from 'node:process';
import { renderExposition } from '../../plugins/outputs/prometheus/exposition/exposition.ts';
import { LatestValues } from '../../plugins/outputs/prometheus/latest/latest-values.ts';
import type { Batch } from '../../src/index.ts';
import { FamilyTable } from '../../src/output-kit/naming/family-table.ts';
import { infoLabelsOption } from '../../src/output-kit/naming/info-labels.ts';
import { createInterfaceBatches } from './interface-batches.ts';

const rounds = 5;

/** Accepting batches, then rendering them as text for a socket: with the descriptions of interfaces on one series per row, and on all. */
export default async function* prometheusFigures() {
  yield* figuresOf('prometheus', infoLabelsOption.info_labels.default as string[]);
  yield* figuresOf('prometheus, info_labels: []', []);
}

async function* figuresOf(output: string, infoLabels: readonly string[]) {
  const batches = Array.from(createInterfaceBatches(500), describeRows);
  const values = batches.reduce((sum, { rows, columns }) => sum + rows.count * columns.length, 0) * rounds;
  const latest = new LatestValues({
    families: new FamilyTable('snmp_'),
    stateSets: new Set(),
    staleIntervals: 3,
    timestamps: true,
    infoLabels,
  });
  for (const batch of batches) latest.take(batch);
  const takeBegun = cpuUsage();
  for (let round = 0; round < rounds; round++) for (const batch of batches) latest.take(batch);
  yield [`${output}, polls taken`, values / cpuSeconds(takeBegun), 'values/CPU s'] as const;

  for (const openMetrics of [false, true]) {
    const settings = { openMetrics, timestamps: false, created: false, nowMs: Date.now() };
    let bytes = 0;
    const begun = cpuUsage();
    for (let round = 0; round < rounds; round++) {
      for (const chunk of renderExposition(latest.fresh(Date.now()), settings)) bytes += chunk.length;
    }
    const seconds = cpuSeconds(begun);
    const name = openMetrics ? 'OpenMetrics' : 'classic text';
    yield [`${output}, ${name}, rendered`, values / seconds, 'values/CPU s'] as const;
    yield [`${output}, ${name}, bytes per value`, bytes / values, 'bytes'] as const;
  }
}

/** With the labels that IF-MIB gives interfaces. */
function describeRows(batch: Batch): Batch {
  const { rows } = batch;
  const labels = {
    ...rows.labels,
    'netif.descr': rows.keys.map((key) => `GigabitEthernet0/${key}`),
    'netif.type.name': rows.keys.map(() => 'ethernetCsmacd'),
    'netif.alias': rows.keys.map((key) => `to access-switch-${key} in Berlin`),
  };
  const columns = batch.columns.filter(({ field }) => field !== 'netif.alias');
  return { ...batch, rows: { ...rows, labels }, columns };
}

function cpuSeconds(begun: NodeJS.CpuUsage): number {
  const { user, system } = cpuUsage(begun);
  return (user + system) / 1e6;
}
