import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseNetwork } from '../../../src/model/address-range.ts';
import { listTrapOids } from '../../../src/snmp/index.ts';
import { messageFlag } from '../../../src/snmp/usm/user/security-level.ts';
import {
  linkDown,
  linkDownVarbinds,
  NotificationLab,
  operator,
  ownEngineId,
  pduOf,
  secured,
  securedInform,
  senderEngineId,
  source,
  v1,
  v2c,
} from './support/notification-lab.ts';

const atStart = () => {
  const lab = new NotificationLab();
  lab.clock.pass(1_000_000);
  return lab;
};

describe('an SNMPv1 trap', () => {
  const cases = [
    { generic: 0, specific: 0, oid: '1.3.6.1.6.3.1.1.5.1' },
    { generic: 2, specific: 0, oid: linkDown },
    { generic: 5, specific: 9, oid: '1.3.6.1.6.3.1.1.5.6' },
    { generic: 6, specific: 4, oid: '1.3.6.1.4.1.32473.7.0.4' },
    { generic: 6, specific: 0, oid: '1.3.6.1.4.1.32473.7.0.0' },
    { generic: 6, specific: -1, oid: '1.3.6.1.4.1.32473.7.0.4294967295' },
  ];
  it('becomes a notification of SNMPv2 (RFC 3584 §3.1)', () => {
    const lab = atStart();
    for (const { generic, specific, oid } of cases) {
      lab.send(v1({ generic, specific, agentAddress: '10.1.2.3' }));
      const received = lab.received.at(-1)!;
      assert.equal(received.oid, oid);
      assert.deepEqual(received.v1, { generic, specific: specific >>> 0 });
      assert.equal(received.enterprise, '1.3.6.1.4.1.32473.7');
      assert.equal(received.agentAddress, '10.1.2.3');
      assert.equal(received.uptime, 99);
    }
  });

  it('without an agent address names none', () => {
    const lab = atStart();
    lab.send(v1({ agentAddress: '0.0.0.0' }));
    assert.equal(lab.received[0]?.agentAddress, undefined);
  });
});

describe('the OIDs of a definition', () => {
  it('are the own one, and the one with the other form of the 0 before the last arc', () => {
    assert.deepEqual(listTrapOids('1.3.6.1.4.1.9.0.5'), ['1.3.6.1.4.1.9.0.5', '1.3.6.1.4.1.9.5']);
    assert.deepEqual(listTrapOids('1.3.6.1.4.1.9.5'), ['1.3.6.1.4.1.9.5', '1.3.6.1.4.1.9.0.5']);
  });
});

describe('an SNMPv2 notification', () => {
  it('may have its time and its name anywhere, and no time', () => {
    const lab = atStart();
    const orders = [
      [2, 1, 0],
      [1, 2],
      [2, 0, 1],
    ];
    for (const [index, order] of orders.entries()) {
      lab.send(
        v2c(
          'TrapV2',
          index,
          'public',
          order.map((i) => linkDownVarbinds[i]!),
        ),
      );
      const { oid, uptime, varbinds } = lab.received.at(-1)!;
      assert.equal(oid, linkDown);
      assert.equal(uptime, order.includes(0) ? 47_110 : undefined);
      assert.deepEqual(varbinds, [linkDownVarbinds[2]]);
    }
  });

  it('keeps what a relay has added, except the community', () => {
    const lab = atStart();
    const added = [
      { oid: '1.3.6.1.6.3.18.1.3.0', type: 'IpAddress', value: '10.9.8.7' },
      { oid: '1.3.6.1.6.3.18.1.4.0', type: 'OctetString', value: Buffer.from('secret') },
      { oid: '1.3.6.1.6.3.1.1.4.3.0', type: 'ObjectIdentifier', value: '1.3.6.1.4.1.9' },
    ] as const;
    lab.send(v2c('TrapV2', 1, 'public', [...linkDownVarbinds, ...added]));
    const { agentAddress, enterprise, varbinds } = lab.received[0]!;
    assert.equal(agentAddress, '10.9.8.7');
    assert.equal(enterprise, '1.3.6.1.4.1.9');
    assert.deepEqual(varbinds, [linkDownVarbinds[2]]);
  });
});

