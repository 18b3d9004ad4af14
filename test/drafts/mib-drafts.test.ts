import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { readDefinitions } from '../../plugins/definitions-loader/offline.ts';
import { shippedDefinitions } from '../../src/collector/own-package.ts';
import type { DraftAttribute, DraftObject } from '../../src/drafts/draft-set.ts';
import { draftModule } from '../../src/drafts/from-mib/draft-module.ts';
import { noShippedColumns, shippedColumns } from '../../src/drafts/from-mib/shipped-columns.ts';
import { writeDrafts } from '../../src/drafts/write-drafts.ts';
import { rowsOf } from '../../src/index.ts';
import { MibSet } from '../../src/mib/index.ts';
import { pollRecording } from '../../src/testing/poll-recording.ts';
import { parseRecording } from '../../src/testing/replay/recording/load-recording.ts';
import { isLong } from '../support/long-run.ts';
import { missingShared, sharedPath } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const module = `
FAN-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, OBJECT-TYPE, MODULE-IDENTITY, Counter32, Counter64, Gauge32, Integer32 FROM SNMPv2-SMI
        DisplayString, RowStatus FROM SNMPv2-TC;
fans MODULE-IDENTITY LAST-UPDATED "202001010000Z" ORGANIZATION "x" CONTACT-INFO "x" DESCRIPTION "x"
  ::= { enterprises 32473 9 }
fanCount OBJECT-TYPE SYNTAX Integer32 MAX-ACCESS read-only STATUS current DESCRIPTION "Number of fans." ::= { fans 2 }
fanPassword OBJECT-TYPE SYNTAX DisplayString MAX-ACCESS read-only STATUS current DESCRIPTION "x" ::= { fans 3 }
fanTable OBJECT-TYPE SYNTAX SEQUENCE OF FanEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION "x" ::= { fans 1 }
fanEntry OBJECT-TYPE SYNTAX FanEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION "x" INDEX { fanIndex }
  ::= { fanTable 1 }
FanEntry ::= SEQUENCE { fanIndex Integer32 }
fanIndex OBJECT-TYPE SYNTAX Integer32 (1..9) MAX-ACCESS not-accessible STATUS current DESCRIPTION "x" ::= { fanEntry 1 }
fanName OBJECT-TYPE SYNTAX DisplayString MAX-ACCESS read-only STATUS current
  DESCRIPTION "key: [x]
   # not a comment &a *b !!js. Second sentence." ::= { fanEntry 2 }
fanStatus OBJECT-TYPE SYNTAX INTEGER { running(1), failed(2), resting(3) } MAX-ACCESS read-only STATUS current
  DESCRIPTION "State of the fan." ::= { fanEntry 3 }
fanTemp OBJECT-TYPE SYNTAX Integer32 UNITS "tenths of degrees Celsius" MAX-ACCESS read-only STATUS current
  DESCRIPTION "Heat." ::= { fanEntry 4 }
fanInOctets OBJECT-TYPE SYNTAX Counter32 MAX-ACCESS read-only STATUS current DESCRIPTION "Bytes." ::= { fanEntry 5 }
fanHCInOctets OBJECT-TYPE SYNTAX Counter64 MAX-ACCESS read-only STATUS current DESCRIPTION "Bytes." ::= { fanEntry 6 }
fanOld OBJECT-TYPE SYNTAX Gauge32 MAX-ACCESS read-only STATUS obsolete DESCRIPTION "x" ::= { fanEntry 7 }
fanAged OBJECT-TYPE SYNTAX Gauge32 MAX-ACCESS read-only STATUS deprecated DESCRIPTION "Aged." ::= { fanEntry 8 }
fanRow OBJECT-TYPE SYNTAX RowStatus MAX-ACCESS read-create STATUS current DESCRIPTION "x" ::= { fanEntry 9 }
END
`;

const recording = `1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.32473.9
1.3.6.1.2.1.1.3.0|67|100
1.3.6.1.4.1.32473.9.1.1.2.1|4|left
1.3.6.1.4.1.32473.9.1.1.3.1|2|2
1.3.6.1.4.1.32473.9.1.1.4.1|2|215
1.3.6.1.4.1.32473.9.1.1.5.1|65|7
1.3.6.1.4.1.32473.9.1.1.6.1|70|70000000000
1.3.6.1.4.1.32473.9.2.0|2|1
`;

function draftFans(context: TestContext, text = module) {
  const folder = temporaryFolder(context);
  const file = join(folder, 'FAN-MIB.txt');
  writeFileSync(file, text);
  const mibs = new MibSet([file]);
  return { ...draftModule(mibs.module('FAN-MIB')!, mibs, noShippedColumns), out: join(folder, 'out') };
}

const attributesOf = (objects: readonly DraftObject[], entry: string) =>
  new Map(objects.find((object) => object.entry === entry)!.attributes.map((each) => [each.key, each]));

const brief = ({ name, syntax, metric, tag }: DraftAttribute) => ({ name, syntax, metric, tag });

