import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { DraftAttribute, DraftObject } from '../../../authoring/drafts/draft-set.ts';
import { draftModule } from '../../../authoring/drafts/from-mib/draft-module.ts';
import { noShippedColumns } from '../../../authoring/drafts/from-mib/shipped-columns.ts';
import { writeDrafts } from '../../../authoring/drafts/write-drafts.ts';
import { MibSet } from '../../../authoring/mib/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { pollDraft } from './poll-draft.ts';

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
    const values = await pollDraft(out, 'fan-mib', recording, false);
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
