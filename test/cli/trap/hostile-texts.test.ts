import { doesNotMatch, equal, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { chooseNaming } from '../../../cli/snmp/naming.ts';
import { chooseFormat, type NotificationFormat } from '../../../cli/trap/notification-lines.ts';
import { openRecordFormat } from '../../../cli/trap/record-lines.ts';
import { hostileStrings } from '../../plugins/outputs/support/hostile-strings.ts';
import { DefinitionFolder } from '../../plugins/support/definition-folder.ts';
import {
  linkDown,
  linkDownVarbinds,
  NotificationLab,
  pduOf,
  secured,
} from '../../snmp/notifications/support/notification-lab.ts';

const portName = '1.3.6.1.4.1.32473.5.1.3';
const definitions = {
  'notifications/all.yml': `TEST-MIB::down: { oid: .${linkDown}, message: "{port.name} is down" }\n`,
  'objects/all.yml': `TEST-MIB::portEntry:
  mib: TEST-MIB
  object: portEntry
  index: [{ type: Integer, oid: .1.3.6.1.4.1.32473.5.1.1, name: port, syntax: InterfaceIndex }]
  discovery_attribute: portName
  attributes:
    portName: { oid: .${portName}, name: port.name, syntax: DisplayString, tag: true }
`,
};
/** What a terminal could take for a command or for another direction, but for the line ends of the command itself. */
const dangerous = /(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** A notification of a device that has put `text` wherever it could: in a context, in a defined field and in what nothing defines. */
function notificationWith(text: string) {
  const lab = new NotificationLab();
  const value = Buffer.from(text).subarray(0, 10_000);
  const varbinds = [`${portName}.7`, '1.3.6.1.4.1.99.1.0'].map(
    (oid) => ({ oid, type: 'OctetString', value }) as const,
  );
  lab.send(
    secured({
      contextName: value.subarray(0, 32),
      pdu: pduOf('TrapV2', 1, [...linkDownVarbinds, ...varbinds]),
    }),
  );
  equal(lab.received.length, 1, JSON.stringify(lab.drops));
  return lab.received[0]!;
}

const imitation = 'x\n2026-01-02T03:04:05.250Z, 192.0.2.1:50123, trap of SNMPv2c\r\v\f\t';

describe('hostile texts of notifications on a terminal', () => {
  const print = (format: NotificationFormat) =>
    Object.entries({ ...hostileStrings, 'another notification': imitation }).map(
      ([name, text]) => [name, format(notificationWith(text), new Date(0))] as const,
    );

  it('are escaped by `trap listen` and `trap decode`', async () => {
    for (const [name, printed] of print(chooseFormat(await chooseNaming({} as never), false))) {
      doesNotMatch(printed, dangerous, name);
      equal(printed.match(/^\S/gm)?.length, 1, `${name}: nothing looks like another notification`);
    }
  });

  it('are escaped in the records of `trap decode --config`, and are one JSON document a line', async (test) => {
    const folder = new DefinitionFolder(test, definitions);
    const config = join(folder.path, 'waywiser.yml');
    writeFileSync(config, 'plugins:\n  definitions-loader: { shipped: false, directories: [.] }\n');
    for (const [name, printed] of print(await openRecordFormat(config, false))) {
      doesNotMatch(printed, dangerous, name);
      ok(/^ {2}TEST-MIB::down \(notice, other\): .* is down$/m.test(printed), printed);
    }
    for (const [name, line] of print(await openRecordFormat(config, true))) {
      equal(line.split('\n').length, 2, name);
      equal(JSON.parse(line).values['trap.message'].endsWith(' is down'), true, name);
    }
  });
});
