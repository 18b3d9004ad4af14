import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Batch, gapAt, rowsOf } from '../../../src/index.ts';
import { pollRecording } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';

const top = '1.3.6.1.4.1.32473.9';
const objects = `
S-MIB::mixedEntry:
  type: dynamic
  index: [{ type: Integer, column: mixedIndex }]
  discovery_attribute: mixedKind
  attributes:
    mixedKind: { oid: .${top}.1.1.2, syntax: Integer32 }
    mixedName: { oid: .${top}.1.1.3, syntax: DisplayString }
    mixedDivisor: { oid: .${top}.1.1.4, syntax: Integer32 }
    mixedUnit: { oid: .${top}.1.1.5, syntax: DisplayString }
    mixedState: { oid: .${top}.1.1.7, syntax: EnumInteger }
    mixedHigh: { oid: .${top}.1.1.8, syntax: Integer32, missing: [0] }
    mixedValue:
      oid: .${top}.1.1.6
      syntax: Integer32
      missing: [-999]
      scale: { divisor: mixedDivisor, unit: { of: mixedUnit, values: { C: celsius, F: fahrenheit, mV: 0.001 } } }
      sensor:
        class: { of: mixedKind, values: { 1: temperature, 2: voltage } }
        name: "{mixedName} in slot {mixedIndex}"
        location: Room {mixedUnit}
        state: { of: mixedState, ok: [1], warning: [2], critical: [3] }
        limits: { high_warning: mixedHigh, low_critical: 5 }
S-MIB::fanEntry:
  type: dynamic
  index: [{ type: Integer, column: fanIndex }]
  discovery_attribute: fanState
  attributes:
    fanState:
      oid: .${top}.2.1.2
      syntax: DisplayString
      sensor: { class: state, part: fan, name: "Fan {index}", state: { ok: [Normal], critical: [Failed] } }
    fanSpeed:
      oid: .${top}.2.1.3
      syntax: NumberInText
      sensor: { class: fan_speed, part: fan, direction: output, name: "Fan {fanIndex}" }
S-MIB::namedEntry:
  type: dynamic
  index: [{ type: Integer, column: namedIndex }]
  discovery_attribute: namedValue
  attributes:
    namedText: { oid: .${top}.6.1.2, syntax: DisplayString }
    namedValue:
      oid: .${top}.6.1.3
      syntax: NumberInText
      sensor:
        class:
          of: namedText
          values: { CPU Fan Door: state }
          contains: { temp: temperature, Fan: fan_speed, 12: voltage }
        name: "{namedText}"
        state: { of: namedState, ok: [OK], warning: [Non-Critical] }
    namedOther:
      oid: .${top}.6.1.4
      syntax: Integer32
      sensor: { class: { of: namedText, contains: { fan: count }, otherwise: quality }, name: "Other {namedText}" }
    namedState: { oid: .${top}.6.1.5, syntax: DisplayString }
S-MIB::cpuEntry:
  type: dynamic
  record: processor
  labels: { processor.name: "CPU {cpuName}" }
  index: [{ type: Integer, column: cpuIndex }]
  discovery_attribute: cpuUsage
  attributes:
    cpuName: { oid: .${top}.3.1.2, syntax: DisplayString }
    cpuUsage: { oid: .${top}.3.1.3, name: processor.usage, syntax: Percent100, metric: gauge }
S-MIB::cpu:
  type: dynamic
  record: processor
  labels: { processor.name: all }
  discovery_attribute: allUsage
  attributes:
    allUsage: { oid: .${top}.4.1, name: processor.usage, syntax: Percent100, metric: gauge }
    allMinute: { oid: .${top}.4.2, name: processor.usage_1m, syntax: Percent100, metric: gauge }
S-MIB::poolEntry:
  type: dynamic
  record: memory
  labels: { memory.name: "{poolName}" }
  index: [{ type: Integer, column: poolIndex }]
  discovery_attribute: poolUsed
  attributes:
    poolName: { oid: .${top}.5.1.2, syntax: DisplayString }
    poolBlock: { oid: .${top}.5.1.3, syntax: Integer32 }
    poolSize: { oid: .${top}.5.1.4, name: memory.size, syntax: Gauge32, metric: gauge, unit: B, scale: { times: poolBlock } }
    poolUsed: { oid: .${top}.5.1.5, name: memory.used, syntax: BytesB, metric: gauge }
    poolUsage: { oid: .${top}.5.1.6, name: memory.usage, syntax: Percent100, metric: gauge }
`;
const enums = `.${top}.1.1.7: { 1: good, 2: hot, 3: burning, 9: resting }\n`;

