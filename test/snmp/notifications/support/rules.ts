import { parseNetwork } from '../../../../src/model/address-range.ts';
import type { ReceiverOptions, Varbind } from '../../../../src/snmp/index.ts';
import { messageFlag } from '../../../../src/snmp/usm/user/security-level.ts';
import {
  linkDownVarbinds,
  operator,
  ownEngineId,
  pduOf,
  secured,
  securedInform,
  v1,
  v2c,
  wrap,
} from './notification-lab.ts';

/** A datagram of the usual source, one of another source, or seconds that pass. */
type Step = Buffer | readonly [Buffer, string] | number;

/** What the receiver says afterwards. What is not named has not happened. */
interface Outcome {
  readonly recorded?: number;
  readonly replies?: number;
  readonly acknowledged?: number;
  readonly discovery?: number;
  readonly copies?: number;
  readonly dropped?: Readonly<Record<string, number>>;
  /** Reports, by reason. */
  readonly reports?: Readonly<Record<string, number>>;
}

interface Rule {
  readonly rule: string;
  readonly says: string;
  readonly given?: Partial<ReceiverOptions>;
  readonly sent: () => readonly Step[];
  readonly outcome: Outcome;
}

const { reportable, auth, priv } = messageFlag;
const signedFlags = auth | priv | reportable;
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
export const wrongKeys = { ...operator, authPassphrase: 'another-passphrase' };
const plain = { name: 'plain' };
const plainUser = { users: [{ key: 'plain', settings: plain }] };
const from = [parseNetwork('192.0.2.0/24')!];
const all = ['1', '2c', '3'] as const;
const without = (oid: string): readonly Varbind[] =>
  linkDownVarbinds.filter((each) => !each.oid.startsWith(oid));
const engineOf = (index: number) => Buffer.from([128, 0, 0, 1, 5, index >> 8, index & 255]);
export const discovery = (engineId = Buffer.alloc(0)) =>
  secured({
    engineId,
    boots: 0,
    time: 0,
    flags: reportable,
    userName: Buffer.alloc(0),
    keys: {},
    pdu: pduOf('GetRequest', 1, []),
  });
const namesakes = times(5, (index) => ({
  key: `user${index}`,
  settings: { ...operator, authPassphrase: `passphrase number ${index}` },
}));
const signedBy = (index: number) => secured({ user: namesakes[index]!.settings });
const flip = (datagram: Buffer, at: number) => {
  const copy = Buffer.from(datagram);
  copy[copy.length + at]! ^= 1;
  return copy;
};

