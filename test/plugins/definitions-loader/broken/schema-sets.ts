import { type BrokenSet, breakSet } from './broken-set.ts';

const devices = 'devices/core.yml';
const ifMib = 'objects/if-mib.yml';
const ifxMib = 'objects/ifx-mib.yml';
const networks = 'autodiscover/networks.yml';

type Row = readonly [file: string, find: string, replace: string];

/** Values of the right type that are not allowed. */
const badValues: readonly Row[] = [
  [devices, 'port: 1161', 'port: «0'],
  [devices, 'port: 1161', 'port: «-1'],
  [devices, 'port: 1161', 'port: «65536'],
  [devices, 'poll_interval: 30', 'poll_interval: «0'],
  [devices, 'poll_interval: 30', 'poll_interval: «604801'],
  [devices, 'static: 600', 'static: «-5'],
  [devices, 'timeout: 2000', 'timeout: «0'],
  [devices, 'timeout: 2000', 'timeout: «600001'],
  [devices, 'retries: 0', 'retries: «-1'],
  [devices, 'retries: 0', 'retries: «101'],
  [devices, 'max_oids: 32', 'max_oids: «0'],
  [devices, 'max_oids: 32', 'max_oids: «65536'],
  [devices, 'max_repetitions: 20', 'max_repetitions: «0'],
  [devices, 'max_repetitions: 20', 'max_repetitions: «automatic'],
  [devices, 'max_concurrent_polls: 2', 'max_concurrent_polls: «0'],
  [devices, 'transport: udp', 'transport: «tcp'],
  [devices, 'reply_from: any', 'reply_from: «all'],
  [devices, '  version: 2c', '  version: «2'],
  [devices, '  version: 2c', '  version: «v2c'],
  [devices, '  version: 3', '  version: «4'],
  [devices, '    - routers', "    - «''"],
  [devices, 'ip: 192.0.2.1', "ip: «''"],
  [devices, 'authentication_protocol: sha256', 'authentication_protocol: «sha265'],
  [devices, 'authentication_protocol: sha256', 'authentication_protocol: «SHA'],
  [devices, 'privacy_protocol: aes', 'privacy_protocol: «aes128'],
  [devices, 'authoritative_engine_boots: 1', 'authoritative_engine_boots: «-1'],
  [devices, 'authoritative_engine_time: 2', 'authoritative_engine_time: «2147483648'],
  [devices, 'username: reader', "username: «''"],
  ['defaults/device.yml', '  version: 2c', '  version: «2d'],
  ['defaults/device.yml', 'retries: 2', 'retries: «1000'],
  ['defaults/device.yml', '  timeout: 3000', '  timeout: «-3000'],
  ['defaults/object_types.yml', 'poll_interval: 3600', 'poll_interval: «0'],
  ['device_groups/all.yml', '- system', "- «''"],
  ['object_groups/all.yml', '- SNMPv2-MIB::system', "- «''"],
  [ifMib, 'oid: .1.3.6.1.2.1.2.2.1.10', 'oid: «.1.3.6.x'],
  [ifMib, 'oid: .1.3.6.1.2.1.2.2.1.10', 'oid: «..1.3'],
  [ifMib, 'oid: .1.3.6.1.2.1.2.2.1.10', 'oid: «ifInOctets'],
  [ifMib, 'oid: .1.3.6.1.2.1.2.2.1.10', "oid: «''"],
  [ifMib, 'oid: .1.3.6.1.2.1.2.2.1.1\n', 'oid: «.1.3.\n'],
  [ifMib, 'metric: counter', 'metric: «counts'],
  [ifMib, 'metric: counter', 'metric: «Counter'],
  [ifMib, 'rediscover: OnReset', 'rediscover: «OnRest'],
  [ifMib, 'rediscover: OnReset', 'rediscover: «onreset'],
  [ifMib, 'type: Integer', 'type: «Integr'],
  [ifMib, 'type: Integer', 'type: «Counter32'],
  [ifMib, 'name: netif.bytes.in', "name: «''"],
  [ifMib, 'type: dynamic', "type: «''"],
  [ifxMib, 'augments: IF-MIB::ifEntry', "augments: «''"],
  [ifxMib, 'unit: By', "unit: «''"],
  ['enums/integer/if.yml', '2: down', '«two: down'],
  ['enums/integer/if.yml', '2: down', '«1.5: down'],
  ['enums/integer/if.yml', '-1: broken', '«--1: broken'],
  ['enums/bitmap/if.yml', '1: second', '«0x1: second'],
  ['enums/bitmap/if.yml', '.1.3.6.1.4.1.63000.1:', '«.1.3.6.enterprises:'],
  ['enums/integer/if.yml', '.1.3.6.1.2.1.2.2.1.8:', '«ifOperStatus:'],
  ['enums/oid/vendors.yml', '.1.3.6.1.4.1.2636:', '«.1.3.6..2636:'],
  ['autodiscover/sysoids/all.yml', '.1.3.6.1.4.1.2636.1:', '«juniper:'],
  ['autodiscover/sysoids/all.yml', '.1.3.6.1.4.1.2636.1:', '«.1.3.6.1.4.1.2636.1_x:'],
  [networks, 'port: 161', 'port: «70000'],
  [networks, 'version: 2c', 'version: «2b'],
  [networks, 'retries: 1', 'retries: «-1'],
  [networks, '198.51.100.0/24', '«198.51.100.0/33'],
  [networks, '198.51.100.0/24', '«198.51.100.0'],
  [networks, '198.51.100.0/24', '«office-lan'],
  [networks, '198.51.100.0/24', '«2001:db8::/129'],
];

