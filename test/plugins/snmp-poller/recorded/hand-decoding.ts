import { isIP } from 'node:net';
import type { Answer } from './net-snmp-walk.ts';

/** The keys of a column's enum: its numbers, its bits or, for OIDs, the whole OID. */
export type EnumTable = Readonly<Record<string, string>> | undefined;

/** The numbers of each unit, as [times, over]: 37 tenths of an ampere are 37 × 1 / 10 A. */
const scales: Readonly<Record<string, readonly [number, number]>> = {
  ...{ Integer32: [1, 1], Unsigned32: [1, 1], Gauge32: [1, 1], Counter32: [1, 1], Counter64: [1, 1] },
  ...{ BytesB: [1, 1], BytesB4: [4, 1], BytesKiB: [1024, 1], BytesMiB: [1_048_576, 1] },
  ...{ BandwidthBits: [1, 1], BandwidthKBits: [1000, 1], BandwidthMBits: [1_000_000, 1] },
  ...{ Integer: [1, 1], ZeroBasedCounter64: [1, 1], CounterBasedGauge64: [1, 1], TicksMilliSec: [1, 1] },
  ...{ BytesKB: [1000, 1], BytesMB: [1_000_000, 1], BytesGiB: [1_073_741_824, 1] },
  ...{ PercentCenti100: [1, 100], PercentMilli100: [1, 1000], TicksDeciSec: [100, 1] },
  ...{ VoltageCentiVolt: [1, 100], CurrentCentiAmp: [1, 100], CurrentMilliAmp: [1, 1000] },
  ...{ PowerDeciWatt: [1, 10], PowerMilliWatt: [1, 1000], PowerKiloWatt: [1000, 1] },
  ...{ TemperatureCentiC: [1, 100], SignalDeciDBm: [1, 10], SignalMilliDBm: [1, 1000], FreqHz: [1, 1] },
  ...{ FreqKHz: [1000, 1], FreqMilliHz: [1, 1000], Decibel: [1, 1] },
  ...{ TicksMin: [60_000, 1], TicksSec: [1000, 1], TicksCentiSec: [10, 1], TicksMicroSec: [1, 1000] },
  ...{ Percent100: [1, 1], PercentDeci100: [1, 10] },
  ...{ TemperatureC: [1, 1], TemperatureDeciC: [1, 10], TemperatureMilliC: [1, 1000] },
  ...{ PowerWatt: [1, 1], VoltageVolt: [1, 1], VoltageDeciVolt: [1, 10], VoltageMilliVolt: [1, 1000] },
  ...{ CurrentAmp: [1, 1], CurrentDeciAmp: [1, 10], CurrentMicroAmp: [1, 1_000_000] },
  ...{ FreqDeciHz: [1, 10], FreqMHz: [1_000_000, 1], LengthMeter: [1, 1] },
  ...{ SignalDBm: [1, 1], SignalCentiDBm: [1, 100], InterfaceIndex: [1, 1], InterfaceIndexOrZero: [1, 1] },
};

const suffixes: Readonly<Record<string, string>> = {
  ...{ IpAddress: '.ip.addr', MacAddress: '.addr', PhysAddress: '.addr', TruthValue: '.state' },
  ...{ EnumInteger: '.name', EnumIntegerKeepID: '.name', IANAifType: '.name', EnumObjectIdentifier: '.name' },
  ...{ InterfaceIndex: '.index', InterfaceIndexOrZero: '.index' },
};

/** The values of IANAifType-MIB and RFC 4001 that recorded devices have. */
const builtIn: Readonly<Record<string, EnumTable>> = {
  IANAifType: {
    ...{ 1: 'other', 6: 'ethernetCsmacd', 23: 'ppp', 24: 'softwareLoopback', 46: 'hssi', 47: 'hippi' },
    ...{ 48: 'modem', 53: 'propVirtual', 56: 'fibreChannel', 62: 'fastEther', 71: 'ieee80211' },
    ...{
      77: 'lapd',
      117: 'gigabitEthernet',
      131: 'tunnel',
      135: 'l2vlan',
      136: 'l3ipvlan',
      142: 'ipForward',
    },
    ...{ 150: 'mplsTunnel', 161: 'ieee8023adLag', 166: 'mpls', 209: 'bridge', 245: 'voiceEBS' },
  },
  InetAddressType: { 0: 'unknown', 1: 'ipv4', 2: 'ipv6', 3: 'ipv4z', 4: 'ipv6z', 16: 'dns' },
  InetVersion: { 0: 'unknown', 1: 'ipv4', 2: 'ipv6' },
};

