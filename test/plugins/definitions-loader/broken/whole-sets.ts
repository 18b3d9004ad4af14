import { baseSet } from '../support/base-set.ts';
import { type BrokenSet, breakSet } from './broken-set.ts';

const devices = 'devices/core.yml';
const ifMib = 'objects/if-mib.yml';
const ifxMib = 'objects/ifx-mib.yml';
const networks = 'autodiscover/networks.yml';
const secret = '${env:WAYWISER_TEST_COMMUNITY}';

/** Faults of the set as a whole: references, collisions, circles, devices. */
export function wholeSets(): BrokenSet[] {
  return [...references(), ...duplicates(), ...objects(), ...deviceSets(), ...secrets()];
}

function references(): BrokenSet[] {
  const rows: [file: string, find: string, replace: string][] = [
    ['object_groups/all.yml', '- IF-MIB::ifXEntry', '- «IF-MIB::ifXEntri'],
    ['object_groups/all.yml', '- SNMPv2-MIB::system', '- «SNMPv2-MIB::System'],
    ['device_groups/all.yml', '- system', '- «sistem'],
    [
      'device_groups/all.yml',
      'switches:\n  object_groups:\n    - interfaces',
      'switches:\n  object_groups:\n    - «interface',
    ],
    [devices, '- routers', '- «router'],
    [devices, '- switches', '- «switch'],
    [devices, 'static: 600', 'sttic: «600'],
    ['defaults/device.yml', 'dynamic: 60', 'dynamik: «60'],
    ['autodiscover/sysoids/all.yml', '2636.1: switches', '2636.1: «switch'],
    [ifMib, 'type: dynamic', 'type: «dinamic'],
    ['objects/system.yml', 'type: static', 'type: «slow'],
    [ifxMib, 'augments: IF-MIB::ifEntry', 'augments: «IF-MIB::ifEntri'],
    [ifxMib, '        object: IF-MIB::ifEntry', '        object: «IF-MIB::ifEntri'],
    [ifxMib, 'attribute: ifInOctets', 'attribute: «ifInOctet'],
  ];
  return rows.map((row) => breakSet('unknown-reference', ...row, 'warning'));
}

/** The same id in two files of one directory; it is reported in the later file. */
function duplicates(): BrokenSet[] {
  const again = (id: string, file: string) =>
    /^.*/.exec((baseSet[file] ?? '').slice((baseSet[file] ?? '').indexOf(id)))?.[0];
  return [
    breakSet('duplicate-id', 'devices/other.yml', '', `«router: { ip: 192.0.2.77 }\n`),
    breakSet(
      'duplicate-id',
      'device_groups/other.yml',
      '',
      '# later\n«routers: { object_groups: [system] }\n',
      'warning',
    ),
    breakSet(
      'duplicate-id',
      'object_groups/other.yml',
      '',
      '«system: { objects: [SNMPv2-MIB::system] }\n',
      'warning',
    ),
    breakSet('duplicate-id', 'objects/zz.yml', '', '«SNMPv2-MIB::system: { attributes: {} }\n', 'warning'),
    breakSet(
      'duplicate-id',
      'enums/integer/zz.yml',
      '',
      `«${again('.1.3', 'enums/integer/if.yml')} { 1: on }\n`,
      'warning',
    ),
    breakSet('duplicate-id', 'enums/bitmap/zz.yml', '', '«.1.3.6.1.4.1.63000.1: { 0: a }\n', 'warning'),
    breakSet('duplicate-id', 'enums/oid/zz.yml', '', '«.1.3.6.1.4.1.9: other\n', 'warning'),
    breakSet('duplicate-id', 'autodiscover/sysoids/zz.yml', '', '«.1.3.6.1.4.1.9.1: switches\n', 'warning'),
  ];
}

