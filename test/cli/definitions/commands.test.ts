import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { baseSet } from '../../plugins/definitions-loader/support/base-set.ts';
import { DefinitionDirectory } from '../../plugins/definitions-loader/support/definition-directory.ts';
import { CommandRunner } from '../support/command-runner.ts';

const system = baseSet['objects/system.yml'] ?? '';

let commands: CommandRunner;
before(() => {
  commands = new CommandRunner();
});
after(() => commands.close());

describe('waywiser check', () => {
  it('counts the definitions of a valid directory', async () => {
    using directory = new DefinitionDirectory(baseSet);
    const { status, stdout } = await waywiser('check', directory.path, '--strict', '--json');
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

  it('lists every problem and exits with 1 on errors', async () => {
    using directory = new DefinitionDirectory({
      ...baseSet,
      'objects/system.yml': system.replace('TimeTicks', 'Timetick'),
    });
    const { status, stdout } = await waywiser('check', directory.path, '--json');
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
    match((await waywiser('check', directory.path)).stdout, /objects\/system\.yml:13:15/);
  });

  it('exits with 1 on warnings only with --strict', async () => {
    using directory = new DefinitionDirectory({ ...baseSet, 'enums/oid/x.yml': '1.3.6.1.4.1.2: ibm\n' });
    equal((await waywiser('check', directory.path)).status, 0);
    const strict = await waywiser('check', directory.path, '--strict', '--json');
    equal(strict.status, 1);
    equal(JSON.parse(strict.stdout).problems[0].level, 'error');
  });

  it('checks the style guide with --style', async () => {
    using directory = new DefinitionDirectory(baseSet);
    const { status, stdout } = await waywiser('check', directory.path, '--style', '--json');
    equal(status, 0);
    const { problems } = JSON.parse(stdout);
    const described = problems.find(({ rule }: { rule: string }) => rule === 'style-description');
    deepEqual([described.level, described.file, described.line], ['warning', 'objects/if-mib.yml', 12]);
  });

  it('fails without a directory', async () => {
    equal((await waywiser('check', '/nowhere/at/all')).status, 1);
  });
});

describe('waywiser diff', () => {
  it('shows differences by id and by field, without secrets', async () => {
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
    const { status, stdout } = await waywiser('diff', before.path, after.path);
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
    match((await waywiser('diff', before.path, before.path)).stdout, /No difference/);
  });
});

describe('waywiser show', () => {
  it('shows a device with the origin of each value, without secrets', async () => {
    using directory = new DefinitionDirectory({
      ...baseSet,
      'defaults/device.yml': (baseSet['defaults/device.yml'] ?? '').replace(
        '${env:WAYWISER_TEST_COMMUNITY}',
        'canary',
      ),
      'devices/more.yml': 'more: { ip: 192.0.2.70 }\n',
    });
    const { status, stdout } = await waywiser('show', 'device', 'more', '-d', directory.path);
    equal(status, 0);
    match(stdout, /ip +192\.0\.2\.70 +devices\/more\.yml:1/);
    match(stdout, /retries +2 +defaults\/device\.yml:9/);
    match(stdout, /max_oids +64 +built-in default/);
    ok(!stdout.includes('canary'));
  });

  it('shows objects and groups of both kinds', async () => {
    using directory = new DefinitionDirectory(baseSet);
    const show = async (what: string, id: string) =>
      (await waywiser('show', what, id, '-d', directory.path)).stdout;
    match(
      await show('object', 'SNMPv2-MIB::system'),
      /attributes\.sysUpTime\.syntax +TimeTicks +objects\/system\.yml:13/,
    );
    match(await show('group', 'switches'), /object_groups\.0 +interfaces +device_groups\/all\.yml:7/);
    match(await show('group', 'system'), /objects\.0 +SNMPv2-MIB::system +object_groups\/all\.yml:7/);
  });

  it('suggests the nearest id', async () => {
    using directory = new DefinitionDirectory(baseSet);
    const { status, stderr } = await waywiser('show', 'device', 'ruter', '-d', directory.path);
    equal(status, 1);
    match(stderr, /Did you mean "router"/);
  });
});

describe('waywiser schema', () => {
  it('prints the JSON Schema of a kind of file', async () => {
    const schema = JSON.parse((await waywiser('schema', 'devices')).stdout);
    equal(schema.additionalProperties.properties.port.default, 161);
    equal((await waywiser('schema', 'device')).status, 2);
  });
});

async function waywiser(...words: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const { code, ...texts } = await commands.run(words);
  return { status: code, ...texts };
}