describe('copies', () => {
  it('of the same octets from the same source count once: for 10 s, signed ones for 150 s', () => {
    const lab = atStart();
    const [trap, signed] = [v2c(), secured()];
    for (const datagram of [trap, signed, trap, signed]) lab.send(datagram);
    lab.send(trap, '192.0.2.2');
    assert.equal(lab.received.length, 3);
    lab.clock.pass(10_001);
    for (const datagram of [trap, signed]) lab.send(datagram);
    assert.equal(lab.received.length, 4);
    lab.clock.pass(139_000);
    lab.send(signed);
    assert.deepEqual(lab.receiver.statistics().collapsed, { copy: 4, repeat: 0 });
    // After that, the message is outside the time window.
    lab.clock.pass(20_000);
    lab.send(signed);
    assert.deepEqual(lab.drops, { time: 1 });
    assert.ok(lab.isBalanced);
  });

  it('of datagrams that were refused cannot suppress allowed ones', () => {
    const lab = atStart();
    lab.send(v2c(), '198.51.100.1');
    lab.send(v2c('TrapV2', 1, 'wrong'));
    lab.send(v2c());
    assert.equal(lab.received.length, 1);
  });
});

describe('a replay', () => {
  it('of a signed message is a copy, also with other octets after it', () => {
    const lab = atStart();
    for (const message of [secured(), securedInform()]) {
      lab.send(message);
      lab.clock.pass(70_000);
      for (const rest of ['', '00', '0500', 'ffff'])
        lab.send(Buffer.concat([message, Buffer.from(rest, 'hex')]));
    }
    assert.equal(lab.received.length, 2);
    assert.equal(lab.receiver.statistics().collapsed.copy, 8);
    assert.ok(lab.isBalanced);
  });
});

describe('an inform', () => {
  it('of SNMPv2c is answered with the same octets and the tag of a Response', () => {
    const lab = atStart();
    const inform = v2c('InformRequest', 77);
    lab.send(inform);
    assert.equal(lab.received[0]?.kind, 'inform');
    const differences = [...inform].flatMap((octet, i) =>
      octet === lab.replies[0]![i] ? [] : [[octet, lab.replies[0]![i]]],
    );
    assert.deepEqual(differences, [[0xa6, 0xa2]]);
    assert.equal(lab.replies[0]!.length, inform.length);
  });

  it('that is sent again is answered again and kept once, for a minute', () => {
    const lab = atStart();
    for (let i = 0; i < 100; i++) lab.send(v2c('InformRequest', 77));
    // Each SNMPv3 repeat has another salt, and a NAT may have changed the port.
    for (let i = 0; i < 100; i++) lab.send(securedInform());
    assert.equal(lab.received.length, 2);
    assert.equal(lab.replies.length, 200);
    assert.deepEqual(lab.receiver.statistics().informs, { acknowledged: 2, repeated: 198, unaccepted: 0 });
    lab.send(v2c('InformRequest', 78));
    lab.clock.pass(60_000);
    lab.send(v2c('InformRequest', 77));
    assert.equal(lab.received.length, 4);
    assert.ok(lab.isBalanced);
  });

  it('is not answered when it was not taken, and its next attempt is the same inform', () => {
    const lab = atStart();
    for (const make of [() => v2c('InformRequest', 5), () => securedInform({}, 5)]) {
      lab.verdict = 'queue';
      const replies = lab.replies.length;
      lab.send(make());
      assert.equal(lab.replies.length, replies);
      lab.verdict = 'accepted';
      lab.send(make());
      assert.equal(lab.replies.length, replies + 1);
      const [first, second] = lab.received.slice(-2);
      assert.equal(first?.informId, second?.informId);
    }
    assert.deepEqual(lab.drops, { queue: 2 });
    assert.deepEqual(lab.receiver.statistics().informs, { acknowledged: 2, repeated: 0, unaccepted: 2 });
    assert.ok(lab.isBalanced);
  });

  it('is answered when its verdict comes later, and so are repeats that came meanwhile', () => {
    const lab = atStart();
    lab.verdict = 'later';
    lab.send(v2c('InformRequest', 5));
    lab.send(v2c('InformRequest', 5));
    assert.deepEqual([lab.received.length, lab.replies.length], [1, 0]);
    assert.ok(lab.isBalanced);
    lab.receiver.settle(lab.received[0]!, 'accepted');
    assert.equal(lab.replies.length, 2);
    assert.equal(lab.receiver.statistics().accepted, 1);
    assert.ok(lab.isBalanced);
  });

  it('is not taken while ten thousand others wait, and one that is never settled is forgotten', () => {
    const lab = new NotificationLab({ limits: { sourcePerSecond: 1e6, sourceBurst: 1e6 } });
    lab.verdict = 'later';
    for (let i = 0; i < 10_005; i++) lab.send(v2c('InformRequest', i + 1));
    assert.equal(lab.received.length, 10_000);
    assert.deepEqual(lab.drops, { queue: 5 });
    lab.verdict = 'accepted';
    for (const inform of lab.received.splice(0)) lab.receiver.settle(inform, 'queue');
    lab.send(v2c('InformRequest', 1));
    assert.equal(lab.replies.length, 1);
    assert.ok(lab.isBalanced);
  });

  it('that is muted is answered: otherwise it would be sent again', () => {
    const lab = atStart();
    lab.verdict = 'muted';
    lab.send(v2c('InformRequest', 5));
    assert.equal(lab.replies.length, 1);
    assert.deepEqual(lab.drops, { muted: 1 });
  });

  it('is refused when our boots are at their last number', () => {
    const lab = new NotificationLab({ engine: { id: ownEngineId, boots: 0x7fffffff } });
    lab.clock.pass(1_000_000);
    lab.send(securedInform({ boots: 0x7fffffff }));
    assert.deepEqual(lab.drops, { time: 1 });
  });
});