/** The fields that an attribute of this name and syntax writes. */
export function fieldsOf(name: string, syntax: string): readonly string[] {
  if (syntax === 'skip' || syntax === 'none') return [];
  const field = name + (suffixes[syntax] ?? '');
  return syntax === 'EnumIntegerKeepID' ? [field, `${name}.id`] : [field];
}

/** One text for each field of `fieldsOf`, as records are shown; undefined where the value is not what the syntax takes. */
export function decodeByHand(
  syntax: string,
  answer: Answer,
  names: EnumTable,
): readonly (string | undefined)[] {
  const scale = scales[syntax];
  if (scale !== undefined) return [scaled(answer, scale, /^(Counter|Bytes)/.test(syntax))];
  switch (syntax) {
    case 'DisplayString':
    case 'OctetString':
      return [textOf(answer)];
    case 'IntegerAsID':
      return [numberOf(answer)?.toString()];
    case 'UnsignedAsID':
      return [numberOf(answer) === undefined ? undefined : BigInt.asUintN(32, numberOf(answer)!).toString()];
    case 'EnumInteger':
      return [named(answer, names)];
    case 'EnumIntegerKeepID':
      return [named(answer, names), numberOf(answer)?.toString()];
    case 'IANAifType':
    case 'InetAddressType':
    case 'InetVersion':
      return [named(answer, names ?? builtIn[syntax])];
    case 'EnumObjectIdentifier':
      return [answer.type === 'oid' ? (names?.[answer.oid] ?? answer.oid) : undefined];
    case 'ObjectIdentifier':
      return [answer.type === 'oid' ? answer.oid : undefined];
    case 'TruthValue':
      return [{ 1: 'true', 2: 'false' }[String(numberOf(answer))]];
    case 'EnumBitmap':
      return [bitsOf(answer, names)];
    case 'IpAddress':
    case 'IpAddressAsID':
      return [addressOf(answer)];
    case 'MacAddress':
    case 'MacAddressNoSuffix':
    case 'PhysAddress':
      return [macOf(answer)];
    case 'DateAndTime':
      return [dateOf(answer)];
    case 'skip':
    case 'none':
      return [];
    default:
      throw new Error(`no hand rule for ${syntax}`);
  }
}

/**
 * The value of a syntax times `factor`, in the decimal prefix and with the decimal places of RFC 3433: prefix 9 stands for units,
 * 8 for thousandths, 10 for thousands. Undefined where one of the two is named and has no value.
 */
export function scaleByHand(
  value: string | undefined,
  factor: number,
  prefix: Answer | 'none' | undefined,
  precision: Answer | 'none' | undefined,
): string | undefined {
  const three = prefix === 'none' ? 9n : prefix && numberOf(prefix);
  const places = precision === 'none' ? 0n : precision && numberOf(precision);
  if (value === undefined || three === undefined || three < 1n || three > 17n) return undefined;
  if (places === undefined || places < -17n || places > 17n) return undefined;
  const exponent = 3 * (Number(three) - 9) - Math.max(Number(places), 0);
  return String(Number(`${Number(value) * factor}e${exponent}`));
}

function numberOf(answer: Answer): bigint | undefined {
  return answer.type === 'number' ? answer.number : undefined;
}

function scaled(
  answer: Answer,
  [times, over]: readonly [number, number],
  isWhole: boolean,
): string | undefined {
  if (answer.type === 'number') {
    if (isWhole) return answer.number < 0n ? undefined : String(answer.number * BigInt(times));
    return String((Number(answer.number) * times) / over);
  }
  if (answer.type === 'float') return isWhole ? String(Math.round(answer.float)) : String(answer.float);
  const text = answer.type === 'octets' ? answer.octets.toString('latin1').trim() : '';
  return /^[-+]?\d+(\.\d+)?$/.test(text) ? String((Number(text) * times) / over) : undefined;
}

