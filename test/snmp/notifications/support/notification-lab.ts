import { parseNetwork } from '../../../../src/model/address-range.ts';
import { berTag } from '../../../../src/snmp/codec/ber-tag.ts';
import { BerWriter } from '../../../../src/snmp/codec/ber-writer.ts';
import { CommunityCodec } from '../../../../src/snmp/codec/community-message.ts';
import type { PduType } from '../../../../src/snmp/codec/pdu.ts';
import { writePdu } from '../../../../src/snmp/codec/pdu.ts';
import type { Varbind } from '../../../../src/snmp/codec/snmp-value.ts';
import {
  type Notification,
  NotificationReceiver,
  type ReceiverOptions,
  type Verdict,
} from '../../../../src/snmp/index.ts';
import { writeTrapV1 } from '../../../../src/snmp/notifications/trap-v1-pdu.ts';
import { type OutgoingMessage, V3Codec } from '../../../../src/snmp/usm/message/v3-codec.ts';
import { MasterKeys } from '../../../../src/snmp/usm/user/master-keys.ts';
import { messageFlag } from '../../../../src/snmp/usm/user/security-level.ts';
import { localizeUser, prepareUser } from '../../../../src/snmp/usm/user/security-user.ts';
import type { UserSettings } from '../../../../src/snmp/usm/user/user-settings.ts';
import { SimulatedClock } from '../../../support/simulated-clock.ts';

export const operator: UserSettings = {
  name: 'operator',
  authProtocol: 'sha256',
  authPassphrase: 'maplesyrup-auth',
  privProtocol: 'aes',
  privPassphrase: 'maplesyrup-priv',
};
export const ownEngineId = Buffer.from('80007ed905aabbccddeeff0011', 'hex');
export const senderEngineId = Buffer.from('80001f880473776974636831', 'hex');
export const source = '192.0.2.1';

export const linkDown = '1.3.6.1.6.3.1.1.5.3';
export const linkDownVarbinds: readonly Varbind[] = [
  { oid: '1.3.6.1.2.1.1.3.0', type: 'TimeTicks', value: 47_110 },
  { oid: '1.3.6.1.6.3.1.1.4.1.0', type: 'ObjectIdentifier', value: linkDown },
  { oid: '1.3.6.1.2.1.2.2.1.1.7', type: 'Integer32', value: 7 },
];

const masterKeys = new MasterKeys();
const communities = new CommunityCodec();
const v3 = new V3Codec();
let salt = 0;

/** Sends from one network with a community and a user, on a clock that the test moves. */
export class NotificationLab {
  readonly clock = new SimulatedClock();
  readonly received: Notification[] = [];
  readonly replies: Buffer[] = [];
  readonly receiver: NotificationReceiver;
  verdict: Verdict | 'later' = 'accepted';

  constructor(options: Partial<ReceiverOptions> = {}) {
    this.receiver = new NotificationReceiver({
      rights: {
        senders: [
          {
            name: 'campus',
            from: [parseNetwork('192.0.2.0/24')!, parseNetwork('2001:db8::/32')!],
            versions: ['1', '2c', '3'],
            communities: ['public'],
          },
        ],
      },
      users: [{ key: 'ops', settings: operator }],
      engine: { id: ownEngineId, boots: 3 },
      clock: this.clock,
      onNotification: (notification) => {
        this.received.push(notification);
        return this.verdict;
      },
      send: (reply) => this.replies.push(reply),
      ...options,
    });
  }

  send(datagram: Buffer, from = source): void {
    this.receiver.receive(datagram, from, 50_123);
  }

  /** received = accepted + discovery + collapsed + dropped + queued. */
  get isBalanced(): boolean {
    const { received, accepted, discovery, collapsed, dropped, queued } = this.receiver.statistics();
    const sum = (counts: Readonly<Record<string, number>>) =>
      Object.values(counts).reduce((a, b) => a + b, 0);
    return received === accepted + discovery + sum(collapsed) + sum(dropped) + queued;
  }

  /** The causes of drops that were counted, with their numbers. */
  get drops(): Record<string, number> {
    const { dropped } = this.receiver.statistics();
    return Object.fromEntries(Object.entries(dropped).filter(([, count]) => count > 0));
  }
}

export function pduOf(
  type: PduType = 'TrapV2',
  requestId = 1,
  varbinds: readonly Varbind[] = linkDownVarbinds,
): Buffer {
  const writer = new BerWriter();
  writePdu(writer, { type, requestId, errorStatus: 0, errorIndex: 0, varbinds });
  return writer.toBuffer();
}

/** A message of SNMPv2c. */
export function v2c(
  type: PduType = 'TrapV2',
  requestId = 1,
  community = 'public',
  varbinds = linkDownVarbinds,
): Buffer {
  const pdu = { type, requestId, errorStatus: 0, errorIndex: 0, varbinds };
  return communities.encode({ version: '2c', community: Buffer.from(community), pdu });
}

/** A message around any PDU. */
export function wrap(pdu: Buffer, version = 1, community = 'public'): Buffer {
  const writer = new BerWriter();
  writer.raw(pdu);
  writer.octets(berTag.octetString, Buffer.from(community));
  writer.integer(version);
  writer.header(berTag.sequence, 0);
  return writer.toBuffer();
}

export function v1(fields: Partial<Parameters<typeof writeTrapV1>[1]> = {}, community = 'public'): Buffer {
  const writer = new BerWriter();
  const defaults = { enterprise: '1.3.6.1.4.1.32473.7', agentAddress: '0.0.0.0', generic: 6, specific: 4 };
  writeTrapV1(writer, { ...defaults, uptime: 99, varbinds: [], ...fields });
  return wrap(writer.toBuffer(), 0, community);
}

export interface V3Fields extends Partial<OutgoingMessage> {
  readonly user?: UserSettings;
  /** The engine whose keys sign; `engineId` by default. */
  readonly keyEngineId?: Buffer;
}

/** A signed and encrypted trap of the sender's engine, with the fields that the test changes. */
export function secured({ user = operator, keyEngineId, ...fields }: V3Fields = {}): Buffer {
  const engineId = fields.engineId ?? senderEngineId;
  const prepared = prepareUser(user, masterKeys);
  const octets = Buffer.alloc(8);
  octets.writeUInt32BE(++salt, 4);
  return v3.seal({
    messageId: 4711,
    flags: prepared.level,
    engineId,
    boots: 5,
    time: 1_000,
    userName: prepared.name,
    keys: localizeUser(prepared, keyEngineId ?? engineId),
    salt: octets,
    contextEngineId: engineId,
    contextName: Buffer.alloc(0),
    pdu: pduOf(),
    ...fields,
  });
}

/** An inform to our engine. */
export function securedInform(fields: V3Fields = {}, requestId = 1): Buffer {
  return secured({
    engineId: ownEngineId,
    boots: 3,
    time: 1_000,
    flags: messageFlag.auth | messageFlag.priv | messageFlag.reportable,
    pdu: pduOf('InformRequest', requestId),
    ...fields,
  });
}
