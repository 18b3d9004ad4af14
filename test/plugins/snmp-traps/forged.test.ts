import { deepEqual, equal, ok } from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { berTag } from '../../../src/snmp/codec/ber-tag.ts';
import { V3Codec } from '../../../src/snmp/usm/message/v3-codec.ts';
import { messageFlag } from '../../../src/snmp/usm/user/security-level.ts';
import { forge } from '../../snmp/notifications/support/forgeries.ts';
import {
  operator,
  ownEngineId,
  secured,
  securedInform,
  v2c,
} from '../../snmp/notifications/support/notification-lab.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { countsOf, startTraps, trapRows } from './trap-stack.ts';

/** Sends datagrams one after the other from an address, and keeps the answers. */
async function openSender(test: TestContext, address: string, port: number) {
  const socket = createSocket('udp4');
  const answers: Buffer[] = [];
  socket.on('message', (answer) => answers.push(answer));
  socket.bind(0, address);
  await once(socket, 'listening');
  test.after(() => socket.close());
  const send = (datagram: Buffer) =>
    new Promise<void>((done, fail) =>
      socket.send(datagram, port, '127.0.0.1', (error) => (error ? fail(error) : done())),
    );
  return { answers, send };
}

/** A collector whose engine is the one that the forged informs are for. */
async function startOwnEngine(test: TestContext) {
  const stateDirectory = temporaryFolder(test);
  mkdirSync(join(stateDirectory, 'snmp-traps'));
  const engine = { engineId: ownEngineId.toString('hex'), boots: 2 };
  writeFileSync(join(stateDirectory, 'snmp-traps', 'engine.json'), JSON.stringify(engine));
  return startTraps(test, {
    stateDirectory,
    env: { C: 'public', AUTH: operator.authPassphrase!, PRIV: operator.privPassphrase! },
    traps: {
      senders: [
        { name: 'campus', from: ['127.0.0.1'], versions: ['1', '2c', '3'], communities: ['${env:C}'] },
      ],
      users: [
        {
          username: operator.name,
          authentication_protocol: operator.authProtocol,
          authentication_passphrase: '${env:AUTH}',
          privacy_protocol: operator.privProtocol,
          privacy_passphrase: '${env:PRIV}',
        },
      ],
    },
  });
}

describe('a collector that receives forged notifications', { concurrency: true }, () => {
  it('records and acknowledges none of them, and counts each one', async (test) => {
    const { collector, output, port } = await startOwnEngine(test);
    const allowed = await openSender(test, '127.0.0.1', port);
    const stranger = await openSender(test, '127.0.0.2', port);
    await allowed.send(secured());
    await output.waitFor((batches) => trapRows(batches).length === 1);
    const forgeries = [...forge(0)];
    ok(forgeries.length >= 100, String(forgeries.length));
    for (const { datagram, from } of forgeries)
      await (from === undefined ? allowed : stranger).send(datagram);
    const counts = await countsOf(collector, ({ received }) => received === forgeries.length + 1);
    equal(counts.dropped, forgeries.length);
    equal(counts.accepted, 1);
    equal(counts['informs acknowledged'], 0);
    equal(trapRows(output.batches).length, 1);
    deepEqual(stranger.answers, []);
    const codec = new V3Codec();
    for (const answer of allowed.answers) {
      const message = codec.read(answer);
      const scoped = typeof message === 'string' ? message : codec.openScopedPdu(message, {});
      equal(typeof scoped === 'string' ? scoped : scoped.pduTag, berTag.report);
    }
  });

  it('takes octets that were recorded on the way once, and never as another datagram', async (test) => {
    const { collector, output, port } = await startOwnEngine(test);
    const sender = await openSender(test, '127.0.0.1', port);
    const trap = secured();
    const inform = securedInform({ time: 0 });
    for (const datagram of [trap, inform, v2c()]) {
      await sender.send(datagram);
      for (let repeat = 0; repeat < 20; repeat++) await sender.send(datagram);
      // No MAC covers what follows the message.
      if (datagram !== trap) continue;
      await sender.send(Buffer.concat([datagram, Buffer.from('0000', 'hex')]));
    }
    const counts = await countsOf(collector, ({ received }) => received === 64);
    deepEqual(
      trapRows(output.batches).map(({ values }) => [values['trap.kind'], values['trap.version']]),
      [
        ['trap', '3'],
        ['inform', '3'],
        ['trap', '2c'],
      ],
    );
    equal(counts.accepted, 3);
    equal(counts['informs acknowledged'], 1);
  });

  it('records an inform that is sent 100 times once, and answers each of them', async (test) => {
    const { collector, output, port } = await startOwnEngine(test);
    const sender = await openSender(test, '127.0.0.1', port);
    const flags = messageFlag.auth | messageFlag.priv | messageFlag.reportable;
    // Debian's repeats have another message id and salt.
    for (let messageId = 1; messageId <= 100; messageId++) {
      await sender.send(securedInform({ time: 0, messageId, flags }));
      await sender.send(v2c('InformRequest', 7));
      // Until the first is recorded, only some repeats wait for it.
      if (messageId === 1) await until(() => sender.answers.length === 2);
    }
    const counts = await countsOf(collector, ({ received }) => received === 200);
    await until(() => sender.answers.length === 200);
    equal(trapRows(output.batches).length, 2);
    equal(counts['informs acknowledged'], 2);
    equal(counts['informs repeated'], 198);
    equal(counts['collapsed copy'], 198);
  });
});
