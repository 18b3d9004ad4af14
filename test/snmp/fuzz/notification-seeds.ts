import type { Notification, Varbind } from '../../../src/snmp/index.ts';
import { messageFlag } from '../../../src/snmp/usm/user/security-level.ts';
import {
  linkDownVarbinds,
  NotificationLab,
  ownEngineId,
  pduOf,
  secured,
  securedInform,
  v1,
  v2c,
} from '../notifications/support/notification-lab.ts';

/** Columns that polls decode too: texts, addresses, enumerations, counters and dates. */
const manyTypes: readonly Varbind[] = [
  { oid: '1.3.6.1.2.1.2.2.1.2.7', type: 'OctetString', value: Buffer.from('Gi0/7') },
  { oid: '1.3.6.1.2.1.2.2.1.8.7', type: 'Integer32', value: 2 },
  { oid: '1.3.6.1.2.1.2.2.1.6.7', type: 'OctetString', value: Buffer.alloc(6, 2) },
  { oid: '1.3.6.1.2.1.31.1.1.1.6.7', type: 'Counter64', value: 2n ** 60n },
  { oid: '1.3.6.1.2.1.15.3.1.7.192.0.2.1', type: 'IpAddress', value: '192.0.2.1' },
  { oid: '1.3.6.1.2.1.25.1.2.0', type: 'OctetString', value: Buffer.from('07e8010100000000', 'hex') },
  { oid: '1.3.6.1.2.1.88.2.1.4.0', type: 'ObjectIdentifier', value: '1.3.6.1.2.1.2.2.1.10.7' },
  { oid: '1.3.6.1.4.1.32473.9.9.0', type: 'Opaque', value: Buffer.from('0102', 'hex') },
];

/** Every kind of notification, into a receiver that counts each datagram in exactly one place, and to `take` when it is accepted. */
export function notificationSeeds(take: (notification: Notification) => void = () => {}) {
  const lab = new NotificationLab({ limits: { sourcePerSecond: 1e9, sourceBurst: 1e9 }, send: () => {} });
  lab.clock.pass(1_000_000);
  const decode = (datagram: Buffer) => {
    lab.clock.pass(0.001);
    lab.send(datagram);
    for (const notification of lab.received) take(notification);
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
    {
      name: 'v2c trap with many types',
      octets: v2c('TrapV2', 7, 'public', [...linkDownVarbinds, ...manyTypes]),
      decode,
    },
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