describe('a signed trap', () => {
  it('says who sent it', () => {
    const lab = atStart();
    lab.send(secured({ contextName: Buffer.from('vrf-1') }));
    const { level, security, version } = lab.received[0]!;
    assert.deepEqual([level, version], ['authPriv', '3']);
    const engineId = senderEngineId.toString('hex');
    assert.deepEqual(security, {
      userKey: 'ops',
      user: 'operator',
      engineId,
      contextEngineId: engineId,
      context: 'vrf-1',
    });
  });

  it('with the reportable flag is accepted and not answered', () => {
    const lab = atStart();
    lab.send(secured());
    lab.send(secured({ flags: messageFlag.auth | messageFlag.priv | messageFlag.reportable }));
    assert.deepEqual([lab.received.length, lab.replies.length], [2, 0]);
  });

  it('is no Report and no Response, which nobody answers whatever their flags say', () => {
    const lab = atStart();
    const flags = messageFlag.reportable;
    const nobody = { name: 'nobody' };
    for (const type of ['Report', 'Response', 'TrapV2'] as const) {
      const pdu = pduOf(type);
      // For our engine, for an unknown one, and as a discovery with an ID.
      for (const engineId of [ownEngineId, senderEngineId]) {
        lab.send(secured({ user: nobody, engineId, flags, pdu }));
        lab.send(
          secured({
            engineId,
            flags: flags | messageFlag.auth,
            pdu,
            user: { ...operator, privProtocol: undefined },
          }),
        );
      }
    }
    assert.equal(lab.replies.length, 0);
    lab.send(secured({ user: nobody, engineId: ownEngineId, flags, pdu: pduOf('InformRequest') }));
    assert.equal(lab.replies.length, 1);
  });

  it('of an unknown engine is tried ten times a second and source', () => {
    const lab = atStart();
    const wrong = { ...operator, authPassphrase: 'another-passphrase' };
    for (let i = 0; i < 15; i++)
      lab.send(secured({ user: wrong, engineId: Buffer.from([128, 0, 0, 1, 5, i]) }));
    assert.deepEqual(lab.drops, { digest: 10, engine_rate: 5 });
    assert.equal(lab.receiver.statistics().engines, 0);
    lab.clock.pass(1_000);
    lab.send(secured());
    assert.equal(lab.received.length, 1);
  });

  it('without a MAC is never tried, so that it has no such limit', () => {
    const plain = { name: 'plain' };
    const lab = new NotificationLab({ users: [{ key: 'plain', settings: plain }] });
    for (let i = 0; i < 15; i++) lab.send(secured({ user: plain, messageId: i + 1 }));
    assert.equal(lab.received.length, 15);
    assert.equal(lab.receiver.statistics().engines, 0);
  });

  it('of an unknown engine is refused where engines are not learned', () => {
    const lab = new NotificationLab({ engines: { learn: false } });
    lab.send(secured());
    assert.deepEqual(lab.drops, { engine: 1 });
    const id = senderEngineId.toString('hex').toUpperCase();
    const listed = new NotificationLab({
      engines: { learn: false },
      users: [{ key: 'ops', settings: operator, engineIds: [id] }],
    });
    listed.send(secured());
    assert.equal(listed.received.length, 1);
  });

  it('is read with the old and with the new passphrase of one user', () => {
    const renewed = { ...operator, authPassphrase: 'new-passphrase-1', privPassphrase: 'new-passphrase-2' };
    const other = { ...operator, privPassphrase: 'new-passphrase-3' };
    const lab = new NotificationLab({
      users: [
        { key: 'old', settings: operator },
        { key: 'new', settings: renewed },
        { key: 'privacy', settings: other },
      ],
    });
    for (const user of [operator, renewed, other]) lab.send(secured({ user }));
    assert.deepEqual(
      lab.received.map(({ security }) => security?.userKey),
      ['old', 'new', 'privacy'],
    );
  });
});

