import { type Reading, type Syntax, type SyntaxKind, unscaled } from './syntax.ts';

type Extra = Partial<Pick<Syntax, 'suffix' | 'unit' | 'names' | 'companion' | 'dimension'>>;
type Row = readonly [name: string, description: string, raw: string, value: string, extra?: Extra];

/** Syntaxes without a scale: the value is unchanged, translated, or an identifier. */
export const plainSyntaxes: readonly Syntax[] = [
  ...rows('plain', 'any number', 'number', 'number', [
    ['Integer', 'A signed number.', '-5', '-5'],
    ['Integer32', 'A signed number of 32 bits.', '-5', '-5'],
    ['Unsigned32', 'An unsigned number of 32 bits.', '4294967295', '4294967295'],
    ['Gauge32', 'An unsigned number of 32 bits that goes up and down.', '7', '7'],
    ['TimeTicks', 'Hundredths of a second, not scaled.', '8640000', '8640000', { unit: 'cs' }],
    ['TimeStamp', 'The sysUpTime of an event, in hundredths of a second.', '4200', '4200', { unit: 'cs' }],
    ['TimeInterval', 'A period in hundredths of a second.', '6000', '6000', { unit: 'cs' }],
    ['StorageType', 'The number of a StorageType.', '3', '3'],
    ['RowStatus', 'The number of a RowStatus.', '1', '1'],
  ]),
  ...rows('plain', 'any number', 'unsigned', 'number', [
    [
      'Integer32AsUnsigned',
      'A number of 32 bits whose upper half agents send as negative numbers, such as the size of a large file system.',
      '-1073741824',
      '3221225472',
    ],
  ]),
  ...rows('plain', 'any unsigned number', 'counter', 'counter', [
    ['Counter32', 'A counter of 32 bits.', '4294967295', '4294967295'],
    ['Counter64', 'A counter with all its 64 bits.', '18446744073709551615', '18446744073709551615'],
    [
      'ZeroBasedCounter64',
      'A counter of 64 bits that starts at zero.',
      '9007199254740993',
      '9007199254740993',
    ],
    ['CounterBasedGauge64', 'A gauge with all its 64 bits.', '9007199254740993', '9007199254740993'],
  ]),
  ...rows('plain', 'a float, 4 or 8 octets of IEEE 754, or any number', 'float', 'number', [
    ['Float32', 'A single-precision number, in an Opaque or in four octets.', '0x41ac0000', '21.5'],
    ['Float64', 'A double-precision number, in an Opaque or in eight octets.', '0x4035800000000000', '21.5'],
  ]),
  ...rows('plain', 'a number, or text that contains one', 'numberInText', 'number', [
    [
      'NumberInText',
      'The first decimal number of a text; its unit, if any, is not read.',
      '"23.5 C"',
      '23.5',
    ],
  ]),
  ...rows('plain', 'a number, or text that contains one', 'percentInText', 'number', [
    [
      'PercentInText',
      'The first number of a text that a percent sign follows.',
      '"5 Secs ( 21.4%) 60 Secs ( 9%)"',
      '21.4',
    ],
  ]),
  ...rows('plain', 'a number, or text that contains one', 'numberAfterColon', 'number', [
    [
      'NumberAfterColon',
      'The first number after the last colon of a text.',
      '"Rail 12V, left: 11.9V"',
      '11.9',
    ],
  ]),
  ...rows('plain', 'anything', 'opaque', 'number', [
    [
      'Opaque',
      'A float, double or 64-bit number; a column with other content is text.',
      'float 21.5',
      '21.5',
    ],
  ]),
  ...rows('plain', 'anything', 'octets', 'text', [
    [
      'OctetString',
      'Text where it is printable UTF-8 or Latin-1, else hexadecimal digits after 0x.',
      '0x00ff',
      '0x00ff',
    ],
    [
      'DisplayString',
      'Text where it is printable UTF-8 or Latin-1, else hexadecimal digits after 0x.',
      '"eth0"',
      'eth0',
    ],
    [
      'TAddress',
      'A transport address: text where it is printable, else hexadecimal.',
      '0x7f00000100a1',
      '0x7f00000100a1',
    ],
  ]),
  ...rows('plain', 'anything', 'hex', 'text', [
    [
      'OctetStringHex',
      'Octets as hexadecimal digits after 0x, also where they are text.',
      '"eth0"',
      '0x65746830',
    ],
  ]),
  ...rows('plain', 'an OID', 'oid', 'text', [
    ['ObjectIdentifier', 'An OID in decimal, no dot in front.', '.1.3.6.1.4.1.9', '1.3.6.1.4.1.9'],
    ['AutonomousType', 'An OID that names a type.', '.1.3.6.1.2.1.25.2.1.4', '1.3.6.1.2.1.25.2.1.4'],
    ['InstancePointer', 'An OID that points to an instance.', '.1.3.6.1.2.1.1.1.0', '1.3.6.1.2.1.1.1.0'],
    ['RowPointer', 'An OID that points to a row.', '.1.3.6.1.2.1.2.2.1.1.3', '1.3.6.1.2.1.2.2.1.1.3'],
    ['VariablePointer', 'An OID that points to a variable.', '.1.3.6.1.2.1.1.3.0', '1.3.6.1.2.1.1.3.0'],
    ['TDomain', 'An OID that names a transport.', '.1.3.6.1.6.1.1', '1.3.6.1.6.1.1'],
  ]),
  ...rows('identifier', 'any number', 'identifier', 'text', [
    ['IntegerAsID', 'A signed number that identifies something: text.', '-7', '-7'],
  ]),
  ...rows('identifier', 'any number', 'unsignedIdentifier', 'text', [
    [
      'UnsignedAsID',
      'A number that identifies something, read as unsigned: text.',
      '4294967295',
      '4294967295',
    ],
  ]),
  ...rows('address', 'an IP address, 4, 8, 16 or 20 octets, or its text', 'address', 'text', [
    [
      'IpAddress',
      'An IPv4 or IPv6 address, with its zone where it has one.',
      '0x0a000001',
      '10.0.0.1',
      { suffix: '.ip.addr' },
    ],
    ['IpAddressNoSuffix', 'As IpAddress, under the attribute’s own field.', '0x0a000001', '10.0.0.1'],
    ['IpAddressAsID', 'An address that identifies something, such as a router id.', '0x0a000001', '10.0.0.1'],
    ['ip_address', 'As IpAddressNoSuffix.', '0xfe80000000000000000000000000000100000003', 'fe80::1%3'],
  ]),
  ...rows('address', 'as IpAddress', 'routePrefix', 'text', [
    [
      'IpAddressRoutePrefix',
      'An address, and its prefix length where one octet of it follows.',
      '0x0a00000008',
      '10.0.0.0/8',
    ],
  ]),
  ...rows('address', 'an IPv4 address', 'addressNumber', 'number', [
    ['IpAddressAsUnsigned32', 'An IPv4 address as one number.', '0x0a000001', '167772161'],
  ]),
  ...rows('address', 'octets, or their text', 'mac', 'text', [
    [
      'MacAddress',
      'Octets in hexadecimal with colons between them.',
      '0x001b21AB34cd',
      '00:1b:21:ab:34:cd',
      { suffix: '.addr' },
    ],
    [
      'MacAddressNoSuffix',
      'As MacAddress, under the attribute’s own field.',
      '0x001b21ab34cd',
      '00:1b:21:ab:34:cd',
    ],
    [
      'PhysAddress',
      'As MacAddress, of any length.',
      '0x001b21ab34cd',
      '00:1b:21:ab:34:cd',
      { suffix: '.addr' },
    ],
  ]),
  ...rows('interface', 'a number', 'number', 'number', [
    ['InterfaceIndex', 'The number of an interface.', '3', '3', { suffix: '.index' }],
    ['InterfaceIndexOrZero', 'The number of an interface, or 0 for none.', '0', '0', { suffix: '.index' }],
  ]),
  ...rows('truth', '1 or 2', 'truth', 'boolean', [
    ['TruthValue', '1 is true, 2 is false; anything else is a gap.', '2', 'false', { suffix: '.state' }],
  ]),
  ...rows('enum', 'a number', 'names', 'text', [
    [
      'EnumInteger',
      'The name that the column’s enum gives the number.',
      '1',
      'up',
      { suffix: '.name', names: 'integerEnum' },
    ],
    [
      'EnumIntegerKeepID',
      'As EnumInteger, and the number itself in a second field.',
      '1',
      'up',
      { suffix: '.name', names: 'integerEnum', companion: { suffix: '.id', syntax: 'Integer' } },
    ],
  ]),
  ...rows(
    'enum',
    'octets (bit 0 is the first bit of the first octet) or a number (bit 0 is worth 1)',
    'bits',
    'list',
    [
      [
        'EnumBitmap',
        'The names of the bits that are set.',
        '0xa0',
        '["first","third"]',
        { names: 'bitmapEnum' },
      ],
    ],
  ),
  ...rows('enum', 'an OID', 'oidNames', 'text', [
    [
      'EnumObjectIdentifier',
      'The name of the OID, or the OID itself.',
      '.1.3.6.1.2.1.25.2.1.4',
      'fixedDisk',
      { suffix: '.name', names: 'oidEnum' },
    ],
    [
      'EnumObjectIdentifierKeepOID',
      'As EnumObjectIdentifier, and the OID itself in a second field.',
      '.1.3.6.1.2.1.25.2.1.4',
      'fixedDisk',
      { suffix: '.name', names: 'oidEnum', companion: { suffix: '.oid', syntax: 'ObjectIdentifier' } },
    ],
  ]),
  ...rows('built-in names', 'a number', 'names', 'text', [
    [
      'IANAifType',
      'The column’s enum, else the IANA name of an interface type.',
      '6',
      'ethernetCsmacd',
      { suffix: '.name', names: 'ifType' },
    ],
    ['InetAddressType', 'The name of an address type (RFC 4001).', '2', 'ipv6', { names: 'inetAddressType' }],
    ['InetVersion', 'The name of an IP version (RFC 4001).', '1', 'ipv4', { names: 'inetVersion' }],
    ['IanaL4Proto', 'The IANA keyword of an IP protocol number.', '17', 'udp', { names: 'ipProtocol' }],
    ['IanaSafi', 'The name of a subsequent address family (RFC 4760).', '1', 'unicast', { names: 'safi' }],
  ]),
  ...rows('date', '8 or 11 octets', 'dateAndTime', 'text', [
    [
      'DateAndTime',
      'ISO 8601; without an offset where the value has none.',
      '0x07e8021d0d1e0f022b0200',
      '2024-02-29T13:30:15.2+02:00',
    ],
  ]),
  ...rows('date', 'text', 'dateInText', 'text', [
    [
      'DateInText',
      'A date in English or ISO order, as ISO 8601. Dates such as 01/02/2024 are not read: the day may come first or second.',
      '"Thu Feb 29 13:30:15 2024"',
      '2024-02-29T13:30:15',
    ],
  ]),
  ...rows('date', 'text', 'epochInText', 'number', [
    [
      'EpochInText',
      'The same date as ms since 1970, in UTC where the text has no offset. A text without digits, such as "Never", is absent.',
      '"Thu Feb 29 13:30:15 2024"',
      '1709213415000',
      { unit: 'ms', dimension: 'timestamp' },
    ],
  ]),
  ...rows('none', 'anything', 'none', 'none', [
    ['skip', 'Consumed and not emitted.', '1', ''],
    ['none', 'Not emitted.', '1', ''],
  ]),
];

function rows(
  family: string,
  input: string,
  reading: Reading,
  kind: SyntaxKind,
  list: readonly Row[],
): Syntax[] {
  return list.map(([name, description, raw, value, extra]) => ({
    name,
    family,
    input,
    kind,
    reading,
    scale: unscaled,
    suffix: '',
    description,
    example: [raw, value],
    ...extra,
  }));
}