/** Printable UTF-8 without trailing NULs, or hexadecimal digits. At most 4,096 characters. */
function textOf(answer: Answer): string | undefined {
  if (answer.type !== 'octets') return answer.type === 'oid' ? answer.oid : String(numberOf(answer));
  const { octets } = answer;
  const text = octets.toString('utf8').replace(/\0+$/, '');
  const isText = text !== '' || octets.length === 0;
  const isPrintable = isText && !/\ufffd|(?![\t\r\n])\p{Cc}/u.test(text);
  const latin = octets.toString('latin1');
  // A part that can be read as UTF-8 is no Latin-1.
  const isLatin =
    /^[ -~\xa0-\xff]+$/.test(latin) &&
    latin.replace(/[^ -~]/g, '').length >= latin.length / 2 &&
    !/[^\0-\x7f\ufffd]/.test(text) &&
    // Six octets are a MAC address unless they are a word with one letter that is not English.
    (latin.length !== 6 || (/^[A-Za-z\xc0-\xff]+$/.test(latin) && /^[A-Za-z]+.[A-Za-z]*$/.test(latin)));
  const shown = isPrintable ? text : isLatin ? latin : `0x${octets.toString('hex')}`;
  return shown.length <= 4096 ? shown : `${shown.slice(0, 4095)}…`;
}

function named(answer: Answer, names: EnumTable): string | undefined {
  const number = numberOf(answer)?.toString();
  return number === undefined ? undefined : (names?.[number] ?? number);
}

function bitsOf(answer: Answer, names: EnumTable): string | undefined {
  const set: number[] = [];
  if (answer.type === 'octets') {
    for (let bit = 0; bit < 8 * answer.octets.length; bit++) {
      if ((answer.octets[bit >> 3]! & (0x80 >> (bit & 7))) !== 0) set.push(bit);
    }
  } else if (answer.type === 'number') {
    for (let bit = 0; bit < 32; bit++) if (((answer.number >> BigInt(bit)) & 1n) === 1n) set.push(bit);
  } else return undefined;
  return `[${set.map((bit) => names?.[bit] ?? bit).join(', ')}]`;
}

function addressOf(answer: Answer): string | undefined {
  if (answer.type !== 'octets') return undefined;
  const { octets } = answer;
  if (octets.length === 0) return undefined;
  if (octets.length === 4) return octets.join('.');
  const spelled = octets.toString('latin1').trim();
  if (isIP(spelled) === 4) return spelled;
  if (isIP(spelled) === 6) return shortIpv6(spelled);
  if (octets.length === 16) return shortIpv6(octets.toString('hex').replace(/....(?=.)/g, '$&:'));
  if (octets.length !== 20) return undefined;
  const address = shortIpv6(octets.toString('hex', 0, 16).replace(/....(?=.)/g, '$&:'));
  return `${address}%${octets.readUInt32BE(16)}`;
}

/** In the form of RFC 5952, as browsers write it. */
function shortIpv6(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

function macOf(answer: Answer): string | undefined {
  if (answer.type !== 'octets') return undefined;
  const { octets } = answer;
  if (octets.length === 0) return undefined;
  const text = octets.toString('latin1').toLowerCase();
  for (const separator of [':', '-']) {
    const parts = text.split(separator);
    if (parts.length === 6 && parts.every((part) => /^[0-9a-f]{1,2}$/.test(part)))
      return parts.map((part) => part.padStart(2, '0')).join(':');
  }
  const digits = /^[0-9a-f]{12}$/.test(text) ? text : octets.toString('hex');
  return digits.replace(/..(?=.)/g, '$&:');
}

/** RFC 2579. */
function dateOf(answer: Answer): string | undefined {
  if (answer.type !== 'octets' || ![8, 11].includes(answer.octets.length)) return undefined;
  const { octets } = answer;
  const two = (at: number) => String(octets[at]).padStart(2, '0');
  const date = `${String(octets.readUInt16BE(0)).padStart(4, '0')}-${two(2)}-${two(3)}`;
  if (Number.isNaN(Date.parse(date))) return undefined;
  const time = `${two(4)}:${two(5)}:${two(6)}.${octets[7]}`;
  const zone = octets.length === 8 ? '' : `${String.fromCharCode(octets[8]!)}${two(9)}:${two(10)}`;
  return `${date}T${time}${zone}`;
}
