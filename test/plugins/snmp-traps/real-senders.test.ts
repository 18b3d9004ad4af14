import { deepEqual, equal } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { env } from 'node:process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { authProtocols, namesOf, privProtocols } from '../../../src/model/v3-protocols.ts';
import { linkDown } from '../../snmp/notifications/support/notification-lab.ts';
import { isLong } from '../../support/long-run.ts';
import { missingTool } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { countsOf, startTraps, trapRows } from './trap-stack.ts';

const run = promisify(execFile);
const engineId = '80001f880473776974636831';

/** Where Debian's names are others. */
const nameByPriv: Readonly<Record<string, string>> = { aes192c: 'AES192C', aes256c: 'AES256C' };

interface User {
  readonly name: string;
  readonly auth: keyof typeof authProtocols;
  readonly priv: keyof typeof privProtocols | undefined;
}

/** 6 authentications × 5 privacies, and two more forms of AES with Reeder's key extension. */
const users: User[] = namesOf(authProtocols).flatMap((auth) =>
  [undefined, ...namesOf(privProtocols)].map((priv) => ({ name: `${auth}-${priv ?? 'none'}`, auth, priv })),
);

/** All 42 in the long tests, otherwise one of each protocol. */
const sample = isLong ? users : users.filter((_, i) => i % 6 === 0);

function argumentsOf({ name, auth, priv }: User): string[] {
  const signed = ['-a', authProtocols[auth].title, '-A', 'maplesyrup-auth'];
  const hidden = priv ? ['-x', nameByPriv[priv] ?? privProtocols[priv].title, '-X', 'maplesyrup-priv'] : [];
  return ['-v3', '-u', name, '-l', priv ? 'authPriv' : 'authNoPriv', ...signed, ...hidden];
}

describe('Debian’s senders', { skip: missingTool('snmptrap') }, () => {
  it('are recorded: v1, v2c and each protocol of v3, as traps and as informs', async (test) => {
    const { output, port, collector } = await startTraps(test, {
      env: { C: 'public', AUTH: 'maplesyrup-auth', PRIV: 'maplesyrup-priv' },
      traps: {
        senders: [
          { name: 'all', from: ['127.0.0.0/8'], versions: ['1', '2c', '3'], communities: ['${env:C}'] },
        ],
        users: users.map(({ name, auth, priv }) => ({
          username: name,
          authentication_protocol: auth,
          authentication_passphrase: '${env:AUTH}',
          ...(priv && { privacy_protocol: priv, privacy_passphrase: '${env:PRIV}' }),
        })),
        limits: { source_replies_per_second: 1_000 },
      },
    });
    const folder = temporaryFolder(test);
    // Debian's tools write a file there, and do not expect another one that writes.
    let runs = 0;
    const varbind = ['1.3.6.1.2.1.2.2.1.1.7', 'i', '7'];
    const send = (command: 'snmptrap' | 'snmpinform', credentials: readonly string[], ...rest: string[]) =>
      run(
        command,
        ['-m', '', '-M', folder, '-t', '5', '-r', '3', ...credentials, `127.0.0.1:${port}`, ...rest],
        {
          timeout: 20_000,
          env: { ...env, SNMP_PERSISTENT_DIR: `${folder}/${++runs}`, SNMPCONFPATH: folder },
        },
      );
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

    const rows = trapRows(
      await output.waitFor((batches) => trapRows(batches).length === 3 + 2 * sample.length),
    );
    const names = rows.map(({ values }) =>
      [values['trap.kind'], values['trap.version'], values['trap.user'], values['trap.level']]
        .join(' ')
        .trim(),
    );
    const expected = sample.flatMap(({ name, priv }) => {
      const level = priv ? 'authPriv' : 'authNoPriv';
      return [`trap 3 ${name} ${level}`, `inform 3 ${name} ${level}`];
    });
    deepEqual(names.slice(0, 3), [
      'trap 1  noAuthNoPriv',
      'trap 2c  noAuthNoPriv',
      'inform 2c  noAuthNoPriv',
    ]);
    deepEqual(names.slice(3).sort(), expected.sort());
    for (const { record, labels } of rows) {
      equal(record, 'IF-MIB::linkDown');
      equal(labels['netif.index'], '7');
    }
    equal(rows[0]!.values['trap.address'], '192.0.2.9');
    const counts = await countsOf(collector, ({ accepted }) => accepted === 3 + 2 * sample.length);
    equal(counts.dropped, 0);
    equal(counts['informs acknowledged'], 1 + sample.length);
    equal(counts['informs repeated'], 0);
  });
});
