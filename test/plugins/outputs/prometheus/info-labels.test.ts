import { deepEqual, match, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderExposition } from '../../../../plugins/outputs/prometheus/exposition/exposition.ts';
import { LatestValues } from '../../../../plugins/outputs/prometheus/latest/latest-values.ts';
import type { Batch } from '../../../../src/index.ts';
import { FamilyTable } from '../../../../src/output-kit/naming/family-table.ts';
import { InfoLabels, infoLabelsOption } from '../../../../src/output-kit/naming/info-labels.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';
import { loadShippedDefinitions } from '../../../shipped/shipped.ts';

const rows: Batch['rows'] = {
  count: 2,
  keys: ['1', '2'],
  labels: { netif: ['1', '2'], 'netif.name': ['Gi1', 'Gi2'], 'netif.alias': ['to the core', undefined] },
};
const record = 'IF-MIB::ifEntry';
const device = { name: 'd', ip: '192.0.2.1', port: 161 };
const timeMs = 1_700_000_000_000;

/** Two plans of the interfaces: errors often, the speed rarely. */
const batches: readonly Batch[] = ['netif.errors', 'netif.speed'].map((field, plan) => ({
  ...createTestBatch({ device, record, plan: `plan-${plan}`, slotMs: timeMs, timeMs, intervalMs: 60_000 }),
  rows: { ...rows },
  columns: [{ field, kind: 'number', metric: 'gauge', values: Float64Array.of(1, 2) }],
}));

function seriesOf(
  infoLabels: readonly string[],
  order: readonly number[],
  naming: 'fields' | 'mib' = 'fields',
  more: readonly Batch[] = [],
) {
  const latest = new LatestValues({
    families: new FamilyTable(''),
    stateSets: new Set(),
    staleIntervals: 3,
    timestamps: false,
    infoLabels,
    naming,
  });
  for (const batch of [...order.map((plan) => batches[plan]!), ...more]) latest.take(batch);
  const settings = { openMetrics: false, timestamps: false, created: false, nowMs: timeMs };
  const text = Array.from(renderExposition(latest.fresh(timeMs), settings), String).join('');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) =>
    line.replace('device="d",address="192.0.2.1:161",object="IF-MIB::ifEntry",', ''),
  );
}

describe('`info_labels` of prometheus', () => {
  it('are on one info metric per row, whatever plans the record has, and on no other series', () => {
    for (const order of [
      [0, 1],
      [1, 0],
      [0, 1, 0, 1],
    ]) {
      deepEqual(seriesOf(['netif.alias'], order).sort(), [
        'if_mib_if_entry_info{netif="1",netif_name="Gi1",netif_alias="to the core"} 1',
        'netif_errors{netif="1",netif_name="Gi1"} 1',
        'netif_errors{netif="2",netif_name="Gi2"} 2',
        'netif_speed{netif="1",netif_name="Gi1"} 1',
        'netif_speed{netif="2",netif_name="Gi2"} 2',
      ]);
    }
  });

  it('are there for each SNMPv3 context', () => {
    const inContext = (context: string) => ({ ...batches[0]!, plan: `plan-${context}`, tags: { context } });
    const lines = seriesOf(['netif.alias'], [], 'fields', [inContext('a'), inContext('b')]);
    deepEqual(
      lines.filter((line) => line.includes('netif_alias')),
      ['a', 'b'].map(
        (context) =>
          `if_mib_if_entry_info{netif="1",netif_name="Gi1",context="${context}",netif_alias="to the core"} 1`,
      ),
    );
  });

  it('are fields, or endings of fields', () => {
    const described = [
      'if_mib_if_entry_info{netif="1",netif_name="Gi1",netif_alias="to the core"} 1',
      'netif_errors{netif="1",netif_name="Gi1"} 1',
      'netif_errors{netif="2",netif_name="Gi2"} 2',
    ];
    deepEqual(seriesOf(['*.alias'], [0]).sort(), described);
    deepEqual(seriesOf(infoLabelsOption.info_labels.default as string[], [0]).sort(), described);
  });

  it('are not moved without the option, and not with the names of the MIB', () => {
    match(seriesOf([], [0]).join(), /netif_alias="to the core"} 1/);
    deepEqual(seriesOf(['netif.alias'], [0], 'mib'), seriesOf([], [0], 'mib'));
  });

  it('are never index parts or names of shipped objects by default', () => {
    const moving = new InfoLabels(infoLabelsOption.info_labels.default as string[]);
    const isMoved = (field: string) => {
      const batch = createTestBatch({ rows: [{ labels: { [field]: 'x' } }] });
      return moving.move(batch, () => true) !== batch;
    };
    const { objects } = loadShippedDefinitions();
    const index = [...objects.values()].flatMap((object) => object.index.flatMap(({ field }) => field ?? []));
    const tags = [...objects.values()].flatMap(({ attributes }) =>
      [...attributes.values()].flatMap(({ tag, fields }) => (tag ? fields.map(({ field }) => field) : [])),
    );
    deepEqual(index.filter(isMoved), []);
    deepEqual(
      tags.filter(
        (field) => isMoved(field) && /\.(id|index|name)$/.test(field) && field !== 'netif.type.name',
      ),
      [],
    );
    const moved = new Set(tags.filter(isMoved));
    for (const field of ['netif.alias', 'netif.descr', 'netif.type.name', 'disk.serial'])
      ok(moved.has(field), field);
  });
});