describe('a draft of a MIB', () => {
  it('has names, syntaxes, metrics and tags of each column', (context) => {
    const { set } = draftFans(context);
    const fan = attributesOf(set.objects, 'fanEntry');
    deepEqual(
      [...fan.keys()],
      ['fanName', 'fanStatus', 'fanTemp', 'fanInOctets', 'fanHCInOctets', 'fanAged'],
    );
    const none = { metric: undefined, tag: undefined };
    deepEqual(brief(fan.get('fanName')!), {
      name: 'fan.name',
      syntax: 'DisplayString',
      metric: undefined,
      tag: true,
    });
    deepEqual(brief(fan.get('fanStatus')!), { ...none, name: 'fan.status', syntax: 'EnumIntegerKeepID' });
    const { syntax, metric, sensor } = fan.get('fanTemp')!;
    deepEqual([syntax, metric], ['TemperatureDeciC', 'gauge']);
    deepEqual(JSON.parse(JSON.stringify(sensor)), {
      class: 'temperature',
      name: '{fanName}',
      part: 'fan',
      state: { of: 'fanStatus', ok: [1], critical: [2] },
    });
    deepEqual(brief(fan.get('fanInOctets')!), {
      ...none,
      name: 'fan.bytes.in',
      syntax: 'BytesB',
      metric: 'counter',
    });
  });

  it('lets a 64-bit counter override its 32-bit relative', (context) => {
    const hc = attributesOf(draftFans(context).set.objects, 'fanEntry').get('fanHCInOctets')!;
    deepEqual(hc.overrides, { object: 'FAN-MIB::fanEntry', attribute: 'fanInOctets' });
    equal(hc.name, 'fan.bytes.in');
  });

  it('puts the use of processors and memory into the records that all devices share', (context) => {
    const column = (name: string, units: string, value: string) =>
      `${name} OBJECT-TYPE SYNTAX Gauge32 UNITS "${units}" MAX-ACCESS read-only STATUS current DESCRIPTION "x" ::= { ${value} }\n`;
    const text = module.replace(
      'END\n',
      `${column('fanCpu5sec', 'percent', 'fanEntry 20')}${column('fanCpu1min', 'percent', 'fanEntry 21')}
${column('fanMemTotal', 'kilobytes', 'fanEntry 22')}${column('fanMemFree', 'kilobytes', 'fanEntry 23')}
${column('fanMemThreshold', 'kilobytes', 'fanEntry 24')}${column('fanCpuUser', 'percent', 'fanEntry 25')}
unit OBJECT IDENTIFIER ::= { fans 7 }
${column('unitMemUsed', 'bytes', 'unit 1')}${column('unitSwapMemUsed', 'bytes', 'unit 2')}END\n`,
    );
    const { set } = draftFans(context, text);
    const parts = set.objects.filter(({ record }) => record !== undefined);
    deepEqual(
      parts.map(({ entry, record, labels, augments, attributes }) => [
        entry,
        augments,
        labels?.[`${record}.name`],
        ...attributes.map(({ key, name, isInTemplatesOnly }) => (isInTemplatesOnly ? key : `${key} ${name}`)),
      ]),
      [
        [
          'fanEntry.processor',
          'FAN-MIB::fanEntry',
          '{fanName}',
          'fanName',
          'fanCpu5sec processor.usage',
          'fanCpu1min processor.usage_1m',
        ],
        [
          'fanEntry.memory',
          'FAN-MIB::fanEntry',
          '{fanName}',
          'fanName',
          'fanMemTotal memory.size',
          'fanMemFree memory.free',
        ],
        ['unit', undefined, 'Memory', 'unitMemUsed memory.used'],
        ['unit.memory.swap', undefined, 'Memory swap', 'unitSwapMemUsed memory.used'],
      ],
    );
    const rest = attributesOf(set.objects, 'fanEntry');
    ok(rest.has('fanMemThreshold') && rest.has('fanCpuUser') && !rest.has('fanMemFree'));
  });

  it('gives no column the field that another one has in the definitions that ship', (context) => {
    const known = (name: string) => ({
      name,
      syntax: 'DisplayString',
      metric: undefined,
      unit: undefined,
      tag: undefined,
    });
    const shippedFields = { rediscover: undefined, overrides: undefined, description: undefined };
    const file = join(temporaryFolder(context), 'FAN-MIB.txt');
    writeFileSync(file, module);
    const mibs = new MibSet([file]);
    const entry = '1.3.6.1.4.1.32473.9.1.1';
    const { set } = draftModule(mibs.module('FAN-MIB')!, mibs, {
      ...noShippedColumns,
      attributes: new Map(
        ['2', '3', '8'].map((place) => [
          `${entry}.${place}`,
          { ...known('fan.temperature'), ...shippedFields },
        ]),
      ),
    });
    const fan = attributesOf(set.objects, 'fanEntry');
    deepEqual(
      ['fanName', 'fanStatus', 'fanAged', 'fanTemp'].map((key) => fan.get(key)?.name),
      ['fan.temperature', 'fan.status', 'fan.aged', 'fan.temperature_2'],
    );
  });

  it('leaves out what is obsolete, secret or not accessible, and marks what is deprecated', (context) => {
    const { set, left } = draftFans(context);
    const fan = attributesOf(set.objects, 'fanEntry');
    ok(!fan.has('fanOld') && !fan.has('fanIndex') && !fan.has('fanRow'));
    deepEqual(fan.get('fanAged')!.comments, ['fanAged is deprecated in the MIB.']);
    deepEqual(left, ['fanPassword: its name says that it is a secret']);
  });

  it('is valid and gives the values of a recording, whatever its descriptions contain', async (context) => {
    const { set, out } = draftFans(context);
    writeDrafts(set, out, { intro: ['test'] });
    const values = await poll(out, 'fan-mib', recording, false);
    equal(values.get('fan.name'), 'left');
    equal(values.get('fan.status.name'), 'failed');
    equal(values.get('sensor.value'), 21.5);
    equal(values.get('sensor.state'), 'critical');
    equal(values.get('sensor.name'), 'left');
    equal(String(values.get('fan.bytes.in')), '70000000000');
    ok(
      readFileSync(join(out, 'objects/fan-mib.yml'), 'utf8').includes(
        'description: "key: [x] # not a comment',
      ),
    );
  });
});

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