export const rules: readonly Rule[] = [
  {
    rule: '2.1',
    says: 'each datagram ends in exactly one place',
    sent: () => [
      v2c(),
      v2c(),
      discovery(),
      v2c('TrapV2', 1, 'wrong'),
      v2c('GetRequest'),
      Buffer.of(0x30),
      [v2c(), '10.0.0.1'],
    ],
    outcome: {
      recorded: 1,
      copies: 1,
      discovery: 1,
      replies: 1,
      reports: { unknownEngineIDs: 1 },
      dropped: { community: 1, pdu: 1, malformed: 1, source: 1 },
    },
  },
  {
    rule: '2.2',
    says: 'of SNMPv1, generic-trap 0 to 6 and no other',
    sent: () => [...times(7, (generic) => v1({ generic })), v1({ generic: 7 }), v1({ generic: -1 })],
    outcome: { recorded: 7, dropped: { malformed: 2 } },
  },
  {
    rule: '2.3',
    says: 'SNMPv2 may leave out sysUpTime.0, but not snmpTrapOID.0',
    sent: () => [
      v2c('TrapV2', 1, 'public', without('1.3.6.1.2.1.1.3')),
      v2c('TrapV2', 1, 'public', without('1.3.6.1.6.3')),
    ],
    outcome: { recorded: 1, dropped: { malformed: 1 } },
  },
  {
    rule: '2.3',
    says: 'no PDU of another version, and none that is no notification',
    sent: () => [
      wrap(pduOf(), 0),
      wrap(v1().subarray(13), 1),
      v2c('SetRequest'),
      v2c('Response'),
      secured({ pdu: pduOf('Report') }),
    ],
    outcome: { dropped: { pdu: 5 } },
  },
  {
    rule: '2.4',
    says: 'an inform is answered, a trap never',
    sent: () => [v2c('InformRequest'), securedInform(), v2c(), secured(), secured({ flags: signedFlags })],
    outcome: { recorded: 5, acknowledged: 2, replies: 2 },
  },
  {
    rule: '2.5',
    says: 'an inform that comes again is answered again and kept once, for 60 s',
    sent: () => [
      ...times(3, () => v2c('InformRequest')),
      ...times(3, () => securedInform()),
      60,
      v2c('InformRequest'),
    ],
    outcome: { recorded: 3, acknowledged: 3, replies: 7, copies: 4 },
  },
  {
    rule: '2.6',
    says: 'informs are refused when the boots of the own engine have reached their end',
    given: { engine: { id: ownEngineId, boots: 0x7fff_ffff } },
    sent: () => [securedInform({ boots: 0x7fff_ffff })],
    outcome: { dropped: { time: 1 }, replies: 1, reports: { notInTimeWindows: 1 } },
  },
  {
    rule: '2.7',
    says: 'a Report tells the sender of a reportable message why',
    sent: () => [
      discovery(),
      discovery(Buffer.from('80001f8804ff', 'hex')),
      securedInform({ boots: 2 }),
      securedInform({ time: 1_200 }),
      securedInform({ userName: Buffer.from('nobody') }),
      securedInform({ user: { name: 'operator' }, flags: reportable }),
      securedInform({ user: wrongKeys }),
      securedInform({ user: { ...operator, privPassphrase: 'another-passphrase' } }),
    ],
    outcome: {
      discovery: 2,
      replies: 8,
      dropped: { time: 2, user: 1, level: 1, digest: 1, decryption: 1 },
      reports: {
        unknownEngineIDs: 2,
        notInTimeWindows: 2,
        unknownUserNames: 1,
        unsupportedSecLevels: 1,
        wrongDigests: 1,
        decryptionErrors: 1,
      },
    },
  },
  {
    rule: '2.7',
    says: 'a message that is not reportable gets no Report',
    sent: () => [
      securedInform({ boots: 2, flags: auth | priv }),
      securedInform({ userName: Buffer.from('nobody'), flags: auth | priv }),
      securedInform({ user: wrongKeys, flags: auth | priv }),
      secured({ user: wrongKeys }),
      secured({ userName: Buffer.from('nobody') }),
    ],
    outcome: { dropped: { time: 1, user: 2, digest: 2 } },
  },
  {
    rule: '2.8',
    says: 'the level is that of the user: not lower, and not higher',
    given: { users: [{ key: 'ops', settings: operator }, ...plainUser.users] },
    sent: () => [
      secured({ user: { name: 'operator' } }),
      secured({ user: { ...operator, privProtocol: undefined, privPassphrase: undefined } as never }),
      secured({ user: { ...operator, name: 'plain' } }),
      secured({ flags: priv }),
    ],
    outcome: { dropped: { level: 3, malformed: 1 } },
  },
  {
    rule: '2.8',
    says: 'the MAC comes before the time, and the time before decryption',
    sent: () => [
      secured(),
      secured({ boots: 4, user: wrongKeys }),
      secured({ boots: 4, user: { ...operator, privPassphrase: 'another-passphrase' } }),
      secured({ user: { ...operator, privPassphrase: 'another-passphrase' } }),
    ],
    outcome: { recorded: 1, dropped: { digest: 1, time: 1, decryption: 1 } },
  },
  {
    rule: '2.8',
    says: 'of users with one name, the first four are tried',
    given: { users: namesakes },
    sent: () => times(5, signedBy),
    outcome: { recorded: 4, dropped: { digest: 1 } },
  },
  {
    rule: '2.9',
    says: 'an engine is learned from a right MAC only, ten tries per second and source',
    sent: () => [
      ...times(15, (index) => secured({ user: wrongKeys, engineId: engineOf(index) })),
      1,
      secured(),
    ],
    outcome: { recorded: 1, dropped: { digest: 10, engine_rate: 5 } },
  },
  {
    rule: '2.9',
    says: 'all sources together try as many engines as new_per_second says',
    given: { engines: { newPerSecond: 3 } },
    sent: () =>
      times(5, (index) => [secured({ engineId: engineOf(index) }), `192.0.2.${index + 1}`] as const),
    outcome: { recorded: 3, dropped: { engine_rate: 2 } },
  },
  {
    rule: '2.9',
    says: 'lower boots are refused, from whatever source: an engine has one clock',
    sent: () => [
      secured(),
      secured({ boots: 4 }),
      [secured({ boots: 4 }), '192.0.2.2'],
      secured({ boots: 6, time: 0 }),
      secured(),
    ],
    outcome: { recorded: 2, dropped: { time: 3 } },
  },
  {
    rule: '2.10',
    says: 'nobody but the first sender that fits and the devices may send',
    given: {
      rights: {
        senders: [
          { name: 'one', from: [parseNetwork('192.0.2.1/32')!], versions: ['2c'], communities: ['one'] },
          { name: 'all', from, versions: all, communities: ['all'] },
        ],
        devices: new Map([['192.0.2.3', { versions: ['2c'] as const, communities: ['device'], users: [] }]]),
      },
    },
    sent: () => [
      v2c('TrapV2', 1, 'one'),
      v2c('TrapV2', 1, 'all'),
      v1({}, 'one'),
      [v2c('TrapV2', 1, 'all'), '192.0.2.2'],
      [v2c('TrapV2', 1, 'device'), '192.0.2.3'],
      [v2c('TrapV2', 1, 'device'), '192.0.2.4'],
      [v2c('TrapV2', 1, 'all'), '192.0.3.1'],
    ],
    outcome: { recorded: 3, dropped: { community: 2, version: 1, source: 1 } },
  },
  {
    rule: '2.10',
    says: 'min_level above noAuthNoPriv refuses communities and unsigned users',
    given: {
      ...plainUser,
      rights: {
        senders: [{ name: 'strict', from, versions: all, communities: ['public'], minLevel: 'authNoPriv' }],
      },
    },
    sent: () => [v1(), v2c(), v2c('InformRequest'), secured({ user: plain })],
    outcome: { dropped: { level: 4 } },
  },
  {
    rule: '2.12',
    says: 'the addresses of one IPv6 /64 share their limits',
    given: { limits: { sourcePerSecond: 1, sourceBurst: 3 } },
    sent: () => [
      ...times(5, (index) => [v2c(), `2001:db8::${index + 1}`] as const),
      [v2c(), '2001:db8:0:1::1'],
    ],
    outcome: { recorded: 4, dropped: { rate: 2 } },
  },
  {
    rule: '4.1',
    says: 'the source and its limit come before everything else',
    given: { limits: { sourcePerSecond: 1, sourceBurst: 2 } },
    sent: () => [
      Buffer.alloc(0),
      secured({ user: wrongKeys }),
      ...times(5, () => secured()),
      [Buffer.alloc(0), '10.0.0.1'],
    ],
    outcome: { dropped: { malformed: 1, digest: 1, rate: 5, source: 1 } },
  },
  {
    rule: '4.4',
    says: 'the same octets are a copy for 10 s, signed ones for 150 s, and only of what was allowed',
    sent: () => {
      const [trap, signed] = [v2c(), secured()];
      return [
        [trap, '10.0.0.1'],
        trap,
        trap,
        signed,
        signed,
        flip(signed, -1),
        11,
        trap,
        signed,
        130,
        signed,
      ];
    },
    outcome: { recorded: 3, copies: 4, dropped: { source: 1, digest: 1 } },
  },
  {
    rule: '4.5',
    says: 'forgeries with invented engines leave none',
    given: { limits: { sourcePerSecond: 1e6, sourceBurst: 1e6 } },
    sent: () => times(2_000, (index) => secured({ user: wrongKeys, engineId: engineOf(index) })),
    outcome: { dropped: { digest: 10, engine_rate: 1_990 } },
  },
  {
    rule: '4.6',
    says: 'unsigned Reports are ten per second and source, and have a limit for all sources together',
    given: { limits: { repliesPerSecond: 15 } },
    sent: () => [...times(12, () => discovery()), ...times(12, () => [discovery(), '192.0.2.2'] as const)],
    outcome: { discovery: 24, replies: 15, reports: { unknownEngineIDs: 15 } },
  },
];
