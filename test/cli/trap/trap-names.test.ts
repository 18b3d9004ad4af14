import { deepEqual, equal, match, throws } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createDefinitionNaming } from '../../../cli/trap/definition-naming.ts';
import { openRecordFormat } from '../../../cli/trap/record-lines.ts';
import { parseVarbind } from '../../../cli/trap/varbind-words.ts';
import type { Notification } from '../../../src/snmp/index.ts';
import { linkNotifications } from '../../plugins/snmp-traps/trap-stack.ts';
import { DefinitionFolder } from '../../plugins/support/definition-folder.ts';
import { loadShippedDefinitions } from '../../shipped/shipped.ts';
import { linkDown, NotificationLab, v2c } from '../../snmp/notifications/support/notification-lab.ts';

describe('trap send', () => {
  it('knows the names, types and enumerations of the notifications that ship', () => {
    const naming = createDefinitionNaming(loadShippedDefinitions().compiled);
    for (const name of ['IF-MIB::linkDown', 'linkDown', linkDown]) equal(naming.resolve(name), linkDown);
    deepEqual(
      [
        'ifIndex.7=7',
        'IF-MIB::ifOperStatus.7=down',
        'ifAdminStatus.7=1',
        'ifDescr.7=Gi0/7',
        'bgpPeerLastError.192.0.2.1=x:0602',
        'sysUpTime.0=12',
        'ifIndex.7=u:7',
      ].map((word) => parseVarbind(word, naming)),
      [
        { oid: '1.3.6.1.2.1.2.2.1.1.7', type: 'Integer32', value: 7 },
        { oid: '1.3.6.1.2.1.2.2.1.8.7', type: 'Integer32', value: 2 },
        { oid: '1.3.6.1.2.1.2.2.1.7.7', type: 'Integer32', value: 1 },
        { oid: '1.3.6.1.2.1.2.2.1.2.7', type: 'OctetString', value: Buffer.from('Gi0/7') },
        { oid: '1.3.6.1.2.1.15.3.1.14.192.0.2.1', type: 'OctetString', value: Buffer.from([6, 2]) },
        { oid: '1.3.6.1.2.1.1.3.0', type: 'TimeTicks', value: 12 },
        { oid: '1.3.6.1.2.1.2.2.1.1.7', type: 'Gauge32', value: 7 },
      ],
    );
    throws(
      () => naming.resolve('linkDwon'),
      /No definition that ships has "linkDwon"\. Did you mean "linkDown"\?/,
    );
    throws(() => parseVarbind('ifOperStatus.7=sideways', naming), /does not fit/);
  });
});

describe('trap decode --config', () => {
  it('prints the records that the collector makes, as text and as documents', async (test) => {
    const folder = new DefinitionFolder(test, { 'notifications/all.yml': linkNotifications });
    const config = join(folder.path, 'waywiser.yml');
    writeFileSync(
      config,
      `plugins: { definitions-loader: { shipped: false, directories: [${JSON.stringify(folder.path)}] } }\n`,
    );
    const lab = new NotificationLab();
    lab.send(v2c());
    const notification = lab.received[0] as Notification;
    const time = new Date('2026-01-02T03:04:05.250Z');
    const text = (await openRecordFormat(config, false))(notification, time);
    equal(
      text,
      '2026-01-02T03:04:05.250Z, 192.0.2.1:50123, trap of SNMPv2c\n  IF-MIB::linkDown (error, link): 7 is down\n  netif.index = 7\n',
    );
    const line = (await openRecordFormat(config, true))(notification, time);
    match(line, /^\{.*\}\n$/);
    const { record, labels, values, device } = JSON.parse(line);
    equal(record, 'IF-MIB::linkDown');
    deepEqual(labels, {
      'trap.name': 'IF-MIB::linkDown',
      'trap.severity': 'error',
      'trap.category': 'link',
      'netif.index': '7',
    });
    equal(values['trap.message'], '7 is down');
    deepEqual(device, { name: '192.0.2.1', ip: '192.0.2.1', port: 0 });
  });
});
