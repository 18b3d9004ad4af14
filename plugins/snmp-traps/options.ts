import { severities } from '../../src/definitions/index.ts';
import { type Static, secretOption, Type } from '../../src/index.ts';
import { authProtocols, namesOf, privProtocols } from '../../src/model/index.ts';

const OneOf = <const Words extends readonly string[]>(words: Words, settings: object) =>
  Type.Union(
    words.map((word) => Type.Literal<Words[number]>(word)),
    settings,
  );

const Count = (minimum: number, value: number, description: string) =>
  Type.Integer({ minimum, default: value, description });

const listener = Type.Object({
  address: Type.Optional(Type.String({ description: 'an address of this host, or 0.0.0.0 or ::' })),
  port: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 65_535, description: 'the UDP port; 0: the system chooses one' }),
  ),
  socket: Type.Optional(
    Type.String({ minLength: 1, description: 'instead: the FileDescriptorName of a systemd socket unit' }),
  ),
});

const levels = ['noAuthNoPriv', 'authNoPriv', 'authPriv'] as const;

const network = Type.String({ description: 'a network such as 10.0.0.0/8, or an address' });

const sender = Type.Object({
  name: Type.String({ minLength: 1, description: 'its name for people' }),
  from: Type.Array(network, { minItems: 1, description: 'the networks that it holds for' }),
  versions: Type.Array(OneOf(['1', '2c', '3'], { description: 'an SNMP version' }), {
    default: ['2c', '3'],
    description: 'the SNMP versions that they may use',
  }),
  communities: Type.Array(secretOption({ description: 'a community' }), {
    default: [],
    description: 'the communities of SNMPv1 and v2c',
  }),
  users: Type.Optional(
    Type.Array(Type.String({ description: 'the username of an entry of users' }), {
      description: 'who may send with SNMPv3; all users by default',
    }),
  ),
  min_level: OneOf(levels, {
    default: 'noAuthNoPriv',
    description: 'the lowest security level; above noAuthNoPriv it refuses SNMPv1 and v2c',
  }),
});

const user = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 32, description: 'the USM user name' }),
  authentication_protocol: OneOf(['noauth', ...namesOf(authProtocols)], {
    default: 'noauth',
    description: 'how messages are authenticated',
  }),
  authentication_passphrase: Type.Optional(secretOption({ description: 'at least 8 characters' })),
  privacy_protocol: OneOf(['nopriv', ...namesOf(privProtocols)], {
    default: 'nopriv',
    description: 'how messages are encrypted; the c forms use the Reeder key extension',
  }),
  privacy_passphrase: Type.Optional(secretOption({ description: 'at least 8 characters' })),
  engine_ids: Type.Array(
    Type.String({ pattern: '^([0-9A-Fa-f]{2}){5,32}$', description: 'hexadecimal digits' }),
    { default: [], description: 'the engines that this user belongs to; empty: all engines' },
  ),
});

const severity = (settings: object) => OneOf(severities, settings);

const forward = Type.Object({
  name: Type.String({ minLength: 1, description: 'its name for people' }),
  to: Type.String({ description: 'an address and a port, such as 192.0.2.9:162 or [2001:db8::9]:162' }),
  as: OneOf(['1', '2c', '3', 'verbatim'], {
    default: '2c',
    description: 'the SNMP version; verbatim: the same octets, and informs as 2c',
  }),
  community: Type.Optional(secretOption({ description: 'for 1 and 2c, and for the informs of verbatim' })),
  user: Type.Optional(Type.String({ description: 'for 3: the username of an entry of users' })),
  inform: Type.Boolean({
    default: false,
    description: 'send informs, up to five times until they are answered',
  }),
  severity: severity({ default: 'debug', description: 'this severity and worse ones' }),
  names: Type.Array(Type.String({ description: 'a name; * is any text' }), {
    default: [],
    description: 'the notifications that are sent, such as IF-MIB::*; empty: all',
  }),
});

