import type { MibNode } from '../../mib/index.ts';
import type { DraftAttribute } from '../draft-set.ts';
import { wordsOf } from './field-words.ts';
import { kindOfNumber } from './plain-numbers.ts';
import { saidUnitOf } from './said-units.ts';
import { syntaxOfUnit, type UnitSyntax } from './unit-syntax.ts';

/** How a column is collected. */
export interface ColumnMeaning extends Pick<DraftAttribute, 'syntax' | 'metric' | 'unit' | 'scale' | 'tag'> {
  readonly comments?: readonly string[];
}

/** Syntaxes with the name of the textual convention. */
const ownSyntaxes = new Set([
  'DateAndTime',
  'TruthValue',
  'InterfaceIndex',
  'InterfaceIndexOrZero',
  'IANAifType',
  'InetAddressType',
  'InetVersion',
  'AutonomousType',
  'InstancePointer',
  'RowPointer',
  'VariablePointer',
  'TDomain',
]);

const addresses = /^(?:InetAddress(?:IPv[46]z?)?|Ipv6Address|CiscoInetAddress|IpAddr)$/;

/** What the type, the units and the name of a column say. Undefined for what no collector needs. */
export function meaningOf(node: MibNode, isTable: boolean): ColumnMeaning | undefined {
  const { type, typeName = '' } = node;
  if (type === undefined || /^(?:RowStatus|EntryStatus|StorageType|TestAndIncr)$/.test(typeName))
    return undefined;
  if (ownSyntaxes.has(typeName)) return { syntax: typeName, ...tagOf(isTable && typeName === 'IANAifType') };
  if (type === 'Bits') return { syntax: 'EnumBitmap' };
  if (node.enums !== undefined) return meaningOfEnum(node, isTable);
  switch (type) {
    case 'IpAddress':
      return { syntax: 'IpAddress' };
    case 'ObjectIdentifier':
      return { syntax: 'ObjectIdentifier' };
    case 'Opaque':
      return { syntax: 'Opaque', metric: 'gauge', unit: '1', ...unitOf(node) };
    case 'OctetString':
      return meaningOfOctets(node, isTable);
    case 'TimeTicks':
      return { syntax: 'TicksCentiSec', metric: 'gauge' };
    case 'Counter32':
    case 'Counter64':
      return typeName === 'CounterBasedGauge64'
        ? meaningOfNumber(node, isTable)
        : meaningOfCounter(node, type);
    default:
      return meaningOfNumber(node, isTable);
  }
}

function meaningOfEnum(node: MibNode, isTable: boolean): ColumnMeaning {
  const names = Object.entries(node.enums!).map(([name, number]) => `${number}${name.toLowerCase()}`);
  if (names.sort().join() === '1true,2false') return { syntax: 'TruthValue' };
  const last = wordsOf(node.name).at(-1)!;
  const isState = /^(?:status|state|health|condition|alarm|severity|result|level|mode|phase)$/.test(last);
  if (isState && !isWritable(node)) return { syntax: 'EnumIntegerKeepID' };
  return {
    syntax: /^(?:status|state)$/.test(last) ? 'EnumIntegerKeepID' : 'EnumInteger',
    ...tagOf(isTable && last === 'type'),
  };
}

function meaningOfOctets(node: MibNode, isTable: boolean): ColumnMeaning {
  const { typeName = '', hint = '', ranges } = node;
  if (/^(?:Mac|Phys)Address$/.test(typeName)) return { syntax: typeName };
  if (addresses.test(typeName)) return { syntax: 'IpAddress' };
  if (/Float|Double/.test(typeName))
    return { syntax: 'Float64', metric: 'gauge', unit: '1', ...unitOf(node) };
  const length = ranges?.length === 1 && ranges[0]!.min === ranges[0]!.max ? ranges[0]!.min : undefined;
  if (length === 6 && /mac|address/i.test(node.name)) return { syntax: 'MacAddress' };
  if (/^\d*x/.test(hint) || /^(?:BridgeId|PortList|LldpChassisId|NsapAddress)$/.test(typeName))
    return { syntax: 'MacAddressNoSuffix' };
  const isText = /[at]$/.test(hint) || /String|Text|Name|Utf8/i.test(typeName);
  const isName = /^(?:name|descr|desc|description|alias|label|title|ssid)$/.test(wordsOf(node.name).at(-1)!);
  return {
    syntax: isText && typeName !== 'OCTET STRING' ? 'DisplayString' : 'OctetString',
    ...tagOf(isTable && isName),
  };
}