function objects(): BrokenSet[] {
  return [
    ...[
      [ifMib, 'syntax: BytesB', 'syntax: «ByteB'],
      [ifMib, 'syntax: EnumInteger', 'syntax: «EnumIntger'],
      [ifMib, 'syntax: InterfaceIndex', 'syntax: «InterfaceIndx'],
      [ifxMib, 'syntax: BytesB', 'syntax: «bytesb'],
      ['objects/system.yml', 'syntax: TimeTicks', 'syntax: «Timeticks'],
      ['objects/system.yml', 'syntax: DisplayString', 'syntax: «String'],
    ].map(([file = '', find = '', replace = '']) => breakSet('unknown-syntax', file, find, replace)),
    breakSet(
      'unknown-discovery-attribute',
      ifMib,
      'discovery_attribute: ifDescr',
      'discovery_attribute: «ifDesc',
      'warning',
    ),
    breakSet(
      'unknown-discovery-attribute',
      ifxMib,
      'discovery_attribute: ifName',
      'discovery_attribute: «ifDescr',
      'warning',
    ),
    breakSet('missing-enum', ifMib, 'syntax: DisplayString', 'syntax: «EnumInteger', 'warning'),
    breakSet('missing-enum', ifMib, 'syntax: EnumInteger', 'syntax: «EnumBitmap', 'warning'),
    breakSet(
      'implied-part-not-last',
      ifMib,
      '- type: Integer\n',
      '- type: «ImplicitOctetString\n      name: a\n      syntax: DisplayString\n    - type: Integer\n',
      'warning',
    ),
    breakSet(
      'implied-part-not-last',
      ifMib,
      '- type: Integer\n',
      '- type: «ImplicitObjectIdentifier\n    - type: Integer\n',
      'warning',
    ),
    breakSet(
      'oid-outside-object',
      ifMib,
      'oid: .1.3.6.1.2.1.2.2.1.10',
      'oid: «.1.3.6.1.2.1.31.1.1.1.6',
      'warning',
    ),
    breakSet(
      'index-and-augments',
      ifxMib,
      '  discovery_attribute',
      '  «index:\n    - { type: Integer, name: x, syntax: Integer }\n  discovery_attribute',
      'warning',
    ),
    breakSet(
      'augments-circle',
      ifMib,
      '  index:\n    - type: Integer\n      oid: .1.3.6.1.2.1.2.2.1.1\n      name: netif\n      syntax: InterfaceIndex\n',
      '  augments: «IF-MIB::ifXEntry\n',
    ),
    breakSet('augments-circle', ifxMib, 'augments: IF-MIB::ifEntry', 'augments: «IF-MIB::ifXEntry'),
    breakSet('unknown-scale', 'objects/system.yml', 'prefix: sysPrefix', 'prefix: «sysPrefx'),
    breakSet('scale-circle', 'objects/system.yml', 'precision: sysPlaces', 'precision: «sysUpTime'),
    breakSet('scale-ignored', 'objects/system.yml', 'metric: gauge\n      scale:', '«scale:', 'warning'),
    breakSet(
      'enum-key-dot',
      'enums/integer/if.yml',
      '.1.3.6.1.2.1.2.2.1.8:',
      '«1.3.6.1.2.1.2.2.1.8:',
      'warning',
    ),
    breakSet(
      'enum-key-dot',
      'enums/bitmap/if.yml',
      '.1.3.6.1.4.1.63000.1:',
      '«1.3.6.1.4.1.63000.1_trap:',
      'warning',
    ),
    breakSet('enum-key-dot', 'enums/oid/vendors.yml', '.1.3.6.1.4.1.2636:', '«1.3.6.1.4.1.2636:', 'warning'),
  ];
}

