import { messageFlag } from '../../../src/snmp/usm/message/security-level.ts';
import {
  NotificationLab,
  ownEngineId,
  pduOf,
  secured,
  securedInform,
  v1,
  v2c,
} from '../notifications/support/notification-lab.ts';

/** Every kind of notification, into a receiver that counts each datagram in exactly one place. */
export function notificationSeeds() {
  const lab = new NotificationLab({ limits: { sourcePerSecond: 1e9, sourceBurst: 1e9 }, send: () => {} });
  lab.clock.pass(1_000_000);
  const decode = (datagram: Buffer) => {
    lab.clock.pass(0.001);
    lab.send(datagram);
    lab.received.length = 0;
    if (!lab.isBalanced) throw new Error('A datagram was counted twice, or not at all.');
  };
  const inform = pduOf('InformRequest', 99);
  return [
    {
      name: 'v1 trap',
      octets: v1({ varbinds: [{ oid: '1.3.6.1.4.1.32473.1', type: 'Counter32', value: 1 }] }),
      decode,
    },
    { name: 'v2c trap', octets: v2c(), decode },
    { name: 'v2c inform', octets: v2c('InformRequest', 123456), decode },
    { name: 'v3 trap', octets: secured(), decode },
    { name: 'v3 inform', octets: securedInform(), decode },
    {
      name: 'v3 discovery',
      octets: secured({ engineId: Buffer.alloc(0), flags: messageFlag.reportable, keys: {} }),
      decode,
    },
    // After authentication and decryption: what a sender with the keys can send.
    { name: 'v3 trap after decryption', octets: pduOf(), decode: (pdu: Buffer) => decode(secured({ pdu })) },
    {
      name: 'v3 inform after decryption',
      octets: inform,
      decode: (pdu: Buffer) => decode(securedInform({ pdu, engineId: ownEngineId })),
    },
  ];
}
