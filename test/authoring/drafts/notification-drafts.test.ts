import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import type { DraftNotification } from '../../../authoring/drafts/draft-set.ts';
import { draftModule, type Selection } from '../../../authoring/drafts/from-mib/draft-module.ts';
import { noShippedColumns } from '../../../authoring/drafts/from-mib/shipped-columns.ts';
import { writeDrafts } from '../../../authoring/drafts/write-drafts.ts';
import { MibSet } from '../../../authoring/mib/index.ts';
import { readDefinitions } from '../../../plugins/definitions-loader/commands.ts';
import { deviceRegistryToken } from '../../../plugins/device-registry/service.ts';
import { pollerToken } from '../../../plugins/snmp-poller/service.ts';
import type { Batch } from '../../../src/model/batch.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { parseRecording } from '../../../src/testing/replay/recording/load-recording.ts';
import { startTraps, trapRows } from '../../plugins/snmp-traps/trap-stack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const trap = (name: string, arc: number, objects = '', description = 'x') =>
  `${name} NOTIFICATION-TYPE ${objects === '' ? '' : `OBJECTS { ${objects} }`} STATUS current DESCRIPTION "${description}" ::= { fanTraps ${arc} }\n`;

const module = `
FAN-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, OBJECT-TYPE, MODULE-IDENTITY, NOTIFICATION-TYPE, Integer32 FROM SNMPv2-SMI
        DisplayString FROM SNMPv2-TC;
fans MODULE-IDENTITY LAST-UPDATED "202001010000Z" ORGANIZATION "x" CONTACT-INFO "x" DESCRIPTION "x"
  ::= { enterprises 32473 9 }
fanTable OBJECT-TYPE SYNTAX SEQUENCE OF FanEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION "x" ::= { fans 1 }
fanEntry OBJECT-TYPE SYNTAX FanEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION "x" INDEX { fanIndex }
  ::= { fanTable 1 }
FanEntry ::= SEQUENCE { fanIndex Integer32 }
fanIndex OBJECT-TYPE SYNTAX Integer32 (1..9) MAX-ACCESS not-accessible STATUS current DESCRIPTION "x" ::= { fanEntry 1 }
fanName OBJECT-TYPE SYNTAX DisplayString MAX-ACCESS read-only STATUS current DESCRIPTION "x" ::= { fanEntry 2 }
fanStatus OBJECT-TYPE SYNTAX INTEGER { running(1), warning(2), failed(3) } MAX-ACCESS read-only STATUS current
  DESCRIPTION "State of the fan." ::= { fanEntry 3 }
fanSpeed OBJECT-TYPE SYNTAX Integer32 UNITS "rpm" MAX-ACCESS read-only STATUS current DESCRIPTION "x" ::= { fanEntry 4 }
fanReason OBJECT-TYPE SYNTAX DisplayString MAX-ACCESS accessible-for-notify STATUS current DESCRIPTION "Why it does so." ::= { fans 3 }
fanAlarmSeverity OBJECT-TYPE SYNTAX INTEGER { cleared(0), minor(1), critical(2) } MAX-ACCESS accessible-for-notify
  STATUS current DESCRIPTION "x" ::= { fans 4 }
fanTraps OBJECT IDENTIFIER ::= { fans 0 }
${trap('fanFailed', 1, 'fanName, fanSpeed, fanReason')}
${trap('fanFailedCleared', 2, 'fanName')}
${trap('fanStatusChange', 3, 'fanStatus')}
${trap('fanAlarm', 4, 'fanAlarmSeverity, fanReason')}
${trap('fanTrayRemoved', 5)}
${trap('fanPurr', 6, '', 'The fan purrs.')}
${trap('fanOld', 7).replace('current', 'obsolete')}
${trap('fanLost', 8, 'fanNowhere')}
${trap('fanFailedTwice', 1)}
END
`;

const oldModule = `
OLD-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises FROM RFC1155-SMI OBJECT-TYPE FROM RFC-1212 TRAP-TYPE FROM RFC-1215;
old OBJECT IDENTIFIER ::= { enterprises 32473 10 }
oldText OBJECT-TYPE SYNTAX OCTET STRING ACCESS read-only STATUS mandatory DESCRIPTION "x" ::= { old 1 }
oldDoor TRAP-TYPE ENTERPRISE old VARIABLES { oldText } DESCRIPTION "The door moves."
  --#TYPE "Door"
  --#SUMMARY "The door says %s"
  --#ARGUMENTS { 0 }
  --#SEVERITY MAJOR
  ::= 7
oldBell TRAP-TYPE ENTERPRISE old VARIABLES { oldText } DESCRIPTION "WARNING: The bell rings."
  --#SUMMARY "%s and %s"
  --#ARGUMENTS { 0, 9 }
  ::= 8
END
`;