const table = (entry: string, rows: Readonly<Record<number, readonly (number | string | undefined)[]>>) =>
  Object.entries(rows).flatMap(([row, values]) =>
    values.flatMap((value, i) =>
      value === undefined
        ? []
        : [`${top}.${entry}.${i + 2}.${row}|${typeof value === 'number' ? '2' : '4'}|${value}`],
    ),
  );

const recording = [
  '1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.32473.9',
  '1.3.6.1.2.1.1.3.0|67|100',
  ...table('1.1', {
    1: [1, 'Inlet', 10, 'C', 235, 1, 400],
    2: [1, 'Outlet', 1, 'F', 77, 2, 104],
    3: [2, '12 V', 1, 'mV', 12_100, 9, 0],
    4: [7, 'Door', 1, 'C', 1, 1, 0],
    5: [1, 'Spare', 1, 'C', -999, 3, 0],
    6: [1, 'Odd', 1, 'K', 3, 4, 0],
  }),
  ...table('2.1', { 1: ['Normal', '4300 RPM'], 2: ['Slow', 'none'], 3: ['Failed'] }),
  ...table('3.1', { 1: ['first', 7], 2: ['second', 93] }),
  ...table('6.1', {
    1: ['CPU TEMP fan', '51 C', 1, 'ok'],
    2: ['System Fan', '1200 rpm', 2, 'NON-CRITICAL'],
    3: ['P12V', '12.1', 3, 'Ok '],
    4: ['Chassis', '7', 4],
    5: ['CPU Fan Door', '1', 5, 'OK'],
    6: [undefined, '9', 6],
  }),
  `${top}.4.1.0|66|50`,
  `${top}.4.2.0|66|40`,
  ...table('5.1', {
    1: ['main', 1024, 4, 1024],
    2: ['cache', 1024, undefined, 250, 25],
    3: ['odd', 1024, undefined, 250],
  }),
]
  .sort((a, b) => compare(a, b))
  .join('\n');

