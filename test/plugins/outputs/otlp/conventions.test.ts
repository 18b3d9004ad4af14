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
      'hw.type': 'temperature',
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

  it('count interfaces as its conventions for networks do, and leave packets by kind as they are', () => {
    const labels = { netif: ['3'], 'netif.name': ['Gi0/3'] };
    const metrics = metricsOf('IF-MIB::ifEntry', labels, [
      number('netif.bytes.in', 7, 'B'),
      number('netif.errors.out', 1),
      number('netif.discards.in', 2),
      number('netif.packets.unicast.in', 3),
    ]);
    const own = { 'snmp.object': 'IF-MIB::ifEntry', netif: '3', 'network.interface.name': 'Gi0/3' };
    assert.deepEqual(metrics, [
      ['system.network.io', 'By', 7, { ...own, 'network.io.direction': 'receive' }],
      ['system.network.errors', '{error}', 1, { ...own, 'network.io.direction': 'transmit' }],
      ['system.network.packet.dropped', '{packet}', 2, { ...own, 'network.io.direction': 'receive' }],
      ['netif.packets.unicast.in', '', 3, own],
    ]);
  });

  it('have the type of the hardware, by the class of the sensor or by its part', () => {
    const typeOf = (kind: string, part?: string) => {
      const labels = { 'sensor.class': [kind], ...(part === undefined ? {} : { 'sensor.part': [part] }) };
      const [metric] = metricsOf('sensor', labels, [number('sensor.value', 1)]);
      return (metric!.at(-1) as Record<string, unknown>)['hw.type'];
    };
    assert.deepEqual(
      [
        typeOf('fan_speed'),
        typeOf('charge', 'ups'),
        typeOf('power', 'supply'),
        typeOf('current', 'disk'),
        typeOf('signal', 'transceiver'),
        typeOf('load', 'phase'),
        typeOf('humidity'),
      ],
      ['fan', 'battery', 'power_supply', 'physical_disk', 'network', 'phase', 'humidity'],
    );
  });

  it('are the fields of all other records', () => {
    const metrics = metricsOf('A-MIB::a', {}, [number('memory.usage', 29, '%')]);
    assert.deepEqual(metrics, [['memory.usage', '%', 29, { 'snmp.object': 'A-MIB::a' }]]);
  });
});
