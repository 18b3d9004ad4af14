import { deepEqual, equal } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { DraftObject } from '../../../authoring/drafts/draft-set.ts';
import { draftModule } from '../../../authoring/drafts/from-mib/draft-module.ts';
import { noShippedColumns } from '../../../authoring/drafts/from-mib/shipped-columns.ts';
import { writeDrafts } from '../../../authoring/drafts/write-drafts.ts';
import { MibSet } from '../../../authoring/mib/index.ts';
import { readDefinitions } from '../../../plugins/definitions-loader/commands.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const attributesOf = (objects: readonly DraftObject[], entry: string) =>
  new Map(objects.find((object) => object.entry === entry)!.attributes.map((each) => [each.key, each]));

const sensorModule = (columns: string) => `
HEAT-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, OBJECT-TYPE, Integer32 FROM SNMPv2-SMI;
heat OBJECT IDENTIFIER ::= { enterprises 32473 }
heatTable OBJECT-TYPE SYNTAX SEQUENCE OF HeatEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION "x" ::= { heat 1 }
heatEntry OBJECT-TYPE SYNTAX HeatEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION "x" INDEX { heatIndex }
  ::= { heatTable 1 }
HeatEntry ::= SEQUENCE { heatIndex Integer32 }
heatIndex OBJECT-TYPE SYNTAX Integer32 MAX-ACCESS not-accessible STATUS current DESCRIPTION "x" ::= { heatEntry 1 }
${columns}
END
`;
const column = (name: string, arc: number, type: string, description: string, more = '') =>
  `${name} OBJECT-TYPE SYNTAX ${type} ${more} MAX-ACCESS read-only STATUS current DESCRIPTION "${description}" ::= { heatEntry ${arc} }`;

