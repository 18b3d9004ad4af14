import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { env } from 'node:process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parseNetwork } from '../../../src/model/address-range.ts';
import { authProtocols, namesOf, privProtocols } from '../../../src/model/v3-protocols.ts';
import { type Notification, NotificationListeners, NotificationReceiver } from '../../../src/snmp/index.ts';
import type { UserSettings } from '../../../src/snmp/usm/user/user-settings.ts';
import { missingTool } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { linkDown } from './support/notification-lab.ts';

const run = promisify(execFile);
const engineId = '80001f880473776974636831';
const privacies = [undefined, ...namesOf(privProtocols)];

/** Where Debian's names are others. */
const nameByPriv: Readonly<Record<string, string>> = { aes192c: 'AES192C', aes256c: 'AES256C' };

/** 6 authentications × 5 privacies, and two more forms of AES with Reeder's key extension. */
const users: UserSettings[] = namesOf(authProtocols).flatMap((authProtocol) =>
  privacies.map((privProtocol) => ({
    name: `${authProtocol}-${privProtocol ?? 'none'}`,
    authProtocol,
    authPassphrase: 'maplesyrup-auth',
    privProtocol,
    privPassphrase: privProtocol && 'maplesyrup-priv',
  })),
);

/** All 42 in the long tests, otherwise one of each protocol. */
const sample = env['WAYWISER_LONG'] ? users : users.filter((_, i) => i % 6 === 0);

function argumentsOf({
  name,
  authProtocol,
  authPassphrase,
  privProtocol,
  privPassphrase,
}: UserSettings): string[] {
  const auth = ['-a', authProtocols[authProtocol!].title, '-A', authPassphrase!];
  const priv = privProtocol
    ? ['-x', nameByPriv[privProtocol] ?? privProtocols[privProtocol].title, '-X', privPassphrase!]
    : [];
  return ['-v3', '-u', name, '-l', privProtocol ? 'authPriv' : 'authNoPriv', ...auth, ...priv];
}

describe('Debian’s senders', { skip: missingTool('snmptrap') }, () => {
  it('are received: v1, v2c and each protocol of v3, as traps and as informs', async (test) => {
    const received: Notification[] = [];
    const listeners = await NotificationListeners.open({
      listen: [{ address: '127.0.0.1', port: 0 }],
      receiveBufferBytes: 1 << 20,
      onDatagram: (datagram, address, port, index) => receiver.receive(datagram, address, port, index),
    });
    test.after(() => listeners.close());
    const from = [parseNetwork('127.0.0.0/8')!];
    const receiver = new NotificationReceiver({
      rights: { senders: [{ name: 'test', from, versions: ['1', '2c', '3'], communities: ['public'] }] },
      users: users.map((settings) => ({ key: settings.name, settings })),
      limits: { sourceRepliesPerSecond: 1_000 },
      engines: { newPerSecond: 1_000 },
      onNotification: (notification) => {
        received.push(notification);
        return 'accepted';
      },
      send: (reply, index, port, address) => listeners.send(reply, index, port, address),
    });
    const target = `127.0.0.1:${listeners.addresses[0]!.port}`;
    const folder = await temporaryFolder(test);
    // Debian's tools write a file there, and do not expect another one that writes.
    let runs = 0;
    const varbind = ['1.3.6.1.2.1.2.2.1.1.7', 'i', '7'];
    const send = (command: 'snmptrap' | 'snmpinform', credentials: readonly string[], ...rest: string[]) =>
      run(command, ['-m', '', '-M', folder, '-t', '5', '-r', '3', ...credentials, target, ...rest], {
        timeout: 20_000,
        env: { ...env, SNMP_PERSISTENT_DIR: `${folder}/${++runs}`, SNMPCONFPATH: folder },
      });
    await send(
      'snmptrap',
      ['-v1', '-c', 'public'],
      '1.3.6.1.4.1.32473',
      '192.0.2.9',
      '2',
      '0',
      '100',
      ...varbind,
    );
    await send('snmptrap', ['-v2c', '-c', 'public'], '100', linkDown, ...varbind);
    await send('snmpinform', ['-v2c', '-c', 'public'], '100', linkDown, ...varbind);
    // A few at a time: starting a process stops this one, and then replies are late.
    const left = [...sample];
    const sendAll = async () => {
      for (let user = left.pop(); user !== undefined; user = left.pop()) {
        await send('snmptrap', ['-e', `0x${engineId}`, ...argumentsOf(user)], '100', linkDown, ...varbind);
        await send('snmpinform', argumentsOf(user), '100', linkDown, ...varbind);
      }
    };
    await Promise.all([sendAll(), sendAll(), sendAll(), sendAll()]);
    const { dropped, informs, ...statistics } = receiver.statistics();
    const names = received.map(({ kind, version, security }) => `${kind} ${version} ${security?.user ?? ''}`);
    const expected = sample.flatMap(({ name }) => [`trap 3 ${name}`, `inform 3 ${name}`]);
    assert.deepEqual(names.slice(0, 3), ['trap 1 ', 'trap 2c ', 'inform 2c ']);
    assert.deepEqual(names.slice(3).sort(), expected.sort());
    for (const { oid, varbinds } of received) {
      assert.equal(oid, linkDown);
      assert.deepEqual(varbinds, [{ oid: varbind[0], type: 'Integer32', value: 7 }]);
    }
    assert.equal(received[0]!.agentAddress, '192.0.2.9');
    assert.deepEqual(informs, { acknowledged: 1 + sample.length, repeated: 0, unaccepted: 0 });
    assert.equal(statistics.accepted, 3 + 2 * sample.length);
    assert.deepEqual(
      Object.entries(dropped).filter(([, count]) => count > 0),
      [],
    );
  });
});
