import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { ForwardTarget, newForwardCounts } from '../../../plugins/snmp-traps/forwarding/forward-target.ts';
import { checkForward } from '../../../plugins/snmp-traps/forwarding/forwarding.ts';
import { explainError } from '../../../src/index.ts';
import { parseNetwork } from '../../../src/model/address-range.ts';
import { type Notification, NotificationListeners, NotificationReceiver } from '../../../src/snmp/index.ts';
import {
  linkDown,
  operator,
  ownEngineId,
  secured,
  v1,
  v2c,
} from '../../snmp/notifications/support/notification-lab.ts';
import { findFreeUdpPorts } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';
import { countsOf, startTraps, trapRows } from './trap-stack.ts';

/** A receiver elsewhere, to which notifications are copied. */
async function startReceiver(test: TestContext, answers = true) {
  const received: Notification[] = [];
  const datagrams: string[] = [];
  const listeners = await NotificationListeners.open({
    listen: [{ address: '127.0.0.9', port: 0 }],
    receiveBufferBytes: 1 << 20,
    onDatagram(datagram, address, port, index) {
      datagrams.push(datagram.toString('hex'));
      receiver.receive(datagram, address, port, index);
    },
  });
  test.after(() => listeners.close());
  const from = [parseNetwork('127.0.0.0/8')!];
  const receiver = new NotificationReceiver({
    rights: { senders: [{ name: 'all', from, versions: ['1', '2c', '3'], communities: ['noc', 'public'] }] },
    users: [{ key: 'ops', settings: operator }],
    onNotification(notification) {
      received.push(notification);
      return answers ? 'accepted' : 'queue';
    },
    send: (reply, index, port, address) => listeners.send(reply, index, port, address),
  });
  return { received, datagrams, receiver, to: `127.0.0.9:${listeners.addresses[0]!.port}` };
}

const user = {
  username: operator.name,
  authentication_protocol: operator.authProtocol,
  authentication_passphrase: '${env:AUTH}',
  privacy_protocol: operator.privProtocol,
  privacy_passphrase: '${env:PRIV}',
};
const env = { C: 'public', NOC: 'noc', AUTH: operator.authPassphrase!, PRIV: operator.privPassphrase! };

async function startForwarding(test: TestContext, forward: readonly object[], traps: object = {}) {
  const started = await startTraps(test, {
    env,
    traps: {
      senders: [
        { name: 'all', from: ['127.0.0.0/8'], versions: ['1', '2c', '3'], communities: ['${env:C}'] },
      ],
      users: [user],
      forward,
      ...traps,
    },
  });
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  test.after(() => socket.close());
  const sendOctets = (datagram: Buffer) =>
    new Promise<void>((done) => socket.send(datagram, started.port, '127.0.0.1', () => done()));
  return { ...started, sendOctets };
}

const counter64 = { oid: '1.3.6.1.2.1.31.1.1.1.6.7', type: 'Counter64', value: 2n ** 40n } as const;
const ifIndex = { oid: '1.3.6.1.2.1.2.2.1.1.7', type: 'Integer32', value: 7 } as const;

describe('a circle of three collectors that copy to each other', { concurrency: true }, () => {
  for (const as of ['2c', '1', 'verbatim']) {
    it(`is left after one round, as ${as}`, async (test) => {
      const ports = await findFreeUdpPorts(3);
      const collectors: Awaited<ReturnType<typeof startForwarding>>[] = [];
      for (const [position, port] of ports.entries()) {
        const next = (position + 1) % 3;
        const forward = [
          { name: 'next', to: `127.0.0.${2 + next}:${ports[next]}`, as, community: '${env:C}' },
        ];
        const listen = [{ address: `127.0.0.${2 + position}`, port }];
        collectors.push(await startForwarding(test, forward, { listen }));
      }
      // The copies come from 127.0.0.1.
      const socket = createSocket('udp4').bind(0, '127.0.0.7');
      await once(socket, 'listening');
      test.after(() => socket.close());
      for (const requestId of [1, 2, 3])
        socket.send(
          v2c('TrapV2', requestId, 'public', [...uptimeAndName(requestId), ifIndex]),
          ports[0],
          '127.0.0.2',
        );
      const counts = await Promise.all(
        collectors.map(({ collector }, position) =>
          countsOf(collector, ({ accepted }) => accepted === (position === 0 ? 6 : 3)),
        ),
      );
      deepEqual(
        counts.map((each) => [each.accepted, each['forwards sent'], each['forwards returned']]),
        [
          [6, 3, 3],
          [3, 3, 0],
          [3, 3, 0],
        ],
      );
    });
  }
});

const uptimeAndName = (uptime: number) =>
  [
    { oid: '1.3.6.1.2.1.1.3.0', type: 'TimeTicks', value: uptime },
    { oid: '1.3.6.1.6.3.1.1.4.1.0', type: 'ObjectIdentifier', value: linkDown },
  ] as const;

