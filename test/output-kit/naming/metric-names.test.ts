import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { renderExposition } from '../../../plugins/outputs/prometheus/exposition/exposition.ts';
import { LatestValues } from '../../../plugins/outputs/prometheus/latest/latest-values.ts';
import type { Column } from '../../../src/index.ts';
import { FamilyTable } from '../../../src/output-kit/naming/family-table.ts';
import { metricName } from '../../../src/output-kit/naming/metric-name.ts';
import { createTestBatch } from '../../../src/testing/index.ts';
import { missingTool } from '../../support/needs.ts';

const words = `counter gauge summary histogram untyped total count sum bucket created info
  s ms us ns sec b kb mb gb tb pb m h d minutes hours days weeks milliseconds kilobytes bits kilobits fahrenheit inches`;
const refused = words.split(/\s+/);
const units = [
  undefined,
  '1',
  'ms',
  'B',
  '%',
  'kb',
  'hours',
  'minutes/s',
  'total',
  'packets',
  'kilobytes',
  'KB/s',
];

/** Fields with each refused word in each place, and with each pair of them. */
const fields = [
  ...refused.flatMap((word) => [word, `${word}.a`, `a.${word}`, `a.${word}.b1`, `aB_${word}.${word}`]),
  ...refused.flatMap((word, i) => [
    `x.${word}.${refused[(i + 7) % refused.length]}`,
    `${word}.${refused[(i + 3) % refused.length]}`,
  ]),
];

function columnsOf(unit: string | undefined, metric: 'counter' | 'gauge'): Column[] {
  return fields.map((field) => ({
    kind: 'number',
    field,
    metric,
    unit,
    values: Float64Array.of(1),
    about: { description: 'A value' },
  })) as Column[];
}

function render(): string {
  const families = new FamilyTable('snmp_');
  const latest = new LatestValues({ families, stateSets: new Set(), staleIntervals: 3, timestamps: false });
  const times = [1_700_000_000_000, 1_700_000_060_000];
  for (const timeMs of times)
    for (const unit of units)
      for (const metric of ['counter', 'gauge'] as const)
        latest.take({
          ...createTestBatch({ record: `r ${unit} ${metric}`, slotMs: timeMs, timeMs, intervalMs: 60_000 }),
          tags: { le: '1', quantile: '0.5' },
          columns: columnsOf(unit, metric),
        });
  const nowMs = times[1]!;
  const settings = { openMetrics: false, timestamps: false, created: false, nowMs };
  return Array.from(renderExposition(latest.fresh(nowMs), settings), String).join('');
}

describe('the metric name of a field', () => {
  it('has no fault that promtool knows, whatever the field and its unit are called', {
    skip: missingTool('promtool'),
  }, () => {
    const input = render();
    assert.ok(input.split('\n').filter((line) => line.startsWith('# TYPE')).length > 2 * fields.length);
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input,
      encoding: 'utf8',
    });
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
  });

  it('joins a word that promtool refuses to the next one, or to the last one', () => {
    const named = {
      'netif.bytes.in': 'netif_bytes_in',
      'ospf.area.summary': 'ospf_areasummary',
      'ospf.summary.count': 'ospfsummary',
      'net.ns.agents': 'net_nsagents',
      'load.minutes.5': 'load_minutes5',
      'latency.ms.s': 'latency_mss',
      'a.m.s': 'ams',
      gauge: 'gaugevalue',
      total: 'totalvalue',
      'sum.count': 'sumcountvalue',
      'disk.total': 'disk',
    };
    assert.deepEqual(
      Object.fromEntries(Object.keys(named).map((field) => [field, metricName(field)])),
      named,
    );
  });
});
