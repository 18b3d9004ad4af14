import { type BrokenSet, breakSet } from './broken-set.ts';

/** Faults of a document as such. */
export function documentSets(): BrokenSet[] {
  const system = 'objects/system.yml';
  const more = (name: string, replace: string, rule: string) => breakSet(rule, name, '', replace);
  return [
    ...[
      'a: "b\n«',
      "a: 'b\n«",
      'a: [1, 2\n«',
      'a: {b: 1\n«',
      'a: 1\n b«: 2\n',
      'a: b«: c\n',
      'a: 1\n«\tb: 2\n',
      'a: «%b\n',
      'a: «@b\n',
      'a: «`b`\n',
      'a: |\n«\tb\n',
      '- a\n«b: 1\n',
      'a: *«b\n',
      'a: "\\«q"\n',
      '«]\n',
    ].map((text) => more('objects/bad.yml', text, 'syntax')),
    more('objects/list.yml', '«- a\n- b\n', 'not-a-map'),
    more('devices/text.yml', '«just text\n', 'not-a-map'),
    more('enums/integer/number.yml', '«5\n', 'not-a-map'),
    more('objects/two.yml', '«a: 1\n---\nb: 2\n', 'several-documents'),
    more('objects/tag.yml', 'A: «!include b.yml\n', 'custom-tag'),
    more('objects/tag.yml', 'A:\n  mib: «!!js/function "x"\n', 'custom-tag'),
    more('objects/tag.yml', 'A: «!!binary aGVsbG8=\n', 'custom-tag'),
    more('objects/deep.yml', `A: ${'['.repeat(63)}«[${']'.repeat(64)}\n`, 'too-deep'),
    breakSet('duplicate-key', system, '  object: system\n', '  object: system\n  «object: other\n'),
    breakSet(
      'duplicate-key',
      system,
      'name: system.descr\n',
      'name: system.descr\n      «name: system.other\n',
    ),
    breakSet('duplicate-key', 'devices/core.yml', 'retries: 0\n', 'retries: 0\n  «retries: 1\n'),
    breakSet('duplicate-key', 'enums/integer/if.yml', '2: down', '2: down\n  «2: up'),
    breakSet('duplicate-key', system, '    sysUpTime:', '    «sysDescr:'),
    breakSet('duplicate-id', 'device_groups/all.yml', 'switches:', '«routers:'),
    breakSet('duplicate-id', 'object_groups/all.yml', 'system:', '«interfaces:'),
    breakSet('duplicate-id', 'devices/core.yml', 'switch:', '«router:'),
    breakSet('duplicate-id', 'defaults/object_types.yml', 'static:', '«dynamic:'),
    breakSet('duplicate-id', 'enums/oid/vendors.yml', '.1.3.6.1.4.1.2636:', '«.1.3.6.1.4.1.9:'),
    breakSet('duplicate-id', 'autodiscover/sysoids/all.yml', '.1.3.6.1.4.1.2636.1:', '«.1.3.6.1.4.1.9.1:'),
    breakSet('duplicate-id', 'autodiscover/sysoids/all.yml', '.1.3.6.1.4.1.2636.1:', '«1.3.6.1.4.1.9.1:'),
    breakSet('several-defaults', 'defaults/device.yml', '', '«other:\n  retries: 1\n'),
    breakSet('stray-file', 'autodiscover/others.yml', '', '«a: 1\n', 'warning'),
    breakSet('stray-file', 'defaults/devices.yml', '', '«a: 1\n', 'warning'),
    breakSet('stray-file', 'enums/other.yml', '', '«a: 1\n', 'warning'),
  ];
}
