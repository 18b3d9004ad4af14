import { BerReader } from '../../../src/snmp/codec/ber-reader.ts';
import { berTag } from '../../../src/snmp/codec/ber-tag.ts';
import { CommunityCodec } from '../../../src/snmp/codec/community-message.ts';
import { newDecodeTally } from '../../../src/snmp/codec/decode-fault.ts';
import { OidTextCache } from '../../../src/snmp/codec/oid-text-cache.ts';
import type { Varbind } from '../../../src/snmp/codec/snmp-value.ts';
import { OidRanges, readVarbinds } from '../../../src/snmp/codec/varbind-codec.ts';
import { compileGet } from '../../../src/snmp/compiled/compile.ts';
import { createPollColumns } from '../../../src/snmp/compiled/poll-columns.ts';
import { ReplyDecoder } from '../../../src/snmp/compiled/reply-decoder.ts';
import { Envelope } from '../../../src/snmp/transport/envelope.ts';
import { SaltSource } from '../../../src/snmp/usm/crypto/salt-source.ts';
import { AuthoritativeEngine } from '../../../src/snmp/usm/engine/authoritative-engine.ts';
import { EngineTable } from '../../../src/snmp/usm/engine/engine-table.ts';
import { SecurityPeer } from '../../../src/snmp/usm/manager/security-peer.ts';
import { UserSecurity } from '../../../src/snmp/usm/manager/user-security.ts';
import { V3Codec } from '../../../src/snmp/usm/message/v3-codec.ts';
import { MasterKeys } from '../../../src/snmp/usm/user/master-keys.ts';
import { messageFlag } from '../../../src/snmp/usm/user/security-level.ts';
import { localizeUser, prepareUser } from '../../../src/snmp/usm/user/security-user.ts';
import { notificationSeeds } from './notification-seeds.ts';

export interface Seed {
  readonly name: string;
  readonly octets: Buffer;
  decode(mutated: Buffer): void;
}

const engineId = Buffer.from('80001f8804667577a7', 'hex');
const values: readonly Varbind[] = [
  { oid: '1.3.6.1.2.1.1.1.0', type: 'OctetString', value: Buffer.from('Bench OS 1.0') },
  { oid: '1.3.6.1.2.1.1.2.0', type: 'ObjectIdentifier', value: '1.3.6.1.4.1.4294967295.1' },
  { oid: '1.3.6.1.2.1.1.3.0', type: 'TimeTicks', value: 4294967295 },
  { oid: '1.3.6.1.2.1.2.2.1.8.1', type: 'Integer32', value: -2147483648 },
  { oid: '1.3.6.1.2.1.2.2.1.10.1', type: 'Counter32', value: 1 },
  { oid: '1.3.6.1.2.1.2.2.1.5.1', type: 'Gauge32', value: 1000000000 },
  { oid: '1.3.6.1.2.1.31.1.1.1.6.1', type: 'Counter64', value: 18446744073709551615n },
  { oid: '1.3.6.1.2.1.4.20.1.1.1', type: 'IpAddress', value: '127.0.0.1' },
  { oid: '1.3.6.1.4.1.2021.10.1.6.1', type: 'OpaqueFloat', value: 0.5 },
  { oid: '1.3.6.1.4.1.2021.10.1.6.2', type: 'OpaqueDouble', value: 0.25 },
  { oid: '1.3.6.1.4.1.2021.10.1.6.3', type: 'OpaqueInt64', value: -1n },
  { oid: '1.3.6.1.4.1.2021.10.1.6.4', type: 'Opaque', value: Buffer.from('0102', 'hex') },
  { oid: '1.3.6.1.4.1.9.1', type: 'NsapAddress', value: Buffer.alloc(5) },
  { oid: '1.3.6.1.4.1.9.2', type: 'UInteger32', value: 7 },
  { oid: '1.3.6.1.4.1.9.3', type: 'Null', value: null },
  { oid: '1.3.6.1.4.1.9.4', type: 'noSuchObject', value: null },
  { oid: '1.3.6.1.4.1.9.5', type: 'noSuchInstance', value: null },
  { oid: '1.3.6.1.4.1.9.6', type: 'endOfMibView', value: null },
];

/** Every kind of message, with every way to decode it. */
export function createSeeds(): readonly Seed[] {
  return [...communitySeeds(), ...securedSeeds(), ...notificationSeeds()];
}

function communitySeeds(): Seed[] {
  const codec = new CommunityCodec();
  const bodies = new BodyDecoder();
  const envelope = new Envelope(newDecodeTally());
  const decode = (mutated: Buffer) => {
    codec.decode(mutated);
    if (envelope.read(mutated) === undefined && envelope.version !== 3) bodies.decode(mutated, envelope);
  };
  const types = [
    'GetRequest',
    'GetNextRequest',
    'GetBulkRequest',
    'Response',
    'TrapV2',
    'InformRequest',
    'Report',
  ] as const;
  return types.flatMap((type) =>
    (['1', '2c'] as const).map((version) => ({
      name: `${type} v${version}`,
      octets: codec.encode({
        version,
        community: Buffer.from('public'),
        pdu: { type, requestId: 123456789, errorStatus: 0, errorIndex: 0, varbinds: values },
      }),
      decode,
    })),
  );
}