function tagOf(isTag: boolean): Pick<ColumnMeaning, 'tag'> {
  return isTag ? { tag: true } : {};
}

function meaningOfCounter(node: MibNode, type: 'Counter32' | 'Counter64'): ColumnMeaning {
  const words = wordsOf(node.name);
  const size = node.units === undefined ? undefined : syntaxOfUnit(node.units);
  if (size !== undefined && size.scale === undefined) return { ...size, metric: 'counter' };
  if (node.units === undefined && /^(?:octets|bytes)$/.test(countedWord(words))) {
    const [, prefix = ''] = /(?<![A-Z])([KMG])Bytes$/.exec(node.name) ?? [];
    return { ...syntaxOfUnit(`${prefix}bytes`)!, metric: 'counter' };
  }
  return { syntax: type, metric: 'counter', ...unitOf(node) };
}

/** The last word that is no direction. */
function countedWord(words: readonly string[]): string {
  return words.findLast((word) => !/^(?:in|out|rx|tx|received|sent|hc|64|total)$/.test(word)) ?? '';
}

function meaningOfNumber(node: MibNode, isTable: boolean): ColumnMeaning {
  const { name, type, typeName = '', hint } = node;
  const isSetting = isWritable(node);
  const plain = plainSyntaxOf(node);
  if (/^(?:TimeStamp|TimeInterval|TimeTicks)$/.test(typeName))
    return { syntax: 'TicksCentiSec', metric: 'gauge' };
  const words = wordsOf(name);
  if (/(?:Index(?:OrZero)?|VlanId\w*)$/.test(typeName))
    return { syntax: plain.startsWith('U') ? 'UnsignedAsID' : 'IntegerAsID' };
  const metric = isSetting ? undefined : ('gauge' as const);
  const decimals = decimalsOf(hint);
  const known = unitSyntaxOf(node, decimals) ?? (isSetting ? undefined : assumedUnitOf(node, words));
  // Only a gauge has a scale.
  if (known !== undefined)
    return {
      ...known,
      ...(decimals > 0 && known.scale === undefined && 'comments' in known ? scaleOf(decimals) : {}),
      metric: known.scale === undefined ? metric : 'gauge',
    };
  if (node.units !== undefined && (!isSetting || decimals === 0))
    return {
      syntax: plain,
      metric,
      ...scaleOf(decimals),
      ...(isSetting ? {} : { unit: '1', ...unitOf(node) }),
    };
  const said = isSetting ? undefined : saidUnitOf(node);
  if (said !== undefined) {
    const factor = Number((said.factor * 10 ** -decimals).toPrecision(6));
    const scale = factor === 1 ? {} : { scale: { factor } };
    return { syntax: plain, metric: 'gauge', unit: said.unit, ...scale };
  }
  const kind = kindOfNumber(node, isTable);
  if (kind === 'identifier') return { syntax: type === 'Integer32' ? 'IntegerAsID' : 'UnsignedAsID' };
  if (isSetting && decimals === 0) return { syntax: plain };
  const saidPlaces = kind === 'count' ? placesIn(node.description) : 0;
  const comments =
    kind === 'count' ? {} : { comments: [`decide: the unit of ${name}; "1" is a plain number`] };
  return { syntax: plain, metric: 'gauge', ...scaleOf(decimals || saidPlaces), unit: '1', ...comments };
}

function plainSyntaxOf({ type, typeName }: MibNode): string {
  if (typeName === 'CounterBasedGauge64' || typeName === 'ZeroBasedCounter64') return typeName;
  if (type === 'Counter64') return 'CounterBasedGauge64';
  return type === 'Gauge32' || type === 'Unsigned32' ? type : 'Integer32';
}