function deviceSets(): BrokenSet[] {
  const other = (ip: string, port = 1161) => `other: { ip: «'${ip}', port: ${port} }\n`;
  return [
    breakSet('duplicate-device', devices, '', other('192.0.2.1')),
    breakSet('duplicate-device', devices, '', other('::ffff:192.0.2.1')),
    breakSet('duplicate-device', devices, '', other('::ffff:c000:201')),
    breakSet('duplicate-device', devices, '', other('2001:db8::1', 161)),
    breakSet('duplicate-device', devices, '', other('2001:DB8:0:0:0:0:0:1', 161)),
    breakSet('duplicate-device', devices, '', other('2001:0db8:0000::0001', 161)),
    breakSet('duplicate-device', 'devices/more.yml', '', "switch-again: { ip: «'2001:db8:0::1' }\n"),
    breakSet('bad-address', devices, 'ip: 192.0.2.1', 'ip: «192.0.2.256'),
    breakSet('bad-address', devices, 'ip: 192.0.2.1', 'ip: «192.0.2'),
    breakSet('bad-address', devices, 'ip: 192.0.2.1', 'ip: «192.0.2.1/24'),
    breakSet('bad-address', devices, 'ip: 192.0.2.1', 'ip: «2001:db8:::1'),
    breakSet('bad-address', devices, 'ip: 192.0.2.1', 'ip: «"two words"'),
    breakSet('bad-address', devices, 'ip: 192.0.2.1', 'ip: «-router.example'),
    breakSet(
      'no-credentials',
      devices,
      'switch:\n  ip: 2001:db8::1\n  version: 3\n  v3_credentials:\n',
      '«switch:\n  ip: 2001:db8::1\n  version: 2c\n  communities: []\n  v3_credentials:\n',
    ),
    breakSet(
      'no-credentials',
      devices,
      'router:\n  ip: 192.0.2.1\n  port: 1161\n  version: 2c',
      '«router:\n  ip: 192.0.2.1\n  port: 1161\n  version: 3',
    ),
    breakSet(
      'no-credentials',
      devices,
      '- username: reader\n      authentication_protocol: sha256\n      authentication_passphrase: ${env:WAYWISER_TEST_COMMUNITY}\n',
      '- «username: reader\n      authentication_protocol: sha256\n',
    ),
    breakSet(
      'no-credentials',
      devices,
      '- username: reader\n      authentication_protocol: sha256\n',
      '- «username: reader\n',
    ),
    breakSet(
      'no-credentials',
      devices,
      `- username: reader\n      authentication_protocol: sha256\n      authentication_passphrase: ${secret}\n      privacy_protocol: aes\n      privacy_passphrase: ${secret}\n`,
      `- «username: reader\n      authentication_protocol: sha256\n      authentication_passphrase: ${secret}\n      privacy_protocol: aes\n`,
    ),
  ];
}

function secrets(): BrokenSet[] {
  return [
    breakSet('plain-text-secret', devices, `- ${secret}`, '- «public', 'warning'),
    breakSet('plain-text-secret', 'defaults/device.yml', secret, '«public', 'warning'),
    breakSet(
      'plain-text-secret',
      devices,
      `authentication_passphrase: ${secret}`,
      'authentication_passphrase: «hunter2hunter2',
      'warning',
    ),
    breakSet(
      'plain-text-secret',
      devices,
      `privacy_passphrase: ${secret}`,
      'privacy_passphrase: «12345678',
      'warning',
    ),
    breakSet(
      'short-passphrase',
      devices,
      `authentication_passphrase: ${secret}`,
      'authentication_passphrase: «1234567',
    ),
    breakSet(
      'short-passphrase',
      devices,
      `privacy_passphrase: ${secret}`,
      'privacy_passphrase: «${env:WAYWISER_TEST_SHORT}',
    ),
    breakSet('plain-text-secret', networks, `community: ${secret}`, 'community: «public', 'warning'),
    breakSet('unresolved-secret', devices, `- ${secret}`, '- «${env:WAYWISER_TEST_NOBODY_SETS}'),
    breakSet('unresolved-secret', devices, `- ${secret}`, '- «${file:nobody-wrote-it}'),
    breakSet('unresolved-secret', 'defaults/device.yml', secret, '«${env:WAYWISER_TEST_NOBODY_SETS}'),
    breakSet('unresolved-secret', networks, secret, '«${env:WAYWISER_TEST_NOBODY_SETS}'),
    breakSet('bad-secret-reference', devices, `- ${secret}`, '- «${vault:x}'),
    breakSet('bad-secret-reference', devices, `- ${secret}`, '- «${env:}'),
    breakSet('bad-secret-reference', devices, `- ${secret}`, '- «${file:../outside}'),
    breakSet('no-credentials', networks, `- version: 2c\n      community: ${secret}`, '- «version: 2c'),
    breakSet(
      'no-credentials',
      networks,
      '- version: 3\n      v3_credential:\n        username: reader\n',
      '- «version: 3\n',
    ),
    breakSet(
      'no-credentials',
      networks,
      '- version: 3\n      v3_credential:\n        username: reader\n',
      '- «version: 3\n      v3_credential:\n        username: reader\n        authentication_protocol: sha\n',
    ),
  ];
}
