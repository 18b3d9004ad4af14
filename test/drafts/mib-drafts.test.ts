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
fanStatus OBJECT-TYPE SYNTAX INTEGER { turning(1), stalled(2) } MAX-ACCESS read-only STATUS current
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
    deepEqual(brief(fan.get('fanTemp')!), {
      ...none,
      name: 'fan.temperature',
      syntax: 'TemperatureDeciC',
      metric: 'gauge',
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

  it('leaves out what is obsolete, secret or not accessible, and marks what is deprecated', (context) => {
    const { set, left } = draftFans(context);
    const fan = attributesOf(set.objects, 'fanEntry');
    ok(!fan.has('fanOld') && !fan.has('fanIndex') && !fan.has('fanRow'));
    ok(fan.get('fanAged')!.comments!.includes('decide: fanAged is deprecated in the MIB'));
    deepEqual(left, ['fanPassword: its name says that it is a secret']);
  });

  it('is valid and gives the values of a recording, whatever its descriptions contain', async (context) => {
    const { set, out } = draftFans(context);
    writeDrafts(set, out, { intro: ['test'] });
    const values = await poll(out, 'fan-mib', recording, false);
    equal(values.get('fan.name'), 'left');
    equal(values.get('fan.status.name'), 'stalled');
    equal(values.get('fan.temperature'), 21.5);
    equal(String(values.get('fan.bytes.in')), '70000000000');
    ok(
      readFileSync(join(out, 'objects/fan-mib.yml'), 'utf8').includes(
        'description: "key: [x] # not a comment',
      ),
    );
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
const isLong = process.env['WAYWISER_LONG'] !== undefined;

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