export const options = Type.Object({
  listen: Type.Array(listener, {
    minItems: 1,
    default: [{ address: '0.0.0.0', port: 162 }],
    description: 'where notifications are received',
  }),
  receive_buffer_bytes: Count(
    65_536,
    4_194_304,
    'what the system may hold for each listener while the collector is busy; net.core.rmem_max limits it',
  ),
  threads: Type.Integer({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: 'the threads that receive and check; 0: the main thread does it',
  }),
  devices: Type.Boolean({
    default: true,
    description: 'accept notifications of registered devices, with the credentials that they are polled with',
  }),
  relays: Type.Array(network, {
    default: [],
    description: 'relays: what they send is of the device whose address is in the notification',
  }),
  engine_id: Type.String({
    pattern: '^(([0-9A-Fa-f]{2}){5,32})?$',
    default: '',
    description: 'the SNMP engine ID of this receiver in hexadecimal; empty: a random one, which is kept',
  }),
  senders: Type.Array(sender, {
    default: [],
    description: 'who else may send; the first one whose networks contain the address counts',
  }),
  users: Type.Array(user, { default: [], description: 'SNMPv3 users beside those of the devices' }),
  engines: Type.Object(
    {
      learn: Type.Boolean({
        default: true,
        description: 'accept an unknown engine when the message is signed by a known user',
      }),
      new_per_second: Count(1, 200, 'attempts with unknown engines within a second'),
      max: Count(1, 10_000, 'engines that are remembered'),
    },
    { default: {}, description: 'the engines of SNMPv3 senders' },
  ),
  limits: Type.Object(
    {
      source_per_second: Count(1, 100, 'notifications of one address per second, after a burst'),
      source_burst: Count(1, 2_000, 'notifications that one address may send at once'),
      queued: Count(1, 100_000, 'notifications that wait for the pipeline'),
      source_replies_per_second: Count(1, 10, 'unsigned Reports to one address per second'),
      replies_per_second: Count(1, 500, 'unsigned Reports per second'),
    },
    { default: {}, description: 'limits that protect the collector' },
  ),
  informs: Type.Object(
    {
      acknowledge: OneOf(['accepted', 'synced'], {
        default: 'accepted',
        description:
          'when an inform is answered: when each output has it in its queue, or when the queues on the disk are also synced',
      }),
    },
    { default: {}, description: 'when informs are answered' },
  ),
  repeats: Type.Object(
    {
      within_s: Count(
        0,
        0,
        'seconds in which equal notifications about the same thing are one record, with one more at the end that counts them; 0: each is a record',
      ),
    },
    { default: {}, description: 'notifications that come again and again' },
  ),
  outputs: Type.Array(Type.String({ description: 'the name of an output' }), {
    default: [],
    description: 'the outputs that receive notifications; empty: all that take events',
  }),
  varbinds: OneOf(['none', 'unknown', 'all'], {
    default: 'unknown',
    description: 'which varbinds trap.varbinds lists: those that no definition has, all, or none',
  }),
  count_every_s: Count(0, 60, 'seconds between two records waywiser::trapCounts of each device; 0: none'),
  keep: Count(0, 1_000, 'the last notifications that the API shows'),
  events_per_second: Count(0, 200, 'the most trap.received events per second'),
  aim: Type.Object(
    {
      enabled: Type.Boolean({ default: true, description: 'poll what notifications name' }),
      delay_ms: Count(0, 1_000, 'time after the first notification, in which further ones join'),
      again_s: Count(0, 10, 'seconds after which it is polled once more; 0: never'),
      device_per_minute: Count(1, 30, 'the most such polls of one device per minute'),
      packets_per_second: Count(
        1,
        50,
        'the most packets per second to all devices, also of discoveries that notifications lead to',
      ),
      restart_s: Count(
        0,
        30,
        'seconds after a start of a device until it is discovered again, and up to as many more',
      ),
    },
    { default: {}, description: 'polls of what a notification names' },
  ),
  forward: Type.Array(forward, {
    default: [],
    description: 'other receivers that get a copy of every accepted notification',
  }),
  overrides: Type.Record(
    Type.String(),
    Type.Object({
      severity: Type.Optional(severity({ description: 'its severity, whatever its definition says' })),
      muted: Type.Optional(Type.Boolean({ description: 'true: it is counted, and not recorded' })),
      aim: Type.Optional(Type.Boolean({ description: 'false: nothing is polled because of it' })),
    }),
    { default: {}, description: 'what is different for single notifications, by the id of their definition' },
  ),
});

export type TrapOptions = Static<typeof options>;