describe('what a draft says about sensors', () => {
  const draft = (context: TestContext, columns: readonly string[]) => {
    const folder = temporaryFolder(context);
    writeFileSync(join(folder, 'HEAT-MIB'), sensorModule(columns.join('\n')));
    const mibs = new MibSet([folder]);
    const { set } = draftModule(mibs.module('HEAT-MIB')!, mibs, noShippedColumns);
    writeDrafts(set, join(folder, 'out'), { intro: ['test'] });
    const { problems } = readDefinitions({ directories: [join(folder, 'out')] }, undefined);
    deepEqual(
      problems.filter(({ rule }) => rule !== 'unknown-reference'),
      [],
    );
    return attributesOf(set.objects, 'heatEntry');
  };
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

  it('gives classes by units, limits by names, and parts and directions by words', (context) => {
    const heat = draft(context, [
      column('heatInletTemp', 2, 'Integer32', 'x', 'UNITS "Celsius"'),
      column('heatInletHighCritical', 3, 'Integer32', 'x', 'UNITS "Celsius"'),
      column('heatInputVoltage', 4, 'Integer32', 'The voltage in volts.'),
      column('heatOutputVoltage', 5, 'Integer32', 'The voltage in volts.'),
      column('heatMaxTemp', 6, 'Integer32', 'x', 'UNITS "Celsius"'),
      column('heatSupplyStatus', 7, 'INTEGER { ok(1), warning(2), failed(3), absent(4) }', 'x'),
    ]);
    deepEqual(plain(heat.get('heatInletTemp')!.sensor), {
      class: 'temperature',
      name: 'Heat {heatIndex}',
      part: 'chassis',
      limits: { high_critical: 'heatInletHighCritical' },
    });
    deepEqual(plain(heat.get('heatInputVoltage')!.sensor), {
      class: 'voltage',
      name: 'Heat {heatIndex} Input voltage',
      direction: 'input',
    });
    deepEqual(plain(heat.get('heatSupplyStatus')!.sensor), {
      class: 'state',
      name: 'Heat {heatIndex}',
      part: 'supply',
      state: { ok: [1], warning: [2], critical: [3] },
    });
    for (const bound of ['heatInletHighCritical', 'heatMaxTemp']) equal(heat.get(bound)!.sensor, undefined);
  });

  it('names the numbers that the description calls no value, and assumes a unit only from a name', (context) => {
    const heat = draft(context, [
      column('heatLevel', 2, 'Integer32', 'Level in percent. A value of -1 means that it is not available.'),
      column('heatSpeed', 3, 'Integer32', 'From 1 to 65535 things.'),
      column('heatHumidity', 4, 'Integer32', 'As measured.'),
    ]);
    deepEqual(heat.get('heatLevel')!.missing, [-1]);
    equal(heat.get('heatSpeed')!.missing, undefined);
    const { syntax, comments } = heat.get('heatHumidity')!;
    deepEqual(
      [syntax, comments],
      ['Percent100', ['assumed: heatHumidity is in percent; the MIB does not say it']],
    );
  });

  it('reads units without a syntax from descriptions', (context) => {
    const heat = draft(context, [
      column('heatApparent', 2, 'Integer32', 'The apparent power in tenths of kVA.'),
      column('heatPressure', 3, 'Integer32', 'Suction pressure in kiloPascals (kPa).'),
      column('heatFlow', 4, 'Integer32', 'Air flow in liters per second.'),
      column('heatTcpCps', 5, 'Gauge32', 'New connections.'),
      column('heatEnergy', 6, 'Gauge32', 'Units:1 Wh.'),
      column('heatWait', 7, 'Gauge32', 'Waiting in various ways.'),
    ]);
    const shown = [...heat.values()].map(({ unit, scale, comments = [] }) => [
      unit,
      scale?.factor,
      comments.length,
    ]);
    deepEqual(shown, [
      ['VA', 100, 0],
      ['Pa', 1_000, 0],
      ['l/s', undefined, 0],
      ['1/s', undefined, 0],
      [undefined, 3_600, 0],
      ['1', undefined, 1],
    ]);
  });

  it('multiplies a fraction with the prefix of its unit', (context) => {
    const heat = draft(context, [
      column('heatPower', 2, 'Integer32', 'The power. Measured in tenths of kW.'),
      column('heatPeak', 3, 'Integer32', 'The peak power in hundredths of kilowatts.'),
      column('heatUsed', 4, 'Integer32', 'The energy in tenths of kilowatt-hours.'),
      column('heatOptical', 5, 'Integer32', 'x', 'UNITS "0.1 microwatts"'),
      column('heatBias', 6, 'Integer32', 'x', 'UNITS "0.001 mA"'),
      column('heatShare', 7, 'Integer32', 'As a percentage of all. Expressed in tenths of percent.'),
      column('heatLevel', 8, 'Integer32', 'x', 'UNITS "tenth of decibel relative to one milliwatt(dBm)"'),
      column('heatSupply', 9, 'Integer32', 'x', 'UNITS "tenths of volts"'),
    ]);
    const shown = [...heat.values()].map(({ syntax, scale }) => [syntax, scale?.factor]);
    deepEqual(shown, [
      ['PowerWatt', 100],
      ['PowerWatt', 10],
      ['EnergyJoule', 360_000],
      ['PowerWatt', 1e-7],
      ['CurrentMicroAmp', undefined],
      ['PercentDeci100', undefined],
      ['SignalDeciDBm', undefined],
      ['VoltageDeciVolt', undefined],
    ]);
  });

  it('reads decimal fractions, hundreds, and factors in sentences', (context) => {
    const heat = draft(context, [
      column('heatValve', 2, 'Integer32', 'x', 'UNITS ".1 percent"'),
      column('heatVolts', 3, 'Integer32', 'In hundreds of microvolts.'),
      column('heatSignal', 4, 'Integer32', 'Unit: dBm. The value is expanded 100 times.'),
      column('heatLaser', 5, 'Integer32', 'In dBm. To convert back, divide by 10,000.'),
      column('heatModem', 6, 'Integer32', 'Temperature (tenths of degrees Celsius)'),
      column('heatPowerFactor', 7, 'Integer32', 'The power factor in hundredths.'),
      column('heatUsedKBytes', 8, 'Counter64', 'Space in use.'),
    ]);
    const shown = [...heat.values()].map(({ syntax, scale }) => [syntax, scale?.factor]);
    deepEqual(shown, [
      ['PercentDeci100', undefined],
      ['VoltageVolt', 1e-4],
      ['SignalCentiDBm', undefined],
      ['SignalDBm', 1e-4],
      ['TemperatureDeciC', undefined],
      ['Integer32', 0.01],
      ['BytesKiB', undefined],
    ]);
  });

  it('takes the second of two things for no time', (context) => {
    const heat = draft(context, [
      column('heatPair', 2, 'Integer32', 'The voltage for the second half of the battery.'),
      column('heatLabel', 3, 'Integer32', 'Indicates the second label.'),
      column('heatDelay', 4, 'Integer32', 'Its unit is second.'),
      column('heatHold', 5, 'Integer32', 'In tenths of a second.'),
      column('heatRating', 6, 'Integer32', 'The 100 percent rating.'),
    ]);
    deepEqual(
      [...heat.values()].map(({ syntax }) => syntax),
      ['VoltageVolt', 'IntegerAsID', 'TicksSec', 'TicksDeciSec', 'Integer32'],
    );
  });

  it('asks for no unit that a name, a bracket or another column tells', (context) => {
    const heat = draft(context, [
      column('heatKVACapacity', 2, 'Integer32', 'The load.'),
      column('heatTurns', 3, 'Integer32', 'The nominal speed (RPM) of all.'),
      column('heatAir', 4, 'Integer32', 'Dew point (C) or air flow (CFM).'),
      column('heatCable', 5, 'Integer32', 'The cable. Specified in tenths of meters.'),
      column('heatAnalogValue', 6, 'Integer32', 'The value of the entry.'),
      column('heatAnalogUnits', 7, 'DisplayString', 'The unit of the entry.'),
      column('heatSecurityLevel', 8, 'Integer32', 'The level.'),
      column('heatAngle', 9, 'Integer32', 'Measured in tenths of decimal.'),
    ]);
    const shown = [...heat.values()].map(({ unit, scale, comments = [] }) => [
      unit,
      scale?.factor,
      ...comments,
    ]);
    deepEqual(shown, [
      ['VA', 1_000],
      ['rpm', undefined],
      ['1', undefined, 'decide: the unit of heatAir; "1" is a plain number'],
      ['m', 0.1],
      ['1', undefined, 'heatAnalogUnits tells the unit of heatAnalogValue for each row.'],
      [undefined, undefined],
      ['1', undefined],
      ['°', 0.1, 'assumed: heatAngle is in tenths of degrees; the MIB does not say it'],
    ]);
  });

  it('tells counts from sizes and rates, and milliwatts from megawatts', (context) => {
    const heat = draft(context, [
      column('heatMaxDelay', 2, 'Integer32', 'x'),
      column('heatErrorRate', 3, 'Integer32', 'x'),
      column('heatFailuresMax', 4, 'Integer32', 'x'),
      column('heatLost', 5, 'Integer32', 'This object indicates the total number of lost probes.'),
      column('heatLent', 6, 'Integer32', 'The number of kilobytes that are lent.'),
      column('heatSlotPlace', 7, 'Integer32', 'The port number of the collector.'),
      column('heatSmall', 8, 'Integer32', 'x', 'UNITS "mW"'),
      column('heatLarge', 9, 'Integer32', 'x', 'UNITS "MW"'),
      column('heatDrop', 10, 'Integer32', 'The drop. Unit: mV.'),
      column('heatRun', 11, 'Integer32', 'Compressor 1 run hours. A value of -1 is none.'),
      column('heatCarrier', 12, 'Integer32', 'Measured in MHz if the grid is coarse, otherwise in KHz.'),
      column('heatBias', 13, 'Integer32', 'The bias current, in uA.'),
    ]);
    deepEqual(
      [...heat.values()].map(({ key, syntax, comments = [] }) => [key, syntax, comments.length]),
      [
        ['heatMaxDelay', 'Integer32', 1],
        ['heatErrorRate', 'Integer32', 1],
        ['heatFailuresMax', 'Integer32', 0],
        ['heatLost', 'Integer32', 0],
        ['heatLent', 'BytesKiB', 0],
        ['heatSlotPlace', 'Integer32', 1],
        ['heatSmall', 'PowerMilliWatt', 0],
        ['heatLarge', 'PowerMegaWatt', 0],
        ['heatDrop', 'VoltageMilliVolt', 0],
        ['heatRun', 'TicksMin', 0],
        ['heatCarrier', 'Integer32', 1],
        ['heatBias', 'CurrentMicroAmp', 0],
      ],
    );
  });

  it('reads states that a sentence spells out, unless the numbers are bits, bounds or not all', (context) => {
    const heat = draft(context, [
      column('heatLine', 2, 'Integer32', 'The line. 0 will indicate down, 1 will indicate up.'),
      column('heatBits', 3, 'Integer32', 'Bit 0 indicates a fault, bit 1 indicates a warning.'),
      column('heatQueue', 4, 'Integer32', '0 means the lowest, 3 means the highest.'),
      column('heatRest', 5, 'Integer32 (0..9)', '0 means none, 1 means one.'),
    ]);
    deepEqual(
      [...heat.values()].map(({ syntax }) => syntax),
      ['EnumInteger', 'Integer32', 'Integer32', 'Integer32'],
    );
  });

  it('leaves out what always reads 0, and keeps what is 0 only sometimes', (context) => {
    const heat = draft(context, [
      column('heatReset', 2, 'Integer32', 'Clears all. When read, it always returns 0.'),
      column('heatSpare', 3, 'Integer32', 'An argument. A get of this OID will return 0.'),
      column('heatCount', 4, 'Integer32', 'If the device is off, this object always returns 0.'),
    ]);
    deepEqual([...heat.keys()], ['heatCount']);
  });

  it('leaves tables of settings and of thousands of rows to who asks for them', (context) => {
    const folder = temporaryFolder(context);
    writeFileSync(
      join(folder, 'HEAT-MIB'),
      sensorModule(column('heatLevel', 2, 'Integer32', 'x')).replaceAll('heatEntry', 'heatSessionEntry'),
    );
    const mibs = new MibSet([folder]);
    const { set } = draftModule(mibs.module('HEAT-MIB')!, mibs, noShippedColumns);
    equal(set.objects[0]!.collect, 'on_request');
  });
});
