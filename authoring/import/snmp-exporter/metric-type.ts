import type { ColumnDraft, IndexDraft } from '../group-draft.ts';

type Translation = Pick<ColumnDraft, 'syntax' | 'metric'> & {
  readonly stateAs?: 'label' | 'set';
  /** What differs from the exporter. */
  readonly difference?: string;
};

/** The types of metrics of snmp_exporter. Values stay as the device sends them: no unit is converted. */
const types: Readonly<Record<string, Translation>> = {
  gauge: { syntax: 'Integer', metric: 'gauge' },
  counter: { syntax: 'Counter64', metric: 'counter' },
  Float: { syntax: 'Float32', metric: 'gauge' },
  Double: { syntax: 'Float64', metric: 'gauge' },
  DisplayString: { syntax: 'DisplayString' },
  OctetString: { syntax: 'OctetStringHex' },
  PhysAddress48: { syntax: 'MacAddressNoSuffix' },
  InetAddress: { syntax: 'IpAddressNoSuffix' },
  InetAddressMissingSize: { syntax: 'IpAddressNoSuffix' },
  InetAddressIPv4: { syntax: 'IpAddressNoSuffix' },
  InetAddressIPv6: {
    syntax: 'IpAddressNoSuffix',
    difference: 'The exporter writes the long form of the address.',
  },
  IpAddr: { syntax: 'IpAddressNoSuffix' },
  DateAndTime: { syntax: 'DateAndTime' },
  ParseDateAndTime: {
    syntax: 'DateInText',
    difference: 'A date is read in any of its usual forms, not only in that of the datetime_pattern.',
  },
  NTPTimeStamp: { syntax: 'OctetString', difference: 'The octets are kept, not their time.' },
  LldpPortId: { syntax: 'OctetString', difference: 'A MAC address is written in lower case.' },
  Bits: { syntax: 'EnumBitmap' },
  EnumAsInfo: { syntax: 'EnumInteger', stateAs: 'label' },
  EnumAsStateSet: { syntax: 'EnumIntegerKeepID', stateAs: 'set' },
};

/** How a metric of this type is polled; undefined for a type that snmp_exporter does not have. */
export function translateType(type: string, hasNames: boolean): Translation | undefined {
  const translation = Object.hasOwn(types, type) ? types[type]! : undefined;
  if (type === 'gauge' && hasNames) return { syntax: 'EnumIntegerKeepID' };
  if (!hasNames && translation?.syntax.startsWith('Enum')) return { syntax: 'Integer', metric: 'gauge' };
  return translation;
}

/** The syntax of octets with a DISPLAY-HINT, where there is one. */
export function hintSyntax(hint: string):
  | (Pick<Translation, 'syntax'> & {
      readonly difference: string | undefined;
    })
  | undefined {
  if (/^\d+[at]$/.test(hint)) return { syntax: 'DisplayString', difference: undefined };
  if (hint === '1d.1d.1d.1d') return { syntax: 'IpAddressNoSuffix', difference: undefined };
  if (hint === '1x:') return { syntax: 'MacAddressNoSuffix', difference: undefined };
  const isDate = hint === '2d-1d-1d,1d:1d:1d.1d,1a1d:1d';
  return isDate ? { syntax: 'DateAndTime', difference: 'It is a date in ISO 8601.' } : undefined;
}

/** The syntax of a column that is only a label. */
export function labelSyntax(type: string, hasNames: boolean): string | undefined {
  const { syntax } = translateType(type, hasNames) ?? {};
  if (syntax === 'EnumIntegerKeepID' || syntax === 'EnumInteger')
    return type === 'gauge' ? 'IntegerAsID' : 'EnumInteger';
  return syntax === 'Integer' || syntax === 'Counter64' ? 'IntegerAsID' : syntax;
}

/** What an index part becomes; a text says why it cannot be split. `isLast`: nothing follows. */
export function translateIndex(
  type: string,
  label: string,
  {
    fixedSize,
    isImplied,
    isLast,
  }: { readonly fixedSize: number; readonly isImplied: boolean; readonly isLast: boolean },
): readonly IndexDraft[] | string {
  const openEnd = isLast ? 'ImplicitOctetString' : undefined;
  const size =
    isImplied && isLast ? openEnd : fixedSize > 0 ? (fixedTypes[fixedSize] ?? openEnd) : 'OctetString';
  const octets = (syntax: string): readonly IndexDraft[] | string =>
    size === undefined
      ? `Its ${fixedSize} octets have no length in front, and it is not the last part.`
      : [{ type: size, label, syntax }];
  switch (type) {
    case 'gauge':
    case 'counter':
    case 'Integer':
    case 'Integer32':
      return [{ type: 'Integer', label, syntax: 'IntegerAsID' }];
    case 'EnumAsInfo':
    case 'EnumAsStateSet':
      return [{ type: 'Integer', label, syntax: 'EnumInteger' }];
    case 'PhysAddress48':
      return [{ type: 'MacAddress', label, syntax: 'MacAddressNoSuffix' }];
    case 'InetAddressIPv4':
    case 'IpAddr':
      return [{ type: 'IpAddress', label, syntax: 'IpAddressNoSuffix' }];
    case 'InetAddressIPv6':
      return isLast
        ? [{ type: 'ImplicitOctetString', label, syntax: 'IpAddressNoSuffix' }]
        : 'Its 16 octets have no length in front, and it is not the last part.';
    case 'InetAddress':
      return [{ type: 'Integer' }, { type: 'OctetString', label, syntax: 'IpAddressNoSuffix' }];
    case 'InetAddressMissingSize':
      return isLast
        ? [{ type: 'Integer' }, { type: 'ImplicitOctetString', label, syntax: 'IpAddressNoSuffix' }]
        : 'Its address has no length in front, and it is not the last part.';
    case 'LldpPortId':
      return octets('OctetString');
    case 'OctetString':
      return octets('OctetStringHex');
    case 'DisplayString':
      return octets('DisplayString');
    default:
      return `An index of the type ${type.slice(0, 40)} cannot be split.`;
  }
}

const fixedTypes: Readonly<Record<number, IndexDraft['type']>> = { 4: 'IpAddress', 6: 'MacAddress' };
