import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { describe, it, type TestContext } from 'node:test';
// @ts-expect-error The package has no types.
import netSnmp from 'net-snmp';
import { parseNetwork } from '../../../src/model/address-range.ts';
import {
  createNotificationSender,
  type Notification,
  type NotificationBody,
  NotificationListeners,
  NotificationReceiver,
  type SnmpError,
  type Target,
} from '../../../src/snmp/index.ts';
import { findFreeUdpPorts } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';
import { linkDown, operator, senderEngineId } from './support/notification-lab.ts';

const body: NotificationBody = {
  oid: linkDown,
  uptime: 12,
  varbinds: [{ oid: '1.3.6.1.2.1.2.2.1.1.7', type: 'Integer32', value: 7 }],
  agentAddress: undefined,
  enterprise: undefined,
};
const secret = { authPassphrase: 'another-passphrase', privPassphrase: 'another-passphrase' };

/** A receiver on a port that the system chooses; `ignored` informs are dropped before it sees them. */
async function startReceiver(test: TestContext, address = '127.0.0.1', ignored = 0) {
  const received: Notification[] = [];
  let left = ignored;
  const listeners = await NotificationListeners.open({
    listen: [{ address, port: 0 }],
    receiveBufferBytes: 1 << 20,
    onDatagram: (datagram, from, port, index) => {
      if (left-- <= 0) receiver.receive(datagram, from, port, index);
    },
  });
  test.after(() => listeners.close());
  const receiver = new NotificationReceiver({
    rights: {
      senders: [
        {
          name: 'loopback',
          from: [parseNetwork('127.0.0.0/8')!, parseNetwork('::1/128')!],
          versions: ['1', '2c', '3'],
          communities: ['public'],
        },
      ],
    },
    users: [{ key: 'ops', settings: operator }],
    onNotification: (notification) => {
      received.push(notification);
      return 'accepted';
    },
    send: (reply, index, port, to) => listeners.send(reply, index, port, to),
  });
  const { port } = listeners.addresses[0]!;
  return { received, receiver, listeners, target: { address, port, timeoutMs: 200 } };
}

function openSender(test: TestContext, target: Target) {
  const sender = createNotificationSender(target, { engine: { id: senderEngineId, boots: 1 } });
  test.after(() => sender.close());
  return sender;
}