function securedSeeds(): Seed[] {
  const user = prepareUser(
    {
      name: 'fuzz',
      authProtocol: 'sha256',
      authPassphrase: 'maplesyrup',
      privProtocol: 'aes',
      privPassphrase: 'maplesyrup',
    },
    new MasterKeys(),
  );
  const keys = localizeUser(user, engineId);
  const [v3, security] = [new V3Codec(), new UserSecurity(new SaltSource(Buffer.alloc(8)))];
  const agent = new AuthoritativeEngine({
    engineId,
    users: [user],
    salts: new SaltSource(Buffer.alloc(8)),
    clock: () => ({ boots: 1, time: 100 }),
  });
  const table = new EngineTable();
  table.restoreState(
    [{ address: 'fuzz', engineId: engineId.toString('hex'), boots: 1, startedAtMs: 0 }],
    0,
    100_000,
  );
  const peer = new SecurityPeer({ address: 'fuzz', user }, table);
  const envelope = new Envelope(newDecodeTally());
  const bodies = new BodyDecoder();
  const seal = (flags: number, pdu: Buffer) =>
    v3.seal({
      messageId: 123456789,
      flags,
      engineId,
      boots: 1,
      time: 100,
      userName: user.name,
      keys: flags === 0 ? {} : keys,
      salt: Buffer.alloc(8, 1),
      contextEngineId: engineId,
      contextName: Buffer.alloc(0),
      pdu,
    });
  const open = (datagram: Buffer) => {
    if (envelope.read(datagram) !== undefined || envelope.version !== 3) return;
    const message = security.read(datagram);
    if (typeof message === 'string') return;
    const opened = security.open(peer, message, 0);
    if (typeof opened === 'string' || opened.kind === 'report') return;
    if (envelope.readPdu(opened.octets, opened.start, opened.end) === undefined)
      bodies.decode(opened.octets, envelope);
  };
  const both = (datagram: Buffer) => {
    open(datagram);
    agent.receive(datagram);
  };
  const pduOf = (name: string) => responsePdus.find(([type]) => type === name)![1];
  const authPriv = messageFlag.auth | messageFlag.priv;
  return [
    { name: 'v3 in the clear', octets: seal(0, pduOf('Response')), decode: both },
    { name: 'v3 Report in the clear', octets: seal(0, pduOf('Report')), decode: both },
    { name: 'v3 authNoPriv', octets: seal(messageFlag.auth, pduOf('Response')), decode: both },
    { name: 'v3 authPriv', octets: seal(authPriv, pduOf('Response')), decode: both },
    // After authentication and decryption: what a device with the keys can send.
    { name: 'v3 after decryption', octets: pduOf('Response'), decode: (pdu) => open(seal(authPriv, pdu)) },
    {
      name: 'v3 Report after decryption',
      octets: pduOf('Report'),
      decode: (pdu) => open(seal(authPriv, pdu)),
    },
  ];
}

/** PDUs from community messages, without their headers. */
const responsePdus = (['Response', 'Report'] as const).map((type) => {
  const message = new CommunityCodec().encode({
    version: '2c',
    community: Buffer.alloc(0),
    pdu: { type, requestId: 123456789, errorStatus: 0, errorIndex: 0, varbinds: values },
  });
  const reader = new BerReader().open(message);
  reader.enter(berTag.sequence);
  reader.readInteger(berTag.integer);
  reader.readOctets(berTag.octetString);
  return [type, Buffer.from(message.subarray(reader.position))] as const;
});

/** The body of a PDU, decoded into varbinds and into columns. */
class BodyDecoder {
  readonly #reader = new BerReader();
  readonly #texts = new OidTextCache();
  readonly #ranges = new OidRanges();
  readonly #decoder = new ReplyDecoder();
  readonly #columns = createPollColumns(values.length);
  readonly #request = compileGet({
    dialect: { version: '2c', community: 'public' },
    oids: values.map((varbind) => varbind.oid),
    firstSlot: 0,
  });

  decode(octets: Buffer, { pduBody, pduEnd }: Envelope): void {
    const reader = this.#reader.open(octets, pduBody, pduEnd);
    reader.readInteger(berTag.integer);
    reader.readInteger(berTag.integer);
    readVarbinds(reader, this.#texts, this.#ranges);
    this.#decoder.decode(octets, pduBody, pduEnd, this.#request, 0, values.length, this.#columns);
  }
}
