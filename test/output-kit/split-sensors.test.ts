import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LatestValues } from '../../plugins/outputs/prometheus/latest/latest-values.ts';
import { type Batch, gapCode, rowsOf } from '../../src/index.ts';
import { FamilyTable, SensorSplitter } from '../../src/output-kit/index.ts';

const rows = {
  count: 4,
  keys: ['a.1', 'b.1', 'c.1', 'd.1'],
  labels: {
    'sensor.id': ['a.1', 'b.1', 'c.1', 'd.1'],
    'sensor.name': ['Inlet', 'Battery', 'Fan 1', 'Clients'],
    'sensor.class': ['temperature', 'charge', 'state', 'count'],
    'sensor.unit': ['°C', '%', undefined, '1'],
  },
};
const absent = gapCode('noSuchInstance');
const batch: Batch = {
  device: { name: 'd', ip: '192.0.2.1', port: 161 },
  tags: {},
  record: 'sensor',
  plan: 'every-60s',
  generation: 1,
  sequence: 1,
  slotMs: 0,
  timeMs: 1_000,
  rows,
  columns: [
    {
      field: 'sensor.value',
      metric: 'gauge',
      kind: 'number',
      values: Float64Array.of(23.5, 80, 0, 7),
      gaps: Uint8Array.of(0, 0, absent, 0),
    },
    {
      field: 'sensor.state',
      about: {
        names: new Map([
          [0, 'ok'],
          [1, 'warning'],
          [2, 'critical'],
          [3, 'unknown'],
        ]),
      },
      kind: 'text',
      values: ['ok', undefined, 'critical', undefined],
      gaps: Uint8Array.of(0, absent, 0, absent),
    },
    {
      field: 'sensor.high.critical',
      metric: 'gauge',
      kind: 'number',
      values: Float64Array.of(40, 0, 0, 0),
      gaps: Uint8Array.of(0, absent, absent, absent),
    },
  ],
};

describe('the sensors of a batch, by class', () => {
  it('have a field and a unit for each class', () => {
    const split = new SensorSplitter().split(batch);
    assert.deepEqual(
      [...rowsOf(split)].map(({ values }) => values),
      [
        { 'sensor.temperature': 23.5, 'sensor.state': 'ok', 'sensor.temperature.high.critical': 40 },
        { 'sensor.charge': 80 },
        { 'sensor.state': 'critical' },
        { 'sensor.amount': 7 },
      ],
    );
    const units = split.columns.map(({ field, unit }) => [field, unit]);
    assert.deepEqual(units, [
      ['sensor.temperature', '°C'],
      ['sensor.charge', '%'],
      ['sensor.amount', '1'],
      ['sensor.state', undefined],
      ['sensor.temperature.high.critical', '°C'],
    ]);
  });

  it('have the same rows in every batch, without the label of the unit', () => {
    const sensors = new SensorSplitter();
    assert.equal(sensors.split(batch).rows, sensors.split({ ...batch, sequence: 2 }).rows);
    assert.equal('sensor.unit' in sensors.split(batch).rows.labels, false);
  });

  it('are left alone in other records', () => {
    const other = { ...batch, record: 'UPS-MIB::upsBattery' };
    assert.equal(new SensorSplitter().split(other), other);
  });

  it('have names of Prometheus in base units, and states as numbers or as state sets', () => {
    const namesOf = (stateSets: readonly string[]) => {
      const latest = new LatestValues({
        families: new FamilyTable('snmp_'),
        stateSets: new Set(stateSets),
        staleIntervals: 3,
        timestamps: true,
      });
      latest.take(batch);
      const [device] = latest.fresh(1_000);
      const [view] = device!.views.values();
      return view!.columns.map(({ family, column }) => [
        family.sampleName,
        family.kind,
        column.kind === 'number' ? column.values.find((_, row) => column.gaps?.[row] === 0) : column.kind,
      ]);
    };
    assert.deepEqual(namesOf([]), [
      ['snmp_sensor_temperature_celsius', 'gauge', 23.5],
      ['snmp_sensor_charge_ratio', 'gauge', 0.8],
      ['snmp_sensor_amount', 'gauge', 7],
      ['snmp_sensor_state', 'gauge', 0],
      ['snmp_sensor_temperature_high_critical_celsius', 'gauge', 40],
    ]);
    assert.deepEqual(namesOf(['sensor.state'])[3], ['snmp_sensor_state', 'stateset', 'text']);
  });
});
