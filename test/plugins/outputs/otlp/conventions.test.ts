import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TimedBatch } from '../../../../plugins/outputs/otlp/counters/counter-times.ts';
import { MetricWalk } from '../../../../plugins/outputs/otlp/metrics/metric-walk.ts';
import type { Batch, Column } from '../../../../src/index.ts';
import { SensorSplitter } from '../../../../src/output-kit/index.ts';

function metricsOf(record: string, labels: Batch['rows']['labels'], columns: readonly Column[]) {
  const batch: Batch = {
    device: { name: 'd', ip: '192.0.2.1', port: 161 },
    tags: {},
    record,
    plan: 'every-60s',
    generation: 1,
    sequence: 1,
    slotMs: 0,
    timeMs: 0,
    rows: { count: 1, keys: ['a'], labels },
    columns,
  };
  const timed = { ...new SensorSplitter().split(batch), startsMs: new Map(), places: new Map(), ends: false };
  const walk = new MetricWalk({ serviceName: 'snmp', temporality: 'cumulative' });
  const [device] = walk.walk([timed as unknown as TimedBatch]);
  return device!.metrics
    .filter(({ values }) => values !== 'one')
    .map(({ name, unit, values, attributes, texts }) => [
      name,
      unit,
      typeof values === 'object' && values.kind === 'number' ? values.values[0] : values,
      Object.fromEntries([...attributes[0]!, ...(texts?.[0] ?? [])]),
    ]);
}

const number = (field: string, value: number, unit?: string): Column => ({
  field,
  kind: 'number',
  metric: 'gauge',
  values: Float64Array.of(value),
  ...(unit === undefined ? {} : { unit }),
});

describe('the names of OTLP metrics', () => {
  it('are those of OpenTelemetry’s conventions for hardware', () => {
    const metrics = metricsOf(
      'sensor',
      {
        'sensor.id': ['t.1'],
        'sensor.name': ['Inlet'],
        'sensor.class': ['temperature'],
        'sensor.unit': ['°C'],
      },
      [
        number('sensor.value', 23.5),
        { field: 'sensor.state', kind: 'text', values: ['warning'] },
        number('sensor.high.critical', 40),
      ],
    );
    const own = {
      'snmp.object': 'sensor',
      'hw.id': 't.1',
      'hw.name': 'Inlet',
      'sensor.class': 'temperature',
    };
    assert.deepEqual(metrics, [
      ['hw.temperature', 'Cel', 23.5, own],
      ['hw.temperature.limit', 'Cel', 40, { ...own, 'hw.limit_type': 'high.critical' }],
      ['hw.status', '1', 0, { ...own, 'hw.state': 'ok' }],
      ['hw.status', '1', 1, { ...own, 'hw.state': 'degraded' }],
      ['hw.status', '1', 0, { ...own, 'hw.state': 'failed' }],
    ]);
  });

  it('are those of its conventions for systems, with ratios of 1', () => {
    const metrics = metricsOf('memory', { 'memory.id': ['m.1'] }, [
      number('memory.used', 1024, 'B'),
      number('memory.usage', 29, '%'),
    ]);
    const own = { 'snmp.object': 'memory', 'memory.id': 'm.1' };
    assert.deepEqual(metrics, [
      ['system.memory.usage', 'By', 1024, { ...own, 'system.memory.state': 'used' }],
      ['system.memory.utilization', '1', 0.29, own],
    ]);
  });

  it('are the fields of all other records', () => {
    const metrics = metricsOf('A-MIB::a', {}, [number('memory.usage', 29, '%')]);
    assert.deepEqual(metrics, [['memory.usage', '%', 29, { 'snmp.object': 'A-MIB::a' }]]);
  });
});
