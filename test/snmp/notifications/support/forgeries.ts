import { messageFlag } from '../../../../src/snmp/usm/user/security-level.ts';
import type { UserSettings } from '../../../../src/snmp/usm/user/user-settings.ts';
import {
  securedInform as informOf,
  linkDownVarbinds,
  operator,
  ownEngineId,
  pduOf,
  secured,
  senderEngineId,
  type V3Fields,
  v1,
  v2c,
  wrap,
} from './notification-lab.ts';

export interface Forgery {
  readonly name: string;
  readonly datagram: Buffer;
  readonly cause: string;
  readonly from?: string;
}

const reportable = messageFlag.reportable;
const authPriv = messageFlag.auth | messageFlag.priv;
const plain: UserSettings = { name: 'operator' };
const authOnly: UserSettings = {
  name: 'operator',
  authProtocol: 'sha256',
  authPassphrase: 'maplesyrup-auth',
};
const noOid = linkDownVarbinds.filter(({ oid }) => !oid.startsWith('1.3.6.1.6.3'));
const wrongOid = linkDownVarbinds.map((varbind) =>
  varbind.type === 'ObjectIdentifier'
    ? { ...varbind, type: 'OctetString' as const, value: Buffer.from('x') }
    : varbind,
);

function flip(datagram: Buffer, at: number): Buffer {
  const copy = Buffer.from(datagram);
  copy[at < 0 ? copy.length + at : at]! ^= 1;
  return copy;
}

/**
 * Each is refused alone: the receiver has accepted one message of this engine before, and its own clock shows `ownTime` seconds.
 */
