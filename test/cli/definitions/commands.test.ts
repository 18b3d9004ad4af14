import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { env, execPath } from 'node:process';
import { describe, it } from 'node:test';
import { baseSet } from '../../plugins/definitions-loader/support/base-set.ts';
import { DefinitionDirectory } from '../../plugins/definitions-loader/support/definition-directory.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';

const main = modulePath(new URL('../../../src/cli/main.ts', import.meta.url));
const system = baseSet['objects/system.yml'] ?? '';

describe('waywiser check', () => {
  it('counts the definitions of a valid directory', () => {
    using directory = new DefinitionDirectory(baseSet);
    const { status, stdout } = waywiser('check', directory.path, '--strict', '--json');
    equal(status, 0);
    const { counts, problems } = JSON.parse(stdout);
    deepEqual(problems, []);
    deepEqual(
      [
        counts.objects,
        counts.attributes,
        counts.objectGroups,
        counts.deviceGroups,
        counts.devices,
        counts.enums,
      ],
      [3, 9, 2, 2, 2, 2],
    );
  });

  it('lists every problem and exits with 1 on errors', () => {
    using directory = new DefinitionDirectory({
      ...baseSet,
      'objects/system.yml': system.replace('TimeTicks', 'Timetick'),
    });
    const { status, stdout } = waywiser('check', directory.path, '--json');
    equal(status, 1);
    const [{ message, ...place }] = JSON.parse(stdout).problems;
    deepEqual(place, {
      level: 'error',
      file: 'objects/system.yml',
      line: 13,
      column: 15,
      rule: 'unknown-syntax',
    });
    match(message, /TimeTicks/);
    match(waywiser('check', directory.path).stdout, /objects\/system\.yml:13:15/);
  });

  it('exits with 1 on warnings only with --strict', () => {
    using directory = new DefinitionDirectory({ ...baseSet, 'enums/oid/x.yml': '1.3.6.1.4.1.2: ibm\n' });
    equal(waywiser('check', directory.path).status, 0);
    const strict = waywiser('check', directory.path, '--strict', '--json');
    equal(strict.status, 1);
    equal(JSON.parse(strict.stdout).problems[0].level, 'error');
  });

  it('checks the style guide with --style', () => {
    using directory = new DefinitionDirectory(baseSet);
    const { status, stdout } = waywiser('check', directory.path, '--style', '--json');
    equal(status, 0);
    const { problems } = JSON.parse(stdout);
    const described = problems.find(({ rule }: { rule: string }) => rule === 'style-description');
    deepEqual([described.level, described.file, described.line], ['warning', 'objects/if-mib.yml', 12]);
  });

  it('fails without a directory', () => {
    equal(waywiser('check', '/nowhere/at/all').status, 1);
  });
});

describe('waywiser diff', () => {
  it('shows differences by id and by field, without secrets', () => {
    using before = new DefinitionDirectory(baseSet);
    using after = new DefinitionDirectory({
      ...baseSet,
      'objects/system.yml': system.replace('system.uptime', 'system.up_time'),
      'device_groups/more.yml': 'more: { object_groups: [system] }\n',
      'devices/core.yml': (baseSet['devices/core.yml'] ?? '').replace(
        '${env:WAYWISER_TEST_COMMUNITY}',
        'canary',
      ),
    });
    const { status, stdout } = waywiser('diff', before.path, after.path);
    equal(status, 0);
    match(
      stdout,
      /~ object SNMPv2-MIB::system\n {4}attributes\.sysUpTime\.field: system\.uptime → system\.up_time\n/,
    );
    match(stdout, /\+ device group more\n/);
    match(stdout, /~ device router\n {4}communities\.0: \*\*\* → \*\*\*\n/);
    match(
      stdout,
      /\nChanged only through what they depend on:\n.*object groups \(1\): system\n.*device groups \(1\): routers\n/,
    );
    ok(!stdout.includes('canary'));
    match(waywiser('diff', before.path, before.path).stdout, /No difference/);
  });
});

describe('waywiser show', () => {
  it('shows a device with the origin of each value, without secrets', () => {
    using directory = new DefinitionDirectory({
      ...baseSet,
      'defaults/device.yml': (baseSet['defaults/device.yml'] ?? '').replace(
        '${env:WAYWISER_TEST_COMMUNITY}',
        'canary',
      ),
      'devices/more.yml': 'more: { ip: 192.0.2.70 }\n',
    });
    const { status, stdout } = waywiser('show', 'device', 'more', '-d', directory.path);
    equal(status, 0);
    match(stdout, /ip +192\.0\.2\.70 +devices\/more\.yml:1/);
    match(stdout, /retries +2 +defaults\/device\.yml:9/);
    match(stdout, /max_oids +64 +built-in default/);
    ok(!stdout.includes('canary'));
  });

  it('shows objects and groups of both kinds', () => {
    using directory = new DefinitionDirectory(baseSet);
    const show = (what: string, id: string) => waywiser('show', what, id, '-d', directory.path).stdout;
    match(
      show('object', 'SNMPv2-MIB::system'),
      /attributes\.sysUpTime\.syntax +TimeTicks +objects\/system\.yml:13/,
    );
    match(show('group', 'switches'), /object_groups\.0 +interfaces +device_groups\/all\.yml:7/);
    match(show('group', 'system'), /objects\.0 +SNMPv2-MIB::system +object_groups\/all\.yml:7/);
  });

  it('suggests the nearest id', () => {
    using directory = new DefinitionDirectory(baseSet);
    const { status, stderr } = waywiser('show', 'device', 'ruter', '-d', directory.path);
    equal(status, 1);
    match(stderr, /Did you mean "router"/);
  });
});

describe('waywiser schema', () => {
  it('prints the JSON Schema of a kind of file', () => {
    const schema = JSON.parse(waywiser('schema', 'devices').stdout);
    equal(schema.additionalProperties.properties.port.default, 161);
    equal(waywiser('schema', 'device').status, 2);
  });
});

function waywiser(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(execPath, [...nodeOptions, main, ...words], {
    encoding: 'utf8',
    env: { ...env, NO_COLOR: '1', FORCE_COLOR: '' },
  });
}