function draft(
  context: TestContext | undefined,
  text: string,
  selection: Selection = {},
  shipped = noShippedColumns,
) {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'mib'), text);
  const mibs = new MibSet([folder]);
  const module = mibs.modules().at(-1)!;
  const { set, left } = draftModule(module, mibs, shipped, selection);
  const out = join(folder, 'out');
  writeDrafts(set, out, { intro: ['test'] });
  mkdirSync(join(out, 'defaults'));
  writeFileSync(
    join(out, 'defaults/object_types.yml'),
    'dynamic: { poll_interval: 60 }\nstatic: { poll_interval: 60 }\n',
  );
  const { problems } = readDefinitions({ directories: [out] }, undefined);
  deepEqual(
    problems.map(({ rule, message }) => `${rule}: ${message}`),
    [],
  );
  const notifications = new Map(set.notifications!.map((each) => [each.id.split('::')[1]!, each]));
  return { set, left, out, notifications };
}

/** The draft of the module as it is, made once. */
let fans: ReturnType<typeof draft>;
before(() => {
  fans = draft(undefined, module);
});

const decisions = ({ comments = [] }: DraftNotification) =>
  comments.filter((line) => line.startsWith('decide:'));

describe('notifications in the draft of a MIB', () => {
  it('have severity, category, message, varbinds and the rows to poll', () => {
    const { notifications } = fans;
    const { comments, file, ...failed } = notifications.get('fanFailed')!;
    deepEqual(JSON.parse(JSON.stringify(failed)), {
      id: 'FAN-MIB::fanFailed',
      oid: '1.3.6.1.4.1.32473.9.0.1',
      severity: 'error',
      category: 'environment',
      description: 'Value of fanFailed',
      message: 'Fan failed: {fan.name|fan.index}',
      varbinds: ['fanName', 'fanSpeed', 'fanReason'],
      clears: [],
      attributes: [
        {
          key: 'fanReason',
          oid: '1.3.6.1.4.1.32473.9.3',
          name: 'fan.reason',
          syntax: 'DisplayString',
          description: 'Why it does so',
        },
      ],
      aim: { poll: ['FAN-MIB::fanEntry'] },
    });
    deepEqual([comments, file], [[], 'fan-mib']);
  });

  it('end each other where their names differ in the word that says so', () => {
    const { notifications } = fans;
    const { clears, severity } = notifications.get('fanFailedCleared')!;
    deepEqual([clears, severity], [['FAN-MIB::fanFailed'], undefined]);
  });

  it('take the severity from a state or a severity among their varbinds', () => {
    const { notifications } = fans;
    const { severityFrom, clearsWhen } = notifications.get('fanStatusChange')!;
    deepEqual(severityFrom, { field: 'fan.status.name', values: { warning: 'warning', failed: 'error' } });
    deepEqual(clearsWhen, { field: 'fan.status.name', in: ['running'] });
    const alarm = notifications.get('fanAlarm')!;
    deepEqual(alarm.severityFrom!.values, { cleared: 'notice', minor: 'warning', critical: 'critical' });
    deepEqual(alarm.clearsWhen!.in, ['cleared']);
  });

  it('lead to a discovery when a part comes or goes', (context) => {
    deepEqual(fans.notifications.get('fanTrayRemoved')!.aim, undefined);
    const inserted = draft(context, module.replace('fanTrayRemoved', 'fanModuleRemoved')).notifications;
    deepEqual(inserted.get('fanModuleRemoved')!.aim, { rediscover: true });
  });

  it('ask a person only where no word says how bad they are', () => {
    const { notifications } = fans;
    deepEqual(decisions(notifications.get('fanPurr')!), [
      'decide: how bad fanPurr is; without a severity it is a notice',
    ]);
    for (const name of ['fanFailed', 'fanFailedCleared', 'fanStatusChange', 'fanAlarm', 'fanTrayRemoved'])
      deepEqual(decisions(notifications.get(name)!), [], name);
  });

  it('leave out what is obsolete or has the OID of another one, and name varbinds that no module has', () => {
    const { notifications, left } = fans;
    ok(!notifications.has('fanOld') && !notifications.has('fanFailedTwice'));
    equal(left.at(-1), 'fanFailedTwice: FAN-MIB::fanFailed has the same OID');
    deepEqual(notifications.get('fanLost')!.comments, [
      'The varbind fanNowhere is in no module that was read.',
    ]);
    deepEqual(notifications.get('fanLost')!.varbinds, []);
  });

  it('belong to the rows that are chosen', (context) => {
    const { notifications } = draft(context, module, {
      takesGroup: () => false,
      takesNotification: ({ name }, isAboutDrafted) => isAboutDrafted || name === 'fanPurr',
    });
    deepEqual([...notifications.keys()], ['fanPurr']);
  });

  it('keep varbinds of definitions that ship, unless the draft replaces these', (context) => {
    const fanReason = (id: string) => {
      const varbind = { key: 'fanReason', fields: ['why'], object: { id, labels: [], isHeavy: false } };
      const shipped = { ...noShippedColumns, varbinds: new Map([['1.3.6.1.4.1.32473.9.3', varbind]]) };
      return draft(context, module, {}, shipped).set.notifications!.find(({ id }) => /fanFailed$/.test(id))!
        .attributes;
    };
    deepEqual(fanReason('FAN-MIB::fanEntry').length, 1);
  });

  it('of SNMPv1 have the OID of SNMPv2, and what comments say to management stations', (context) => {
    const { notifications } = draft(context, oldModule);
    const { oid, severity, message } = notifications.get('oldDoor')!;
    deepEqual([oid, severity, message], ['1.3.6.1.4.1.32473.10.0.7', 'error', 'The door says {old.text}']);
    const bell = notifications.get('oldBell')!;
    deepEqual([bell.severity, bell.message], ['warning', 'Old bell: {old.text}']);
  });

  it('are written as YAML that any description leaves whole', (context) => {
    const hostile = trap('fanOdd', 9, '', "key: [x] {y} # z ' %s\n  ---\n- a: &b *c");
    const { out } = draft(context, module.replace(/END\s*$/, `${hostile}END\n`));
    match(readFileSync(join(out, 'notifications/fan-mib.yml'), 'utf8'), /description: "key: \[x\] \{y\} # z/);
  });
});

describe('a collector with the draft of a MIB', () => {
  it('polls a recording and takes a notification', async (context) => {
    const { out, set } = draft(context, module);
    const agent = await startReplayAgent({
      recording: parseRecording(`1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.32473.9
1.3.6.1.2.1.1.3.0|67|100
1.3.6.1.4.1.32473.9.1.1.2.4|4|left
1.3.6.1.4.1.32473.9.1.1.3.4|2|1
1.3.6.1.4.1.32473.9.1.1.4.4|2|2400
`),
    });
    context.after(() => agent.close());
    const names = ['objects/fan-mib.yml', 'enums/integer/fan-mib.yml', 'object_groups/fan-mib.yml'];
    const files = [...names, 'notifications/fan-mib.yml'].map(
      (name) => [name, readFileSync(join(out, name), 'utf8')] as const,
    );
    const { output, send, collector, discovered } = await startTraps(context, {
      devices: [
        { name: 'hall-1', port: agent.port, groups: 'device_groups: [drafted], poll_interval: 86400' },
      ],
      files: {
        ...Object.fromEntries(files),
        'device_groups/drafted.yml': `drafted: { object_groups: [${set.objectGroups[0]!.id}] }\n`,
      },
    });
    await discovered;
    const device = collector.getService(deviceRegistryToken).findDeviceNamed('hall-1')!;
    const batches = await collector.getService(pollerToken).pollNow(device);
    const speeds = batches.flatMap(({ record, columns }) =>
      record === 'sensor' ? columns.filter(({ field }) => field === 'sensor.value') : [],
    );
    equal(speeds.length, 1);
    const text = (value: string) => ({ type: 'OctetString', value: Buffer.from(value) }) as const;
    const countSpeeds = (received: readonly Batch[]) =>
      received.filter(({ record }) => record === 'sensor').length;
    await output.waitFor((received) => countSpeeds(received) === 1);
    await send({
      oid: '1.3.6.1.4.1.32473.9.0.1',
      varbinds: [
        { oid: '1.3.6.1.4.1.32473.9.1.1.2.4', ...text('left') },
        { oid: '1.3.6.1.4.1.32473.9.3.0', ...text('dust') },
      ],
    });
    const [row] = trapRows(await output.waitFor((received) => trapRows(received).length === 1));
    const { labels, values } = row!;
    deepEqual(
      [
        row!.device.name,
        labels['trap.name'],
        labels['trap.severity'],
        labels['fan.index'],
        values['fan.reason'],
      ],
      ['hall-1', 'FAN-MIB::fanFailed', 'error', '4', 'dust'],
    );
    equal(values['trap.message'], 'Fan failed: left');
    // The row that the notification names is polled, whatever its interval.
    await output.waitFor((received) => countSpeeds(received) === 2);
  });
});