/** Values of the wrong type for their key. */
const wrongTypes: readonly Row[] = [
  [devices, 'port: 1161', 'port: «"1161"'],
  [devices, 'port: 1161', 'port: «161.5'],
  [devices, 'exponential_timeout: false', 'exponential_timeout: «no'],
  [devices, 'exponential_timeout: false', 'exponential_timeout: «0'],
  [devices, 'enabled: true', 'enabled: «yes'],
  [devices, 'enabled: true', 'enabled: «1'],
  [devices, 'poll_interval: 30', 'poll_interval: «30s'],
  [devices, 'timeout: 2000', 'timeout: «2.5'],
  [devices, 'static: 600', 'static: «often'],
  [devices, 'site: north', 'site: «[north]'],
  [ifMib, 'tag: true', 'tag: «yes'],
  [ifMib, 'tag: true', 'tag: «1'],
  ['enums/integer/if.yml', '2: down', '2: «[down]'],
  ['enums/bitmap/if.yml', '1: second', '1: «{ a: b }'],
  ['enums/oid/vendors.yml', 'juniper', '«[juniper]'],
  ['autodiscover/sysoids/all.yml', 'switches', '«{ group: switches }'],
  ['defaults/device.yml', 'retries: 2', 'retries: «two'],
  ['defaults/object_types.yml', 'poll_interval: 3600', 'poll_interval: «1h'],
  [networks, 'exponential_timeout: true', 'exponential_timeout: «maybe'],
  ['object_groups/all.yml', 'system:\n  objects:\n    - SNMPv2-MIB::system', 'system: «SNMPv2-MIB::system'],
  ['device_groups/all.yml', 'switches:\n  object_groups:\n    - interfaces', 'switches: «[interfaces]'],
  [
    'enums/integer/if.yml',
    '.1.3.6.1.2.1.2.2.1.8:\n  1: up\n  2: down\n  -1: broken',
    '.1.3.6.1.2.1.2.2.1.8: «up',
  ],
];

/** Names that JavaScript objects already have, and merge keys. */
const forbidden: readonly Row[] = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'].flatMap((name): Row[] => [
    [devices, 'router:\n', `«${name}:\n  ip: 192.0.2.9\nrouter:\n`],
    [devices, 'port: 1161', `port: 1161\n  «${name}: 1`],
    [devices, 'site: north', `site: north\n    «${name}: south`],
    [ifMib, '    ifInOctets:\n', `    «${name}:\n`],
    [ifMib, 'IF-MIB::ifEntry:\n', `«${name}: {}\nIF-MIB::ifEntry:\n`],
  ]),
  ['enums/integer/if.yml', '2: down', '«__proto__: down'],
];

const mergeKeys: readonly Row[] = [
  [devices, 'port: 1161', '«<<: { port: 1161 }'],
  [devices, 'router:\n', '«<<: {}\nrouter:\n'],
  [ifMib, '      metric: counter', '      «<<: { metric: counter }'],
];

const rules = {
  'bad-value': badValues,
  'wrong-type': wrongTypes,
  'forbidden-key': forbidden,
  'merge-key': mergeKeys,
};

export function schemaSets(): BrokenSet[] {
  return Object.entries(rules).flatMap(([rule, rows]) => rows.map((row) => breakSet(rule, ...row)));
}
