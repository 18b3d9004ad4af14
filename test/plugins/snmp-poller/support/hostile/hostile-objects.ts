const tables = 8;
const columns = 10;

/** Eight tables that hostile devices answer for, and what a device is watched by. */
const hostileObjectIds: readonly string[] = [
  'BENCH::system',
  'IF-MIB::ifEntry',
  'IF-MIB::ifXEntry',
  ...Array.from({ length: tables }, (_, i) => `T${i + 1}::entry`),
];

/** The definition files of the device group `hostile`, by path. IF-MIB comes from elsewhere. */
export function hostileDefinitions(): Readonly<Record<string, string>> {
  const own = Array.from({ length: tables }, (_, i) => tableOf(`T${i + 1}::entry`, i + 1));
  return {
    'objects/hostile.yml': system + own.join(''),
    'object_groups/hostile.yml': `hostile: { objects: [${hostileObjectIds.join(', ')}] }\n`,
    'device_groups/hostile.yml': 'hostile: { object_groups: [hostile] }\n',
  };
}

/** A device of this group per port. */
export function describeHostileDevices(
  devices: readonly { readonly name: string; readonly port: number; readonly isV3: boolean }[],
  everySeconds: number,
): string {
  const access = { v2c: 'version: 2c, communities: [public]', v3: `version: 3, v3_credentials: [${user}]` };
  return devices
    .map(
      ({ name, port, isV3 }) =>
        `${name}: { ip: 127.0.0.1, port: ${port}, ${isV3 ? access.v3 : access.v2c}, device_groups: [hostile], poll_interval: ${everySeconds} }\n`,
    )
    .join('');
}

const user =
  '{ username: bench, authentication_protocol: sha256, authentication_passphrase: maplesyrup, privacy_protocol: aes, privacy_passphrase: maplesyrup }';

const system = `BENCH::system:
  mib: BENCH
  object: system
  attributes:
    sysObjectID: { oid: .1.3.6.1.2.1.1.2, name: system.id, syntax: ObjectIdentifier, tag: true, rediscover: OnChange }
    sysUpTime: { oid: .1.3.6.1.2.1.1.3, name: system.uptime, syntax: TimeTicks, metric: gauge, rediscover: OnReset }
`;

function tableOf(id: string, number: number): string {
  const entry = `.1.3.6.1.4.1.99999.1.${number}.1.1`;
  const counters = Array.from({ length: columns - 2 }, (_, i) => i + 3)
    .map(
      (c) =>
        `    c${c}: { oid: ${entry}.${c}, name: t${number}.c${c}, syntax: Counter64, metric: counter }\n`,
    )
    .join('');
  return `${id}:
  mib: BENCH
  object: t${number}
  index: [{ type: Integer, oid: ${entry}.1, name: t${number}.index, syntax: Unsigned32 }]
  discovery_attribute: c1
  attributes:
    c1: { oid: ${entry}.1, name: t${number}.name, syntax: DisplayString, tag: true }
    c2: { oid: ${entry}.2, name: t${number}.text, syntax: DisplayString }
${counters}`;
}
