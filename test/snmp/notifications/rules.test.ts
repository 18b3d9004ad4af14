import { deepEqual, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authProtocols, namesOf } from '../../../src/model/v3-protocols.ts';
import type { Varbind } from '../../../src/snmp/index.ts';
import { V3Codec } from '../../../src/snmp/usm/message/v3-codec.ts';
import { MasterKeys } from '../../../src/snmp/usm/user/master-keys.ts';
import { localizeUser, prepareUser } from '../../../src/snmp/usm/user/security-user.ts';
import {
  linkDownVarbinds,
  NotificationLab,
  operator,
  ownEngineId,
  pduOf,
  secured,
  securedInform,
  source,
  type V3Fields,
  v1,
  v2c,
} from './support/notification-lab.ts';
import { discovery, rules, wrongKeys } from './support/rules.ts';

const positive = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

describe('the rules of receiving', () => {
  for (const { rule, says, given, sent, outcome } of rules) {
    it(`${rule}: ${says}`, () => {
      const lab = new NotificationLab(given);
      lab.clock.pass(1_000_000);
      for (const step of sent()) {
        if (typeof step === 'number') lab.clock.pass(1_000 * step);
        else if (Buffer.isBuffer(step)) lab.send(step, source);
        else lab.send(...(step as readonly [Buffer, string]));
        ok(lab.isBalanced);
      }
      const { accepted, discovery, collapsed, dropped, informs, reports } = lab.receiver.statistics();
      deepEqual(
        {
          recorded: lab.received.length,
          replies: lab.replies.length,
          acknowledged: informs.acknowledged,
          discovery,
          copies: collapsed.copy,
          dropped: positive(dropped),
          reports: positive(reports),
        },
        {
          recorded: 0,
          replies: 0,
          acknowledged: 0,
          discovery: 0,
          copies: 0,
          dropped: {},
          reports: {},
          ...outcome,
        },
      );
      deepEqual(accepted, lab.received.length);
    });
  }

  it('2.7: notInTimeWindows is signed, as the only Report', () => {
    const codec = new V3Codec();
    const keys = localizeUser(prepareUser(operator, new MasterKeys()), ownEngineId);
    const isSigned = (fields: V3Fields) => {
      const lab = new NotificationLab();
      lab.clock.pass(1_000_000);
      lab.send(securedInform(fields));
      const message = codec.read(lab.replies[0]!);
      ok(typeof message === 'object');
      return codec.checkMac(message, keys) === undefined;
    };
    ok(isSigned({ boots: 2 }));
    ok(isSigned({ time: 1_200 }));
    ok(!isSigned({ user: wrongKeys }));
    ok(!isSigned({ userName: Buffer.from('nobody') }));
  });

  it('2.8: a MAC has the length of its protocol and no other', () => {
    for (const authProtocol of namesOf(authProtocols)) {
      const user = { ...operator, authProtocol };
      const lab = new NotificationLab({ users: [{ key: 'ops', settings: user }] });
      lab.send(secured({ user }));
      deepEqual([lab.received.length, lab.drops], [1, {}], authProtocol);
      for (const other of namesOf(authProtocols).filter((each) => each !== authProtocol))
        lab.send(secured({ user: { ...user, authProtocol: other } }));
      deepEqual(
        [lab.received.length, lab.drops],
        [1, { digest: namesOf(authProtocols).length - 1 }],
        authProtocol,
      );
    }
  });

  it('2.12: a community that a relay has put into the varbinds is not passed on', () => {
    const lab = new NotificationLab();
    const community: Varbind = {
      oid: '1.3.6.1.6.3.18.1.4.0',
      type: 'OctetString',
      value: Buffer.from('hidden'),
    };
    lab.send(v2c('TrapV2', 1, 'public', [...linkDownVarbinds, community]));
    lab.send(v1({ varbinds: [community] }));
    lab.send(secured({ pdu: pduOf('TrapV2', 1, [...linkDownVarbinds, community]) }));
    deepEqual(
      lab.received.map(({ varbinds }) => varbinds.length),
      [1, 0, 1],
    );
  });

  it('4.6: Reports have fewer octets than what asked for them, and a discovery is answered with 128 at most', () => {
    const lab = new NotificationLab();
    let asked = 0;
    for (let index = 0; index < 500; index++) {
      const datagram = discovery();
      asked += datagram.length;
      lab.send(datagram, `192.0.2.${index % 250}`);
    }
    const answered = lab.replies.reduce((sum, { length }) => sum + length, 0);
    ok(lab.replies.length > 0 && answered <= asked, `${answered} octets for ${asked}`);
    ok(lab.replies.every(({ length }) => length <= 128));
  });

  it('4.6: a flood of anything that asks for a Report gets fewer octets than it brings, signed Reports included', () => {
    const lab = new NotificationLab({ limits: { sourcePerSecond: 1e6, sourceBurst: 1e6 } });
    lab.clock.pass(1_000_000);
    const kinds = [
      discovery(),
      securedInform({ userName: Buffer.from('nobody') }),
      securedInform({ user: wrongKeys }),
      securedInform({ boots: 2 }),
    ];
    let received = 0;
    for (let i = 0; i < 20_000; i++) {
      const datagram = kinds[i % kinds.length]!;
      received += datagram.length;
      lab.send(datagram, `192.0.2.${i % 251}`);
    }
    const sent = lab.replies.reduce((sum, { length }) => sum + length, 0);
    ok(lab.received.length === 0 && lab.replies.length > 0);
    ok(sent <= received, `${sent} octets for ${received}`);
  });
});
