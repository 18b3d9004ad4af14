import { MessageMac } from '../../../../src/snmp/usm/crypto/message-mac.ts';
import { ScopedPduCipher } from '../../../../src/snmp/usm/crypto/scoped-pdu-cipher.ts';
import type { SecurityKeys } from '../../../../src/snmp/usm/user/security-user.ts';
import { element, hex, integer, longElement, varbind } from './ber.ts';
import { type Corpus, names, pdu } from './community-requests.ts';
import { oddIntegers } from './odd-integers.ts';

/** What the agents are set up with: one user without and one with authentication and privacy. */
export interface Account {
  readonly engineId: Buffer;
  readonly open: string;
  readonly sealed: string;
  /** Of the user `sealed`, for the engine. */
  readonly keys: Required<SecurityKeys>;
}

interface Parts {
  readonly version?: Uint8Array;
  readonly messageId?: Uint8Array;
  readonly maxSize?: Uint8Array;
  readonly flags?: Uint8Array;
  readonly model?: Uint8Array;
  readonly afterModel?: Uint8Array;
  readonly header?: Uint8Array;
  readonly parameters?: Uint8Array;
  readonly engineId?: Uint8Array;
  readonly boots?: Uint8Array;
  readonly time?: Uint8Array;
  readonly user?: Uint8Array;
  readonly mac?: Uint8Array;
  readonly salt?: Uint8Array;
  readonly afterSalt?: Uint8Array;
  readonly scoped?: Uint8Array;
  readonly contextEngineId?: Uint8Array;
  readonly contextName?: Uint8Array;
  readonly pdu?: Uint8Array;
  readonly afterPdu?: Uint8Array;
  readonly afterData?: Uint8Array;
  /** Replaces the encrypted data, or the plain one. */
  readonly data?: Uint8Array;
  readonly isSigned?: boolean;
}

const auth = 1;
const priv = 2;
const reportable = 4;
const nothing = Buffer.alloc(0);
const text = (content: string) => Buffer.from(content);
const octets = (content: Uint8Array) => element(0x04, content);
const flag = (bits: number) => octets(Buffer.of(bits));
const salt = hex('00 00 00 01 00 00 00 02');
const boots = 1;
const time = 3;