describe('rights', () => {
  const from = [parseNetwork('192.0.2.0/24')!];
  const all = ['1', '2c', '3'] as const;
  it('of the first sender whose network fits count', () => {
    const senders = [
      { name: 'one', from: [parseNetwork('192.0.2.1/32')!], versions: all, communities: ['one'] },
      { name: 'all', from, versions: all, communities: ['all'] },
    ];
    const lab = new NotificationLab({ rights: { senders } });
    lab.send(v2c('TrapV2', 1, 'all'));
    lab.send(v2c('TrapV2', 1, 'one'));
    lab.send(v2c('TrapV2', 1, 'all'), '192.0.2.2');
    assert.deepEqual(lab.drops, { community: 1 });
    assert.equal(lab.received.length, 2);
  });

  it('of a device are valid beside them, but not below the level of the sender', () => {
    const devices = new Map([
      [source, { versions: ['1', '2c'] as const, communities: ['device'], users: [] }],
    ]);
    const open = new NotificationLab({ rights: { senders: [], devices } });
    open.send(v2c('TrapV2', 1, 'device'));
    open.send(secured());
    assert.deepEqual(open.drops, { version: 1 });
    const senders = [
      { name: 'strict', from, versions: all, communities: ['public'], minLevel: 'authPriv' as const },
    ];
    const strict = new NotificationLab({ rights: { senders, devices } });
    strict.send(v2c('TrapV2', 1, 'device'));
    strict.send(secured());
    assert.deepEqual(strict.drops, { level: 1 });
    assert.equal(strict.received.length, 1);
  });

  it('can be limited to users and versions, and change while it runs', () => {
    const lab = new NotificationLab({
      rights: { senders: [{ name: 'v3', from, versions: ['3'], users: ['other'] }] },
    });
    lab.send(secured());
    lab.send(v2c());
    assert.deepEqual(lab.drops, { user: 1, version: 1 });
    lab.receiver.setRights({ senders: [{ name: 'any', from, versions: all }] });
    lab.send(secured());
    lab.send(v2c('TrapV2', 1, 'whatever'));
    assert.equal(lab.received.length, 2);
  });
});