/** What UNITS says; without it, what the description or the name says. */
function unitSyntaxOf(
  { units, description = '', name, ranges }: MibNode,
  decimals: number,
): UnitSyntax | undefined {
  if (units !== undefined) return syntaxOfUnit(units, decimals || factorIn(description));
  decimals ||= factorIn(description);
  const text = description.slice(0, 600).replace(/\s+/g, ' ');
  if (/\b(?:measured|expressed) in [^.]* (?:if|when) [^.]*\botherwise\b/i.test(text)) return undefined;
  const [, power = '', symbol] = saidSymbol.exec(text) ?? [];
  if (symbol !== undefined) return syntaxOfUnit(`${power}${symbols[symbol] ?? symbol}`, decimals);
  const said = saidUnit.exec(text);
  if (said !== null) return syntaxOfUnit(withFraction(said[1]!.replace(/^an? /, ''), text), decimals);
  const [sentence = ''] = description.slice(0, 600).split(/\.\s/, 1);
  if (/\bpercentage\b|(?<!\bthe 100 )\bper ?cent\b/i.test(sentence)) return syntaxOfUnit('percent', decimals);
  const words = wordsOf(name);
  if ((words.includes('hours') || /\brun hours\b/i.test(sentence)) && !words.includes('kwh'))
    return syntaxOfUnit('hours', decimals);
  const isShare = ranges?.length === 1 && ranges[0]!.min === 0 && ranges[0]!.max === 100;
  if (
    words.some((word) => /^(?:percent|percentage|pct)$/.test(word)) ||
    (isShare && /util|usage|load|cpu|charge/i.test(name))
  )
    return syntaxOfUnit('percent', decimals);
  return undefined;
}

/** "In thousandths" of nothing. */
function placesIn(description = ''): number {
  const [, word = ''] = /\bin (tenths|hundredths|thousandths)(?! of)\b/i.exec(description) ?? [];
  return ['tenths', 'hundredths', 'thousandths'].indexOf(word.toLowerCase()) + 1;
}

/** "The value is expanded 100 times", "divide by 10,000": how many places. */
function factorIn(description: string): number {
  const [, number] =
    /\b(?:(?:value|reading|it) is (?:expanded|magnified|multiplied|scaled)(?: by)?|d[ie]vided?(?: \w+){0,4} by) (1,?0+(?:,000)?)\b/i.exec(
      description.replace(/\s+/g, ' '),
    ) ?? [];
  return number === undefined ? 0 : number.replace(',', '').length - 1;
}

/** "As a percentage of …. Expressed in tenths of percent." */
function withFraction(unit: string, text: string): string {
  const [stem = ''] = /[a-z]{4,7}/i.exec(unit) ?? [];
  if (stem === '' || /ths? /i.test(unit)) return unit;
  const [, fraction] =
    new RegExp(String.raw`\bin (tenths|hundredths|thousandths) of (?:an? )?${stem}`, 'i').exec(text) ?? [];
  return fraction === undefined ? unit : `${fraction} of ${unit}`;
}

/** What a name says where neither UNITS nor the description says a unit: the plain unit, which a person should look at. */
function assumedUnitOf(
  { name, description = '' }: MibNode,
  words: readonly string[],
): (UnitSyntax & { readonly comments: readonly string[] }) | undefined {
  const text = words.join(' ');
  const tenths = /\btenths?\b|\b0?\.1\b/i.test(description.slice(0, 600));
  if (/\bangle$/.test(text)) {
    const comments = [`assumed: ${name} is in ${tenths ? 'tenths of ' : ''}degrees; the MIB does not say it`];
    return { syntax: 'Integer32', unit: '°', ...(tenths ? { scale: { factor: 0.1 } } : {}), comments };
  }
  const subject = subjectOf(description);
  const found = assumedUnits.find(
    ([pattern]) => pattern.test(text) || (subject !== undefined && pattern.test(subject)),
  );
  if (found === undefined || /power factor|calibration|lifetime|number/.test(text)) return undefined;
  const [, unit, word] = found;
  const power = tenths ? 'tenths of ' : '';
  const syntax = syntaxOfUnit(`${power}${unit}`);
  return (
    syntax && { ...syntax, comments: [`assumed: ${name} is in ${power}${word}; the MIB does not say it`] }
  );
}

/** "The battery voltage.", "The nominal voltage at the panel": what the first sentence is about, when that is short. */
function subjectOf(description: string): string | undefined {
  const [sentence = ''] = description
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .split(/\.(?:\s|$)/, 1);
  if (/milli|micro|kilo/.test(sentence)) return undefined;
  const [, said] =
    /^(?:the |an? )?((?:[\w-]+ ){0,3}?(?:voltage|current)) (?:for|of|at|through|available)\b/.exec(
      sentence,
    ) ?? [];
  return said ?? (sentence.split(' ').length <= 4 ? sentence : undefined);
}