describe('a sender of notifications', () => {
  it('sends traps of all versions, and informs of those that have them', async (test) => {
    const { received, target } = await startReceiver(test);
    const targets: Target[] = [
      { ...target, version: '1', community: 'public' },
      { ...target, version: '2c', community: 'public' },
      { ...target, version: '3', user: operator, context: 'vrf-1' },
    ];
    for (const each of targets) {
      const sender = openSender(test, each);
      await sender.trap(body);
      await until(() => received.length > 0);
      if (each.version === '1') assert.throws(() => sender.inform(body), /SNMPv1 has no informs/);
      else assert.equal(await sender.inform(body), 1);
      for (const { oid, uptime, varbinds, version } of received.splice(0))
        assert.deepEqual(
          { oid, uptime, varbinds, version },
          { oid: linkDown, uptime: 12, varbinds: body.varbinds, version: each.version },
        );
    }
  });

  it('sends over IPv6', async (test) => {
    const { received, target, listeners } = await startReceiver(test, '::1');
    assert.equal(await openSender(test, { ...target, version: '2c', community: 'public' }).inform(body), 1);
    assert.equal(received[0]?.source, '::1');
    const [statistics] = await listeners.statistics();
    assert.equal(statistics?.received, 1);
    if (process.platform === 'linux') assert.equal(statistics?.kernelDrops, 0);
  });

  it('is not answered at port 0, nor by listeners that are closed', async (test) => {
    const { listeners } = await startReceiver(test);
    listeners.send(Buffer.from('reply'), 0, 0, '127.0.0.1');
    const other = await NotificationListeners.open({
      listen: [{ address: '127.0.0.1', port: 0 }],
      receiveBufferBytes: 1 << 16,
      onDatagram() {},
    });
    other.close();
    other.send(Buffer.from('reply'), 0, 1_162, '127.0.0.1');
  });

  it('repeats an inform under one request-id, so that it is kept once', async (test) => {
    const { received, receiver, target } = await startReceiver(test, '127.0.0.1', 2);
    const sender = openSender(test, {
      ...target,
      timeoutMs: 50,
      retries: 4,
      version: '2c',
      community: 'public',
    });
    assert.equal(await sender.inform(body), 3);
    assert.equal(received.length, 1);
    assert.equal(receiver.statistics().informs.acknowledged, 1);
  });

  it('reports why an inform was not acknowledged', async (test) => {
    const { target, receiver } = await startReceiver(test);
    const quick = { ...target, timeoutMs: 50, retries: 0 };
    const cases: readonly (readonly [Target, string])[] = [
      [{ ...quick, version: '2c', community: 'wrong' }, 'SNMP_TIMEOUT'],
      [{ ...quick, version: '3', user: { name: 'nobody' } }, 'SNMP_UNKNOWN_USER'],
      [{ ...quick, version: '3', user: { ...operator, privProtocol: undefined } }, 'SNMP_SECURITY_LEVEL'],
      [{ ...quick, version: '3', user: { ...operator, ...secret } }, 'SNMP_WRONG_DIGEST'],
    ];
    for (const [each, code] of cases)
      await assert.rejects(
        openSender(test, each).inform(body),
        (error: SnmpError) => error.code === code,
        code,
      );
    assert.equal(receiver.statistics().accepted, 0);
  });

  it('refuses what SNMPv1 cannot carry', async (test) => {
    const { target } = await startReceiver(test);
    const counter = { oid: '1.3.6.1.2.1.31.1.1.1.6.7', type: 'Counter64', value: 1n } as const;
    const sender = openSender(test, { ...target, version: '1', community: 'public' });
    await assert.rejects(sender.trap({ ...body, varbinds: [counter] }), { code: 'SNMP_NO_V1_FORM' });
  });

  it('fails informs that wait when it is closed', async (test) => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    test.after(() => silent.close());
    const { target } = await startReceiver(test, '127.0.0.1', 10);
    const sender = openSender(test, { ...target, timeoutMs: 60_000, version: '2c', community: 'public' });
    const inform = sender.inform(body);
    sender.close();
    await assert.rejects(inform, { code: 'SNMP_CLOSED' });
    await assert.rejects(sender.trap(body), { code: 'SNMP_CLOSED' });
  });
});

describe('the receiver of the package net-snmp', () => {
  it('takes traps and informs of all versions', async (test) => {
    const [port] = (await findFreeUdpPorts(1)) as [number];
    const received: unknown[] = [];
    const receiver = netSnmp.createReceiver(
      { port, address: '127.0.0.1' },
      (_error: unknown, data: unknown) => received.push(data),
    );
    test.after(() => receiver.close());
    const authorizer = receiver.getAuthorizer();
    authorizer.addCommunity('public');
    authorizer.addUser({
      name: operator.name,
      level: netSnmp.SecurityLevel.authPriv,
      authProtocol: netSnmp.AuthProtocols.sha256,
      authKey: operator.authPassphrase,
      privProtocol: netSnmp.PrivProtocols.aes,
      privKey: operator.privPassphrase,
    });
    const target = { address: '127.0.0.1', port, timeoutMs: 1_000 };
    for (const each of [
      { ...target, version: '2c', community: 'public' },
      { ...target, version: '3', user: operator },
      { ...target, version: '1', community: 'public' },
    ] as const) {
      const sender = openSender(test, each);
      // The inform first: the receiver may not listen yet.
      if (each.version !== '1') assert.ok((await sender.inform(body)) >= 1);
      await sender.trap(body);
    }
    await until(() => received.length >= 5);
    const text = JSON.stringify(received);
    assert.equal(text.split('"oid":"1.3.6.1.2.1.2.2.1.1.7","type":2,"value":7').length, 6, text);
  });
});