describe('forwarding', { concurrency: true }, () => {
  it('copies traps of all versions as SNMPv2c, with the address of their sender and without its community', async (test) => {
    const { received, datagrams, to } = await startReceiver(test);
    const { sendOctets } = await startForwarding(test, [{ name: 'noc', to, community: '${env:NOC}' }]);
    await sendOctets(v1({ agentAddress: '192.0.2.9', varbinds: [ifIndex] }));
    await sendOctets(v1({ specific: 5, varbinds: [ifIndex] }));
    await sendOctets(v2c());
    await sendOctets(secured());
    await until(() => received.length === 4);
    deepEqual(
      received.map(({ version, oid, agentAddress: address, enterprise }) => [
        version,
        oid,
        address,
        enterprise,
      ]),
      [
        ['2c', '1.3.6.1.4.1.32473.7.0.4', '192.0.2.9', '1.3.6.1.4.1.32473.7'],
        ['2c', '1.3.6.1.4.1.32473.7.0.5', '127.0.0.1', '1.3.6.1.4.1.32473.7'],
        ['2c', linkDown, '127.0.0.1', undefined],
        ['2c', linkDown, '127.0.0.1', undefined],
      ],
    );
    for (const { varbinds } of received) deepEqual(varbinds, [ifIndex]);
    for (const datagram of datagrams) equal(datagram.includes(Buffer.from('public').toString('hex')), false);
  });

  it('copies as SNMPv1, without those that have a Counter64', async (test) => {
    const { received, to } = await startReceiver(test);
    const forward = [{ name: 'old', to, as: '1', community: '${env:NOC}' }];
    const { sendOctets, collector } = await startForwarding(test, forward);
    await sendOctets(v2c('TrapV2', 1, 'public', [...v2cVarbinds(), counter64]));
    await sendOctets(v2c('TrapV2', 2));
    await until(() => received.length === 1);
    deepEqual(received[0]!.v1, { generic: 2, specific: 0 });
    equal(received[0]!.agentAddress, '127.0.0.1');
    const counts = await countsOf(collector, (all) => all['forwards sent'] === 1);
    equal(counts['forwards untranslatable'], 1);
  });

  it('copies as SNMPv3, signed by our engine, as traps and as informs', async (test) => {
    for (const inform of [false, true]) {
      const { received, to } = await startReceiver(test);
      const forward = [{ name: 'secure', to, as: '3', user: operator.name, inform }];
      const { sendOctets, collector } = await startForwarding(test, forward, {
        engine_id: '80007ed9050102030405',
      });
      await sendOctets(v2c());
      await until(() => received.length === 1);
      equal(received[0]!.kind, inform ? 'inform' : 'trap');
      equal(received[0]!.level, 'authPriv');
      if (!inform) equal(received[0]!.security!.engineId, '80007ed9050102030405');
      await countsOf(collector, (all) => all[inform ? 'forwards acknowledged' : 'forwards sent'] === 1);
    }
  });

  it('copies octet for octet, and informs as SNMPv2c', async (test) => {
    const { datagrams, to } = await startReceiver(test);
    const { sendOctets, output } = await startForwarding(test, [
      { name: 'copy', to, as: 'verbatim', community: '${env:NOC}' },
    ]);
    const traps = [v1({ varbinds: [ifIndex] }), v2c(), secured()];
    for (const datagram of traps) await sendOctets(datagram);
    await until(() => datagrams.length === 3);
    deepEqual(
      datagrams,
      traps.map((datagram) => datagram.toString('hex')),
    );
    await sendOctets(v2c('InformRequest', 9));
    await until(() => datagrams.length === 4);
    equal(trapRows(output.batches).length, 4);
    match(datagrams[3]!, new RegExp(Buffer.from('noc').toString('hex')));
  });

  it('uses the thread for copies too', async (test) => {
    const { datagrams, to } = await startReceiver(test);
    const { sendOctets } = await startForwarding(test, [{ name: 'copy', to, as: 'verbatim' }], {
      threads: 1,
    });
    const trap = secured();
    await sendOctets(trap);
    await until(() => datagrams.length === 1);
    equal(datagrams[0], trap.toString('hex'));
  });

  it('sends only what the severity and the names of the target allow, and nothing back', async (test) => {
    const one = await startReceiver(test);
    const two = await startReceiver(test);
    const { send, collector } = await startForwarding(test, [
      { name: 'bad', to: one.to, community: '${env:NOC}', severity: 'error' },
      { name: 'some', to: two.to, community: '${env:NOC}', names: ['IF-MIB::*Up', '1.3.6.1.4.1.99.*'] },
      { name: 'back', to: '127.0.0.1:9', community: '${env:NOC}' },
    ]);
    await send({ oid: linkDown, varbinds: [ifIndex] });
    await send({ oid: '1.3.6.1.6.3.1.1.5.4', varbinds: [ifIndex] });
    await send({ oid: '1.3.6.1.4.1.99.0.7' });
    await until(() => one.received.length === 1 && two.received.length === 2);
    deepEqual(
      two.received.map(({ oid }) => oid),
      ['1.3.6.1.6.3.1.1.5.4', '1.3.6.1.4.1.99.0.7'],
    );
    equal(one.received[0]!.oid, linkDown);
    const counts = await countsOf(collector, (all) => all['forwards sent'] === 3);
    equal(counts['forwards returned'], 3);
  });

  it('keeps 10,000 waiting for a target that does not answer, and counts the rest', async (test) => {
    const { to } = await startReceiver(test, false);
    const counts = newForwardCounts();
    const [address = '', port] = to.split(':');
    const target = new ForwardTarget(
      {
        target: { address, port: Number(port), version: '2c', community: 'noc' },
        isVerbatim: false,
        isInform: true,
        engine: { id: ownEngineId, boots: 1 },
        severities: new Set(),
        names: [],
      },
      counts,
    );
    const notification = { oid: linkDown, uptime: 1, varbinds: [], source: '127.0.0.1', kind: 'trap' };
    for (let id = 1; id <= 10_050; id++) target.add(notification as never);
    equal(counts.dropped, 50);
    target.close();
    await until(() => counts.failed === 100);
    deepEqual(counts, { ...newForwardCounts(), dropped: 50, failed: 100 });
  });

  it('refuses targets that would send in a circle, and those that cannot be', () => {
    const listen = [{ address: '127.0.0.1', port: 1162 }];
    const anywhere = [{ address: '0.0.0.0', port: 1162 }];
    const community = { reveal: () => 'noc' };
    const defaults = { name: 'x', as: '2c', inform: false, severity: 'debug', names: [] };
    const check = (forward: object, own: object = listen) =>
      checkForward('snmp-traps', { forward: [{ ...defaults, ...forward }], users: [], listen: own } as never);
    check({ to: '127.0.0.1:1163', community });
    check({ to: '[::1]:1162', community }, anywhere);
    for (const [forward, own, expected] of [
      [
        { to: '127.0.0.1:1162', community },
        listen,
        /"x" of snmp-traps cannot be 127\.0\.0\.1:1162: .* 127\.0\.0\.1 port 1162\./,
      ],
      [
        { to: '127.0.0.7:1162', community },
        anywhere,
        /is a listener of this collector, 0\.0\.0\.0 port 1162\./,
      ],
      [
        { to: 'noc.example', community },
        listen,
        /to is "noc\.example": write an address and a port, such as 192\.0\.2\.9:162/,
      ],
      [{ to: '192.0.2.9:0', community }, listen, /write an address and a port/],
      [{ to: '192.0.2.9' }, listen, /as: 2c needs a community/],
      [{ to: '192.0.2.9', as: '3' }, listen, /as: 3 needs a user/],
      [{ to: '192.0.2.9', as: '3', user: 'nobody' }, listen, /users has no user "nobody"/],
      [{ to: '192.0.2.9', as: '1', community, inform: true }, listen, /inform needs as: 2c or as: 3/],
      [{ to: '192.0.2.9', as: 'verbatim', inform: true }, listen, /inform needs as: 2c or as: 3/],
    ] as const)
      throws(() => check(forward, own), expected, JSON.stringify(forward));
  });

  it('ends the start for a target that is a listener', async (test) => {
    const [port = 0] = await findFreeUdpPorts(1);
    const forward = [{ name: 'x', to: `127.0.0.1:${port}`, community: '${env:NOC}' }];
    await startForwarding(test, forward, { listen: [{ address: '127.0.0.1', port }] }).then(
      () => ok(false, 'it started'),
      (error: unknown) => match(explainError(error), /Notifications would come back without end/),
    );
  });

  it('does not copy an inform octet by octet without a community', async (test) => {
    const { datagrams, to } = await startReceiver(test);
    const forward = [{ name: 'copy', to, as: 'verbatim' }];
    const { sendOctets, collector } = await startForwarding(test, forward);
    await sendOctets(v2c('InformRequest', 9));
    await countsOf(collector, (all) => all['forwards untranslatable'] === 1);
    deepEqual(datagrams, []);
  });
});

function v2cVarbinds() {
  return [
    { oid: '1.3.6.1.2.1.1.3.0', type: 'TimeTicks', value: 1 },
    { oid: '1.3.6.1.6.3.1.1.4.1.0', type: 'ObjectIdentifier', value: linkDown },
  ] as const;
}