/** Requests of SNMPv3: correct ones, unusual ones, and malformed ones of every kind. */
export function securedRequests(account: Account): Corpus {
  const { engineId, keys } = account;
  const mac = new MessageMac();
  const cipher = new ScopedPduCipher();
  const placeholder = Buffer.alloc(keys.auth.protocol.macBytes, 0xa7);

  function message(parts: Parts): Buffer {
    const header =
      parts.header ??
      element(
        0x30,
        parts.messageId ?? integer(4711),
        parts.maxSize ?? integer(65_507),
        parts.flags ?? flag(reportable),
        parts.model ?? integer(3),
        parts.afterModel ?? nothing,
      );
    const parameters =
      parts.parameters ??
      octets(
        element(
          0x30,
          parts.engineId ?? octets(engineId),
          parts.boots ?? integer(0),
          parts.time ?? integer(0),
          parts.user ?? octets(text(account.open)),
          parts.mac ?? element(0x04),
          parts.salt ?? element(0x04),
          parts.afterSalt ?? nothing,
        ),
      );
    const data = parts.data ?? scopedOf(parts);
    const { version = integer(3), afterData = nothing } = parts;
    const whole = element(0x30, version, header, parameters, data, afterData);
    if (parts.isSigned !== true) return whole;
    const at = whole.indexOf(placeholder);
    if (at >= 0) mac.sign(keys.auth.protocol, keys.auth.key, whole, at);
    return whole;
  }

  function scopedOf(parts: Parts): Buffer {
    if (parts.scoped !== undefined) return Buffer.from(parts.scoped);
    const contextEngineId = parts.contextEngineId ?? octets(engineId);
    const { contextName = element(0x04), afterPdu = nothing } = parts;
    return element(0x30, contextEngineId, contextName, parts.pdu ?? pdu({}), afterPdu);
  }

  /** Signed, and encrypted unless the flags say otherwise. */
  function sealed(parts: Parts = {}, level = auth | priv | reportable): Buffer {
    const plain = scopedOf(parts);
    const encrypted = () =>
      octets(cipher.encrypt(keys.priv.protocol, keys.priv.key, { boots, time, salt }, plain));
    return message({
      flags: flag(level),
      boots: integer(boots),
      time: integer(time),
      user: octets(text(account.sealed)),
      mac: octets(placeholder),
      salt: (level & priv) === 0 ? element(0x04) : octets(salt),
      data: (level & priv) === 0 ? plain : encrypted(),
      isSigned: true,
      ...parts,
    });
  }

  const signed = (parts: Parts = {}) => sealed(parts, auth | reportable);
  const good = message({});
  const goodSealed = sealed();
  const entries: [title: string, datagram: Buffer][] = [
    ['a request without authentication', good],
    ['a request with privacy', goodSealed],
    ['a request with authentication of a user with privacy', signed()],
    ['a discovery', message({ engineId: element(0x04), user: element(0x04) })],
    ['a discovery that names a user', message({ engineId: element(0x04) })],
    [
      'a discovery without the reportable flag',
      message({ engineId: element(0x04), user: element(0x04), flags: flag(0) }),
    ],
  ];
  const add = (title: string, parts: Parts) => {
    entries.push([title, message(parts)], [`${title}, with privacy`, sealed(parts)]);
  };

  for (const [title, value] of oddIntegers) {
    add(`a msgID of ${title}`, { messageId: value });
    add(`a msgMaxSize of ${title}`, { maxSize: value });
    add(`a security model of ${title}`, { model: value });
    // Below -2^32, net-snmp accepts as engine boots and time what it refuses as -5.
    if (title !== '-2^32 - 5') {
      add(`engine boots of ${title}`, { boots: value });
      add(`an engine time of ${title}`, { time: value });
    }
    add(`a request-id of ${title}`, { pdu: pdu({ id: value }) });
    entries.push([`a version of ${title} in a message of v3`, message({ version: value })]);
  }
  for (const size of [483, 484, 485, 1_472, 65_507, 65_508, 0x7ffffffe])
    add(`a msgMaxSize of ${size}`, { maxSize: integer(size) });
  for (const model of [2, 3, 4, 255]) add(`the security model ${model}`, { model: integer(model) });
  for (let bits = 0; bits < 8; bits++) add(`the flags ${bits}`, { flags: flag(bits) });
  for (const bits of [0x08, 0x0c, 0x0f, 0x84, 0x87, 0xf8, 0xff])
    add(`the flags ${bits}`, { flags: flag(bits) });
  add('flags of no octets', { flags: element(0x04) });
  add('flags of two octets', { flags: octets(Buffer.of(4, 4)) });
  add('flags as an INTEGER', { flags: integer(4) });
  add('flags with a long length', { flags: longElement(0x04, 1, Buffer.of(4)) });
  add('a header with an additional element', { afterModel: integer(1) });
  add('a header as an OCTET STRING', { header: octets(Buffer.concat([integer(1), integer(65_507)])) });
  add('an empty header', { header: element(0x30) });
  add('no header', { header: nothing });
  add('parameters of no octets', { parameters: element(0x04) });
  add('parameters that are an empty sequence', { parameters: octets(element(0x30)) });
  add('parameters that are a SEQUENCE', { parameters: element(0x30, element(0x04)) });
  add('parameters that are noise', { parameters: octets(hex('ffffffff')) });
  add('parameters with an additional element', { afterSalt: integer(1) });
  for (const length of [0, 1, 4, 5, 7, 8, 9, 11, 12, 16, 17, 31, 32, 33, 47, 48, 49, 64]) {
    add(`an engine id of ${length} octets`, { engineId: octets(Buffer.alloc(length, 0x80)) });
    add(`a MAC of ${length} octets`, { mac: octets(Buffer.alloc(length)) });
    add(`a salt of ${length} octets`, { salt: octets(Buffer.alloc(length)) });
    add(`a user name of ${length} octets`, { user: octets(Buffer.alloc(length, 0x61)) });
    if (length === 0 || length > 32)
      add(`a context name of ${length} octets`, { contextName: octets(Buffer.alloc(length, 0x61)) });
    add(`a context engine id of ${length} octets`, { contextEngineId: octets(Buffer.alloc(length, 0x80)) });
  }
  add('an engine id as an INTEGER', { engineId: integer(1) });
  add('a user name as an INTEGER', { user: integer(1) });
  add('a context name as an INTEGER', { contextName: integer(1) });
  add('an empty scoped PDU', { scoped: element(0x30) });
  add('a scoped PDU that is a SET', { scoped: Buffer.concat([hex('31'), scopedOf({}).subarray(1)]) });
  add('a scoped PDU that is noise', { scoped: hex('ff ff ff ff ff ff ff ff') });
  add('a scoped PDU without a PDU', { pdu: nothing });
  add('a scoped PDU that is one octet too short', { scoped: scopedOf({}).subarray(0, -1) });
  add('octets after the PDU', { afterPdu: hex('05 00') });
  add('no data', { data: nothing });
  add('data that is an empty OCTET STRING', { data: element(0x04) });
  add('data of one octet', { data: octets(hex('30')) });
  add('data that is an INTEGER', { data: integer(1) });
  add('octets after the data', { afterData: hex('05 00') });
  add('octets after the list', { pdu: pdu({ afterList: hex('05 00') }) });
  for (const tag of [0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0x30, 0x02, 0x00])
    add(`a PDU with the tag ${tag.toString(16)}`, { pdu: pdu({ tag }) });
  for (const name of [
    '2b 06 01 02 01 01 05 80',
    '2b 06 01 02 01 01 80 05 00',
    '2b 06 01 02 01 01 90 80 80 80 00',
    '',
  ])
    add(`the name "${name}"`, { pdu: pdu({ list: element(0x30, varbind(hex(name))) }) });
  add('an empty list', { pdu: pdu({ list: element(0x30) }) });
  add('a value that is a BOOLEAN', {
    pdu: pdu({ list: element(0x30, varbind(names.sysName, element(0x01, hex('ff')))) }),
  });
  entries.push(
    ['a wrong MAC', sealed({ isSigned: false })],
    ['a wrong MAC without the reportable flag', sealed({ isSigned: false, flags: flag(auth | priv) })],
    [
      'an unknown user without the reportable flag',
      message({ user: octets(text('stranger')), flags: flag(0) }),
    ],
    ['a time beyond the window', sealed({ time: integer(time + 1_000) })],
    [
      'a time beyond the window without the reportable flag',
      sealed({ time: integer(time + 1_000), flags: flag(auth | priv) }),
    ],
    ['more boots', sealed({ boots: integer(boots + 1) })],
    ['plain data with the privacy flag', sealed({ data: scopedOf({}) })],
    [
      'plain data with the privacy flag but not the reportable one',
      sealed({ data: scopedOf({}), flags: flag(auth | priv) }),
    ],
    ['encrypted data without the privacy flag', sealed({ flags: flag(auth | reportable) })],
    ['encrypted data without any flag', sealed({ flags: flag(reportable) })],
    ['data encrypted with another key', sealed({ data: octets(Buffer.alloc(60, 0x5a)) })],
    ['octets after the message', Buffer.concat([good, hex('0000')])],
    ['octets after the message with privacy', Buffer.concat([goodSealed, hex('0000')])],
    ...Array.from({ length: good.length - 1 }, (_, end): [string, Buffer] => [
      `the first ${end + 1} octets of a message of v3`,
      good.subarray(0, end + 1),
    ]),
  );
  return Object.fromEntries(entries);
}