const assumedUnits = [
  [
    /\btemp(?:erature)?(?: (?:\d|high prec|\w+ setpoint|setpoint|thresh(?:old)?))?$/,
    'celsius',
    'degrees Celsius',
  ],
  [/\bhumidity(?: thresh(?:old)?)?$/, 'percent', 'percent'],
  [/\bthd(?: lto [ln])?$/, 'percent', 'percent'],
  [/\bct size$/, 'amps', 'amperes'],
  [/\bserial port speed$|\bbaud(?: rate)?$/, 'bps', 'bits per second'],
  [/\b(?:rssi|rsrp|rscp)$/, 'dbm', 'dBm'],
  [/\b(?:rsrq|snr|sinr|ecio|ec io)$/, 'db', 'dB'],
  [/\b(?:mtu|bytes|octets)$/, 'bytes', 'bytes'],
  [/\b(?:breaker|current) rating$/, 'amps', 'amperes'],
  [/\bpower rating$/, 'watts', 'watts'],
  [/\bmetered status power$|\bpower watts$/, 'watts', 'watts'],
  [/\bvoltage$|\bvolts$/, 'volts', 'volts'],
  [
    /^current$|(?:phase|line|output|input|load|bank|battery|outlet|charger) current$|\bamps$/,
    'amps',
    'amperes',
  ],
  [/\bfrequency$/, 'hertz', 'hertz'],
  [/(?:active|real|peak|true) power$|\bwatts$/, 'watts', 'watts'],
] as const;

/** As SI writes them: `mW` is no `MW`. */
const symbols: Readonly<Record<string, string>> = {
  V: 'volts',
  mV: 'millivolts',
  uV: 'microvolts',
  A: 'amps',
  mA: 'milliamps',
  uA: 'microamps',
  W: 'watts',
  mW: 'milliwatts',
  uW: 'microwatts',
  kW: 'kilowatts',
  KW: 'kilowatts',
  MW: 'megawatts',
  nm: 'nanometers',
  C: 'celsius',
};

/** "Unit: mV." and ", in mV." with nothing of the sentence behind it. */
const saidSymbol = new RegExp(
  String.raw`(?:\b[Uu]nits?(?: is| are)? ?:? ?|\b[Mm]easured in |\bin )(?:the unit of )?` +
    String.raw`((?:0\.0*1|tenths of|hundredths of) )?(${Object.keys(symbols).join('|')}|[KMG]?Hz|dBm|[KMG]bit/s|%)(?=[.,;)]| [Ff]ull\b|\s*$)`,
);

const saidUnit = new RegExp(
  String.raw`(?:\b(?:in|as an?|as|is the|is an?|the|of|total|units?:?|units?: ?1|unit is|units are) |\((?![^)]*\bor\b))((?:(?:one[- ])?(?:tenths?|hundred?ths?|hundreds|thousandths?|0?\.0*1|1/10+(?:th)?s?),? ?(?:of )?(?:an? |one )?)?(?:degrees? )?` +
    String.raw`(?:celsius|centigrade|fahrenheit|percent(?:age)?|(?:milli|micro|kilo|mega)?(?:volts?|amps?|amperes?|watts?|hertz)|v(?:ac|dc)|v a c|kbps|mbps|(?:kilo-?|mega-?|giga-?|k|m|g)?(?:bytes|octets)(?: per second)?|(?:bits|kilobits|megabits) per second|(?:milli|micro)?seconds|(?:milli|micro)second|(?<=(?:in|units? is|units? ?:|units? ?:? ?1|units?|units? of|\d|\d of|ths?|ths? of) ?(?:an? )?)second|minutes|hours|rms volts|rms amps|dbm|kw|hz|days|k?wh|(?:kilo)?watt[- ]?hours?))\b(?![- ]?(?:hour|amp))`,
  'i',
);

function decimalsOf(hint: string | undefined): number {
  const found = /^d-(\d)$/.exec(hint ?? '');
  return found === null ? 0 : Number(found[1]);
}

function scaleOf(decimals: number): Pick<ColumnMeaning, 'scale'> {
  return decimals === 0 ? {} : { scale: { factor: Number(`1e-${decimals}`) } };
}

/** A text for people: short, and a word. */
function unitOf({ units, name }: MibNode): { readonly unit: string } | object {
  const text = (units ?? '')
    .replace(/[^\p{L}\p{N}%°/ ._-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 30)
    .trim();
  if (text !== '')
    return {
      unit: /^rpms?$|revolutions? per minute|rotations? per minute/i.test(text) ? 'rpm' : text.toLowerCase(),
    };
  if (/pkts|packets|frames/i.test(name)) return { unit: 'packets' };
  return {};
}

function isWritable({ access }: MibNode): boolean {
  return access === 'read-write' || access === 'read-create';
}
