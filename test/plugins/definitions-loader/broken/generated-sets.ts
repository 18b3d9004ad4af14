import { baseSet } from '../support/base-set.ts';
import { type BrokenSet, breakSet } from './broken-set.ts';

/** Files whose keys below the ids are fixed by a schema. */
const closedFiles = [
  'defaults/device.yml',
  'defaults/object_types.yml',
  'devices/core.yml',
  'device_groups/all.yml',
  'object_groups/all.yml',
  'objects/if-mib.yml',
  'objects/ifx-mib.yml',
  'objects/system.yml',
  'autodiscover/networks.yml',
];

/** Lines `key: value` with a key of the schema, each once by file: the rest of the line starts at the key. */
function* keyLines(): Generator<
  { file: string; line: string; start: string; key: string; value: string },
  void
> {
  for (const file of closedFiles) {
    const lines = (baseSet[file] ?? '').split('\n');
    for (const line of lines) {
      const [, start = '', key = '', value = ''] = /^(\s+(?:- )?)([a-z_]\w*):(?: (.*))?$/.exec(line) ?? [];
      const isFree = /^(dynamic|static|site)$/.test(key) || /^ {4}(if|sys)/.test(line);
      if (key === '' || isFree || lines.indexOf(line) !== lines.lastIndexOf(line)) continue;
      yield { file, line: `\n${line}\n`, start: `\n${start}`, key, value };
    }
  }
}

/** Each key of each schema misspelt. */
export function misspeltKeys(): BrokenSet[] {
  return [...keyLines()].map(({ file, line, start, key, value }) =>
    breakSet('unknown-key', file, line, `${start}«${key}z:${value === '' ? '' : ` ${value}`}\n`),
  );
}

/** Each scalar replaced by a list, which no key takes in its place. */
export function wrongTypes(): BrokenSet[] {
  return [...keyLines()]
    .filter(({ value }) => value !== '')
    .map(({ file, line, start, key }) => breakSet('wrong-type', file, line, `${start}${key}: «[{ a: 1 }]\n`));
}

/** Each list or map replaced by a number. */
export function wrongHolders(): BrokenSet[] {
  const cases: [file: string, block: RegExp][] = [
    ['devices/core.yml', / {2}(communities|device_groups|contexts|v3_credentials):\n( {4}.*\n)+/g],
    ['devices/core.yml', / {2}(poll_intervals|tags):\n( {4}.*\n)+/g],
    ['device_groups/all.yml', / {2}(object_groups):\n( {4}.*\n)+/g],
    ['object_groups/all.yml', / {2}(objects):\n( {4}.*\n)+/g],
    ['objects/if-mib.yml', / {2}(index|attributes):\n( {4}.*\n)+/g],
    ['objects/ifx-mib.yml', / {6}(overrides):\n( {8}.*\n)+/g],
    ['autodiscover/networks.yml', / {2}(credentials|networks):\n( {4}.*\n)+/g],
  ];
  return cases.flatMap(([file, block]) =>
    [...(baseSet[file] ?? '').matchAll(block)].map(([text, key = '']) =>
      breakSet('wrong-type', file, text, `${/^ */.exec(text)?.[0] ?? ''}${key}: «7\n`),
    ),
  );
}

/** Each required key left out; the problem is at the entry without it. */
export function missingKeys(): BrokenSet[] {
  return [
    breakSet('missing-key', 'devices/core.yml', 'router:\n  ip: 192.0.2.1\n', '«router:\n'),
    breakSet('missing-key', 'devices/core.yml', 'switch:\n  ip: 2001:db8::1\n', '«switch:\n'),
    breakSet('missing-key', 'defaults/object_types.yml', 'static:\n  poll_interval: 3600\n', '«static: {}\n'),
    breakSet(
      'empty-device-group',
      'device_groups/all.yml',
      'switches:\n  object_groups:\n    - interfaces\n',
      '«switches: {}\n',
    ),
    breakSet(
      'missing-key',
      'object_groups/all.yml',
      'system:\n  objects:\n    - SNMPv2-MIB::system\n',
      '«system: {}\n',
    ),
    breakSet(
      'missing-key',
      'objects/system.yml',
      '    sysUpTime:\n      oid: .1.3.6.1.2.1.1.3\n',
      '    «sysUpTime:\n',
    ),
    breakSet(
      'missing-key',
      'objects/system.yml',
      'sysUpTime:\n      oid: .1.3.6.1.2.1.1.3\n      name: system.uptime\n      syntax: TimeTicks\n',
      '«sysUpTime:\n      oid: .1.3.6.1.2.1.1.3\n      name: system.uptime\n',
    ),
    breakSet('missing-key', 'objects/if-mib.yml', '    - type: Integer\n      oid:', '    - «oid:'),
    breakSet(
      'missing-key',
      'objects/ifx-mib.yml',
      'overrides:\n        object: IF-MIB::ifEntry\n',
      '«overrides:\n',
    ),
    breakSet(
      'missing-key',
      'objects/ifx-mib.yml',
      'overrides:\n        object: IF-MIB::ifEntry\n        attribute: ifInOctets\n',
      '«overrides:\n        object: IF-MIB::ifEntry\n',
    ),
    breakSet(
      'missing-key',
      'devices/core.yml',
      '    - username: reader\n      authentication_protocol',
      '    - «authentication_protocol',
    ),
    breakSet(
      'missing-key',
      'autodiscover/networks.yml',
      '    - version: 2c\n      community',
      '    - «community',
    ),
    breakSet(
      'missing-key',
      'autodiscover/networks.yml',
      'v3_credential:\n        username: reader',
      '«v3_credential:\n        privacy_protocol: nopriv',
    ),
    breakSet(
      'missing-key',
      'autodiscover/networks.yml',
      'office:\n',
      'lab: { networks: [192.0.2.0/24] }\noffice:\n'.replace('lab', '«lab'),
    ),
  ];
}
