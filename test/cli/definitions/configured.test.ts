import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { check } from '../../../cli/definitions/check.ts';
import { coverage } from '../../../cli/definitions/coverage/coverage.ts';
import { diff } from '../../../cli/definitions/diff.ts';
import { show } from '../../../cli/definitions/show.ts';
import { writeFolder } from '../../kernel/support/scratch-folder.ts';
import { printed } from '../support/printed.ts';

const files = {
  'waywiser.yml': `secrets_directory: ./keys
plugins:
  definitions-loader: { directories: [./own], paths: { devices: [./inventory] } }
  influx: { url: 'http://127.0.0.1:1', token: '\${env:NOT_SET_ANYWHERE}' }
`,
  'keys/community': 'canary',
  'inventory/all.yml':
    'core-1: { ip: 192.0.2.1, version: 2c, communities: ["${file:community}"], device_groups: [standard, fans] }\n',
  'own/device_groups/fans.yml': 'fans: { object_groups: [interfaces] }\n',
  'own/defaults/object_types.yml': 'dynamic: { poll_interval: 7 }\n',
};

async function run(t: TestContext, command: () => Promise<number>): Promise<{ code: number; text: string }> {
  let code = -1;
  const text = await printed(t, async () => {
    code = await command();
  });
  return { code, text };
}

describe('commands on definitions, with a configuration', () => {
  const folder = writeFolder(files);
  const config = `${folder}/waywiser.yml`;

  it('show finds shipped definitions, configured devices, and what replaces a shipped definition', async (t) => {
    const object = await run(t, () => show('object', 'IF-MIB::ifEntry', { config }));
    assert.match(object.text, /object +ifEntry +shipped\/objects\/interfaces\/if-mib\.yml:\d+/);
    const device = await run(t, () => show('device', 'core-1', { config }));
    assert.match(device.text, /ip +192\.0\.2\.1 .*inventory\/all\.yml:1/);
    assert.doesNotMatch(device.text, /canary/);
  });

  it('check reads the directories and secrets of the configuration, and says what replaces shipped definitions', async (t) => {
    const { text, code } = await run(t, () => check(undefined, { config, json: true }));
    const { counts, problems, replaced } = JSON.parse(text);
    assert.deepEqual(
      problems.filter(({ file }: { file?: string }) => file !== undefined),
      [],
    );
    assert.deepEqual([counts.devices, counts.deviceGroups, counts.objects], [1, 1, 0]);
    assert.deepEqual(replaced, [
      {
        kind: 'objectTypes',
        id: 'dynamic',
        file: 'defaults/object_types.yml',
        line: 1,
        replacedFile: 'shipped/defaults/object_types.yml',
      },
    ]);
    assert.equal(typeof code, 'number');
  });

  it('check leaves out warnings in shipped files that a replacement causes, and says what is replaced', async (t) => {
    const folder = writeFolder({
      'objects/system.yml':
        'SNMPv2-MIB::system:\n  mib: SNMPv2-MIB\n  object: system\n  type: static\n  attributes:\n    sysUpTime: { oid: .1.3.6.1.2.1.1.3, name: system.uptime, syntax: TimeTicks }\n',
    });
    const { text, code } = await run(t, () => check(folder, { shipped: true, strict: true }));
    assert.equal(code, 0, text);
    assert.match(text, /replaces the object SNMPv2-MIB::system of shipped/);
    assert.match(text, /^0 errors, 0 warnings$/m);
  });

  it('check lists few definitions that are replaced, and counts many', async (t) => {
    const enums = Array.from({ length: 11 }, (_, i) => `1.3.6.1.4.1.32473.${i}: { 1: up }\n`).join('');
    const twice = writeFolder({
      'waywiser.yml':
        'plugins: { definitions-loader: { shipped: false, directories: [./first, ./second] } }\n',
      ...Object.fromEntries(
        ['first', 'second'].flatMap((name) => [
          [`${name}/enums/integer/all.yml`, enums],
          [`${name}/object_groups/all.yml`, 'own: { objects: [] }\n'],
        ]),
      ),
    });
    const { text } = await run(t, () => check(undefined, { config: `${twice}/waywiser.yml` }));
    assert.match(text, /^11 enums replace others of the same id \(--json lists each\)$/m);
    assert.match(text, /all\.yml:1 {2}replaces the object group own of .*first\/object_groups\/all\.yml$/m);
    assert.doesNotMatch(text, /replaces the enum/);
  });

  it('a directory that is named is checked alone, and with --shipped beside the shipped definitions', async (t) => {
    const directory = `${folder}/own`;
    const alone = await run(t, () => check(directory, { json: true }));
    assert.match(JSON.parse(alone.text).problems[0].message, /interfaces/);
    assert.equal((await run(t, () => check(directory, { shipped: true, strict: true }))).code, 0);
  });

  it('check of a directory alone says how to add the definitions that ship where names are unknown', async (t) => {
    const alone = await run(t, () => check(`${folder}/own`, {}));
    assert.match(alone.text, /There is no object group “interfaces”/);
    assert.match(alone.text, /\nThe definitions that ship were left out: --shipped adds them/);
    const both = await run(t, () => check(`${folder}/own`, { shipped: true }));
    assert.doesNotMatch(both.text, /--shipped/);
  });

  it('diff compares a directory with the configuration, and two configurations', async (t) => {
    const edited = writeFolder({ 'device_groups/fans.yml': 'fans: { object_groups: [interfaces, ip] }\n' });
    const { text } = await run(t, () => diff(edited, undefined, { config }));
    assert.match(text, /~ device group fans\n/);
    assert.doesNotMatch(text, /[+-] object /);
    assert.match((await run(t, () => diff(config, config, {}))).text, /No differences/);
  });

  it('coverage compares with the definitions of the configuration', async (t) => {
    const recording = 'test/recordings/rack-sensors.snmprec';
    const { text } = await run(t, () => coverage([recording], { config, group: 'fans', top: '5' }));
    assert.match(text, /compared with the device group fans/);
    assert.match(text, /Collected: [1-9]\d* values/);
  });
});