/** Modules and rows, with a recording that answers them. */
const publicModules: readonly (readonly [module: string, row: string | undefined, recording: string])[] = [
  ['IF-MIB', undefined, 'cisco-c3750'],
  ['ENTITY-MIB', undefined, 'cisco-c3750'],
  ['CISCO-PROCESS-MIB', undefined, 'cisco-n5000'],
  ['UPS-MIB', undefined, 'eaton-93e-80'],
  ['PowerNet-MIB', undefined, 'apc-8641'],
  ['JUNIPER-MIB', 'jnxOperatingEntry', 'juniper-mx960-12-3r6-6'],
  ['HUAWEI-ENTITY-EXTENT-MIB', 'hwEntityStateEntry', 'huawei-s5720'],
  ['CISCO-ENVMON-MIB', 'ciscoEnvMonSupplyStatusEntry', 'cisco-c3750'],
  ['PAN-COMMON-MIB', undefined, 'paloalto-pa-5000'],
  ['XUPS-MIB', 'xupsInputEntry', 'eaton-93e-80'],
];
/** The others need the whole corpus, which only the long run unpacks. */
const standardModules = new Set(['IF-MIB', 'ENTITY-MIB', 'UPS-MIB']);

describe('drafts of public MIBs', { skip: missingShared('recordings') }, () => {
  const corpus = mkdtempSync(join(tmpdir(), 'waywiser-mibs-'));
  after(() => rmSync(corpus, { recursive: true, force: true }));
  if (isLong) execFileSync('tar', ['-xJf', sharedPath('mibs-corpus.tar.xz'), '-C', corpus]);
  const mibs = new MibSet([sharedPath('mibs'), corpus]);
  const known = shippedColumns(readDefinitions({ directories: [shippedDefinitions()] }, undefined).compiled);

  for (const [name, row, device] of publicModules) {
    const skip = isLong || standardModules.has(name) ? false : 'npm run long compiles the whole corpus';
    it(`${name}${row === undefined ? '' : `::${row}`} is valid and polls ${device}`, {
      skip,
    }, async (test) => {
      const takesGroup = (group: { readonly name: string }) => row === undefined || group.name === row;
      const { set } = draftModule(mibs.module(name)!, mibs, known, { takesGroup });
      const out = join(temporaryFolder(test), 'out');
      writeDrafts(set, out, { intro: ['test'] });
      const recording = join(sharedPath('recordings'), `${device}.snmprec.gz`);
      const values = await poll(out, set.objectGroups[0]!.id, recording, true);
      ok(values.size > 0);
      const attributes = set.objects.flatMap((object) => object.attributes);
      const decisions = [...set.objects, ...attributes, ...(set.notifications ?? [])].flatMap(
        ({ comments = [] }) => comments.filter((line) => line.startsWith('decide:')),
      );
      // PowerNet-MIB has 883 tables and groups. One device has a few of them.
      ok(decisions.length < (name === 'PowerNet-MIB' ? 120 : 10), decisions.join('\n'));
    });
  }
});

/** The last value of each field. Fails when the definitions have an error. */
async function poll(
  out: string,
  group: string,
  from: string,
  withShipped: boolean,
): Promise<Map<string, unknown>> {
  mkdirSync(join(out, 'device_groups'));
  writeFileSync(join(out, 'device_groups/drafted.yml'), `drafted: { object_groups: [${group}] }\n`);
  const directories = withShipped ? [shippedDefinitions(), out] : [out];
  const { problems } = readDefinitions({ directories }, undefined);
  deepEqual(
    problems.filter(({ level }) => level === 'error'),
    [],
  );
  const batches = await pollRecording({
    definitions: directories,
    recording: existsSync(from) ? from : parseRecording(from),
    deviceGroups: ['drafted'],
  });
  const rows = batches.flatMap((batch) => [...rowsOf(batch)]);
  return new Map(
    rows.flatMap(({ labels, values }) => [...Object.entries(labels), ...Object.entries(values)]),
  );
}