export function* forge(ownTime: number): Iterable<Forgery> {
  const securedInform = (fields: V3Fields) => informOf({ time: ownTime, ...fields });
  for (const community of [
    '',
    'p',
    'publi',
    'public2',
    'Public',
    'private',
    'public\0',
    ' public',
    'x'.repeat(400),
  ]) {
    yield {
      name: `community ${JSON.stringify(community)}`,
      datagram: v2c('TrapV2', 1, community),
      cause: 'community',
    };
    yield {
      name: `community ${JSON.stringify(community)} of an inform`,
      datagram: v2c('InformRequest', 1, community),
      cause: 'community',
    };
    yield {
      name: `community ${JSON.stringify(community)} in v1`,
      datagram: v1({}, community),
      cause: 'community',
    };
  }
  for (const from of ['198.51.100.1', '192.0.3.1', '10.0.0.1', '2001:db9::1', 'fe80::1%eth0', '::1']) {
    yield { name: `a trap from ${from}`, datagram: v2c(), cause: 'source', from };
    yield { name: `an inform from ${from}`, datagram: v2c('InformRequest'), cause: 'source', from };
    yield { name: `a signed trap from ${from}`, datagram: secured(), cause: 'source', from };
  }
  for (const type of [
    'GetRequest',
    'GetNextRequest',
    'GetBulkRequest',
    'SetRequest',
    'Response',
    'Report',
  ] as const) {
    yield { name: `a ${type} in v2c`, datagram: v2c(type), cause: 'pdu' };
    yield { name: `a signed ${type}`, datagram: secured({ pdu: pduOf(type) }), cause: 'pdu' };
    yield {
      name: `a signed ${type} to our engine`,
      datagram: securedInform({ pdu: pduOf(type) }),
      cause: 'pdu',
    };
  }
  yield { name: 'a v2 trap in v1', datagram: wrap(pduOf(), 0), cause: 'pdu' };
  yield { name: 'an inform in v1', datagram: wrap(pduOf('InformRequest'), 0), cause: 'pdu' };
  yield { name: 'a v1 trap in v2c', datagram: wrap(v1().subarray(13), 1), cause: 'pdu' };
  yield { name: 'a trap of our engine', datagram: securedInform({ pdu: pduOf('TrapV2') }), cause: 'pdu' };
  yield {
    name: 'an inform of the sender’s engine',
    datagram: secured({ pdu: pduOf('InformRequest') }),
    cause: 'pdu',
  };
  for (const version of [2, 4, 7, 255, -1])
    yield { name: `version ${version}`, datagram: wrap(pduOf(), version), cause: 'version' };
  for (const generic of [-1, 7, 100])
    yield { name: `generic-trap ${generic}`, datagram: v1({ generic }), cause: 'malformed' };
  yield {
    name: 'a v1 trap with half an address',
    datagram: v1({ agentAddress: '10.0' }),
    cause: 'malformed',
  };
  yield { name: 'no snmpTrapOID', datagram: v2c('TrapV2', 1, 'public', noOid), cause: 'malformed' };
  yield {
    name: 'a snmpTrapOID of another type',
    datagram: v2c('TrapV2', 1, 'public', wrongOid),
    cause: 'malformed',
  };
  yield {
    name: 'a signed trap without snmpTrapOID',
    datagram: secured({ pdu: pduOf('TrapV2', 1, noOid) }),
    cause: 'malformed',
  };
  yield { name: 'no varbinds', datagram: v2c('TrapV2', 1, 'public', []), cause: 'malformed' };
  for (const keep of [0, 1, 2, 5, 12, 30, 60]) {
    yield { name: `${keep} octets of a trap`, datagram: v2c().subarray(0, keep), cause: 'malformed' };
    yield {
      name: `${keep} octets of a signed trap`,
      datagram: secured().subarray(0, keep),
      cause: 'malformed',
    };
  }
  yield { name: 'an empty datagram', datagram: Buffer.alloc(0), cause: 'malformed' };
  yield { name: 'a text', datagram: Buffer.from('GET / HTTP/1.1\r\n\r\n'), cause: 'malformed' };
  for (const name of ['', 'Operator', 'operator ', 'operato', 'admin', 'operator\0', 'x'.repeat(32)]) {
    const userName = Buffer.from(name);
    yield { name: `user ${JSON.stringify(name)}`, datagram: secured({ userName }), cause: 'user' };
    yield {
      name: `user ${JSON.stringify(name)} of an inform`,
      datagram: securedInform({ userName }),
      cause: 'user',
    };
  }
  yield {
    name: 'a user name of 33 octets',
    datagram: secured({ userName: Buffer.alloc(33, 'x') }),
    cause: 'malformed',
  };
  yield { name: 'level noAuthNoPriv', datagram: secured({ user: plain }), cause: 'level' };
  yield { name: 'level authNoPriv', datagram: secured({ user: authOnly }), cause: 'level' };
  yield {
    name: 'an inform of level noAuthNoPriv',
    datagram: securedInform({ user: plain, flags: reportable }),
    cause: 'level',
  };
  yield {
    name: 'an inform of level authNoPriv',
    datagram: securedInform({ user: authOnly, flags: 1 | reportable }),
    cause: 'level',
  };
  yield {
    name: 'privacy without authentication',
    datagram: secured({ flags: messageFlag.priv }),
    cause: 'malformed',
  };
  for (const change of [
    { authPassphrase: 'maplesyrup-auth2' },
    { authPassphrase: 'maplesyrup-priv' },
    { authProtocol: 'sha512' },
    { authProtocol: 'sha' },
    { authProtocol: 'md5' },
    { authProtocol: 'sha224' },
    { authProtocol: 'sha384' },
  ] as const) {
    const user = { ...operator, ...change };
    yield { name: `keys of ${JSON.stringify(change)}`, datagram: secured({ user }), cause: 'digest' };
    yield {
      name: `an inform with keys of ${JSON.stringify(change)}`,
      datagram: securedInform({ user }),
      cause: 'digest',
    };
  }
  for (const change of [
    { privPassphrase: 'maplesyrup-priv2' },
    { privProtocol: 'aes256' },
    { privProtocol: 'aes192c' },
  ] as const) {
    const user = { ...operator, ...change };
    yield { name: `keys of ${JSON.stringify(change)}`, datagram: secured({ user }), cause: 'decryption' };
    yield {
      name: `an inform with keys of ${JSON.stringify(change)}`,
      datagram: securedInform({ user }),
      cause: 'decryption',
    };
  }
  for (const at of [-1, -5, -20, -40, 30, 40]) {
    yield { name: `a changed octet at ${at}`, datagram: flip(secured(), at), cause: 'any' };
    // Elsewhere it is the engine ID that changes, which is a discovery.
    const inform = flip(securedInform({}), Math.min(at, -1));
    yield { name: `a changed octet at ${at} of an inform`, datagram: inform, cause: 'any' };
  }
  const times: readonly (readonly [string, V3Fields])[] = [
    ['boots that went down', { boots: 4 }],
    ['boots 0', { boots: 0 }],
    ['a time long ago', { time: 1 }],
    ['a time just outside the window', { time: 849 }],
  ];
  for (const [name, fields] of times) yield { name, datagram: secured(fields), cause: 'time' };
  const ownTimes: readonly (readonly [string, V3Fields])[] = [
    ['boots before ours', { boots: 2 }],
    ['boots after ours', { boots: 4 }],
    ...(ownTime > 150 ? ([['a time before our window', { time: ownTime - 151 }]] as const) : []),
    ['a time after our window', { time: 100_000 }],
  ];
  for (const [name, fields] of ownTimes)
    yield { name: `an inform with ${name}`, datagram: securedInform(fields), cause: 'time' };
  for (const id of ['', '80', '80001f88', 'ff'.repeat(33)]) {
    const engineId = Buffer.from(id, 'hex');
    const cause = engineId.length > 32 ? 'malformed' : 'engine';
    yield { name: `engine id ${JSON.stringify(id)}`, datagram: secured({ engineId }), cause };
  }
  yield {
    name: 'the keys of another engine',
    datagram: secured({ keyEngineId: ownEngineId }),
    cause: 'digest',
  };
  yield {
    name: 'an unknown engine with the keys of a known one',
    datagram: secured({ engineId: Buffer.from('80001f8804aaaa', 'hex'), keyEngineId: senderEngineId }),
    cause: 'digest',
  };
  yield {
    name: 'an inform with the keys of the sender',
    datagram: securedInform({ keyEngineId: senderEngineId }),
    cause: 'digest',
  };
  yield {
    name: 'an encrypted flag on a plain PDU',
    datagram: secured({ user: authOnly, flags: 1 }),
    cause: 'level',
  };
  yield {
    name: 'flags without a plain PDU',
    datagram: secured({ flags: authPriv, salt: Buffer.alloc(7) }),
    cause: 'decryption',
  };
  // After it, the engine has no timely message any more (RFC 3414 §2.2.2).
  yield { name: 'the last boots', datagram: secured({ boots: 0x7fffffff }), cause: 'time' };
}