function compare(left: string, right: string): number {
  const [a, b] = [left, right].map((line) => line.split('|')[0]!.split('.').map(Number)) as [
    number[],
    number[],
  ];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? -1) - (b[i] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

describe('the vocabulary', async () => {
  const batches: Batch[] = [];
  it('is polled once per record', async (t) => {
    const folder = new DefinitionFolder(t, {
      'defaults/object_types.yml': 'dynamic: { poll_interval: 60 }\n',
      'objects/s.yml': objects,
      'enums/integer/s.yml': enums,
      'object_groups/s.yml': `s: { objects: [${[...objects.matchAll(/^S-MIB::\w+/gm)].join(', ')}] }\n`,
      'device_groups/s.yml': 's: { object_groups: [s] }\n',
    });
    folder.write('s.snmprec', `${recording}\n`);
    batches.push(
      ...(await pollRecording({
        definitions: [folder.path],
        recording: `${folder.path}/s.snmprec`,
        deviceGroups: ['s'],
      })),
    );
    assert.deepEqual(batches.map(({ record }) => record).sort(), ['memory', 'processor', 'sensor']);
  });

  const rows = (record: string) =>
    Object.fromEntries(
      [...rowsOf(batches.find((batch) => batch.record === record)!)].map((row) => [row.key, row]),
    );

  it('has a row for each sensor, with its class, unit, place and state', () => {
    const sensors = rows('sensor');
    const keys = Object.keys(sensors).filter((key) => !key.startsWith('named'));
    assert.deepEqual(keys.sort(), [
      ...[1, 2, 3].map((row) => `fanSpeed.${row}`),
      ...[1, 2, 3].map((row) => `fanState.${row}`),
      ...[1, 2, 3, 5, 6].map((row) => `mixedValue.${row}`),
    ]);
    assert.deepEqual(sensors['mixedValue.1'], {
      key: 'mixedValue.1',
      labels: {
        'sensor.id': 'mixedValue.1',
        'sensor.name': 'Inlet in slot 1',
        'sensor.class': 'temperature',
        'sensor.unit': '°C',
        'sensor.location': 'Room C',
      },
      values: {
        'sensor.value': 23.5,
        'sensor.state': 'ok',
        'sensor.status': 'good',
        'sensor.low.critical': 5,
        'sensor.high.warning': 40,
      },
    });
    assert.deepEqual(sensors['fanSpeed.1'], {
      key: 'fanSpeed.1',
      labels: {
        'sensor.id': 'fanSpeed.1',
        'sensor.name': 'Fan 1',
        'sensor.class': 'fan_speed',
        'sensor.unit': 'rpm',
        'sensor.part': 'fan',
        'sensor.direction': 'output',
      },
      values: { 'sensor.value': 4300 },
    });
  });

  it('finds the class in a name: an equal text first, then the first text that it contains', () => {
    const sensors = Object.values(rows('sensor')).filter(({ key }) => key.startsWith('named'));
    assert.deepEqual(
      sensors.map(({ key, labels, values }) => [
        key,
        labels['sensor.class'],
        labels['sensor.unit'],
        values['sensor.value'],
        values['sensor.state'],
      ]),
      [
        ['namedValue.1', 'temperature', '°C', 51, 'ok'],
        ['namedValue.2', 'fan_speed', 'rpm', 1200, 'warning'],
        ['namedValue.3', 'voltage', 'V', 12.1, 'ok'],
        ['namedValue.5', 'state', undefined, undefined, 'ok'],
        ['namedOther.1', 'count', '1', 1, undefined],
        ['namedOther.2', 'count', '1', 2, undefined],
        ['namedOther.3', 'quality', '1', 3, undefined],
        ['namedOther.4', 'quality', '1', 4, undefined],
        ['namedOther.5', 'count', '1', 5, undefined],
      ],
    );
  });

  it('scales by columns of the row, units included', () => {
    const sensors = rows('sensor');
    const value = (key: string) => sensors[key]?.values['sensor.value'];
    assert.deepEqual([value('mixedValue.2'), value('mixedValue.3')], [25, 12.1]);
    assert.deepEqual(sensors['mixedValue.2']?.values['sensor.high.warning'], 40);
  });

  it('has states in one language, beside the words of the vendor', () => {
    const sensors = rows('sensor');
    const states = [
      'mixedValue.2',
      'mixedValue.3',
      'mixedValue.6',
      'fanState.1',
      'fanState.2',
      'fanState.3',
    ].map((key) => [sensors[key]?.values['sensor.state'], sensors[key]?.values['sensor.status']]);
    assert.deepEqual(states, [
      ['warning', 'hot'],
      ['unknown', 'resting'],
      ['unknown', '4'],
      ['ok', 'Normal'],
      ['unknown', 'Slow'],
      ['critical', 'Failed'],
    ]);
  });

  it('says why there is no value', () => {
    const batch = batches.find(({ record }) => record === 'sensor')!;
    const column = batch.columns.find(({ field }) => field === 'sensor.value')!;
    const gaps = batch.rows.keys
      .map((key, row) => [key, gapAt(column, row)])
      .filter(([, gap]) => gap !== undefined);
    assert.deepEqual(gaps, [
      ['fanState.1', 'noSuchInstance'],
      ['fanState.2', 'noSuchInstance'],
      ['fanState.3', 'noSuchInstance'],
      ['fanSpeed.2', 'decode'],
      ['fanSpeed.3', 'noSuchInstance'],
      ['mixedValue.5', 'absent'],
      ['mixedValue.6', 'decode'],
      ['namedValue.5', 'noSuchInstance'],
    ]);
  });

  it('puts the tables of one record into one batch', () => {
    assert.deepEqual(Object.values(rows('processor')), [
      {
        key: 'cpu.0',
        labels: { 'processor.id': 'cpu.0', 'processor.name': 'all' },
        values: { 'processor.usage': 50, 'processor.usage_1m': 40 },
      },
      {
        key: 'cpuEntry.1',
        labels: { 'processor.id': 'cpuEntry.1', 'processor.name': 'CPU first' },
        values: { 'processor.usage': 7 },
      },
      {
        key: 'cpuEntry.2',
        labels: { 'processor.id': 'cpuEntry.2', 'processor.name': 'CPU second' },
        values: { 'processor.usage': 93 },
      },
    ]);
  });

  it('completes a pool of memory from two of its numbers', () => {
    const memory = rows('memory');
    const values = (key: string) => memory[key]?.values;
    assert.deepEqual(values('poolEntry.1'), {
      'memory.size': 4096,
      'memory.used': 1024,
      'memory.free': 3072,
      'memory.usage': 25,
    });
    assert.deepEqual(values('poolEntry.2'), {
      'memory.size': 1000,
      'memory.used': 250,
      'memory.free': 750,
      'memory.usage': 25,
    });
    assert.deepEqual(values('poolEntry.3'), { 'memory.used': 250 });
  });
});
