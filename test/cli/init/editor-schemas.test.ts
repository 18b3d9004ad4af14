import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { init } from '../../../cli/init/init.ts';
import { runCommand } from '../../../cli/program.ts';
import { definitionKinds } from '../../../src/definitions/schema/definition-kinds.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { printed } from '../support/printed.ts';

const schemaOf = {
  'waywiser.yml': 'waywiser.json',
  'definitions/defaults/device.yml': 'deviceDefaults.json',
  'definitions/devices/devices.yml': 'devices.json',
};

describe('the schemas that waywiser init writes', () => {
  it('are what the first line of each file names, relative to the file', async (t) => {
    await using agent = await startReplayAgent({
      recording: 'test/recordings/router.snmprec',
      community: 'lab',
    });
    const into = join(temporaryFolder(t), 'new');
    const options = { t: '1', r: '0', rate: '1000', c: 'lab', into };
    await printed(t, () => init(`127.0.0.1:${agent.port}`, options));
    for (const [file, expected] of Object.entries(schemaOf)) {
      const text = readFileSync(join(into, file), 'utf8');
      const [, path = assert.fail(`${file} names no schema`)] =
        /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
      const schemaFile = resolve(into, dirname(file), path);
      assert.equal(relative(into, schemaFile), join('schemas', expected));
      const schema = JSON.parse(readFileSync(schemaFile, 'utf8'));
      for (const [key, value] of Object.entries<Record<string, unknown>>(parse(text))) {
        const known = schema.properties?.[key] ?? schema.additionalProperties;
        assert.ok(known, `${file}: ${key}`);
        if (known.properties === undefined) continue;
        for (const inner of Object.keys(value))
          assert.ok(known.properties[inner], `${file}: ${key}.${inner}`);
      }
    }
    const main = JSON.parse(readFileSync(join(into, 'schemas/waywiser.json'), 'utf8'));
    assert.deepEqual(main.properties.plugins.properties['definitions-loader'].required, []);
    const kinds = definitionKinds.map((kind) => `${kind}.json`);
    assert.deepEqual(readdirSync(join(into, 'schemas')).sort(), [...kinds, 'waywiser.json'].sort());
    for (const name of readdirSync(join(into, 'schemas'))) {
      const text = readFileSync(join(into, 'schemas', name), 'utf8');
      assert.doesNotMatch(text, /"\$ref": "[^#]/, `${name} refers to another file`);
    }
    const command = await printed(t, () => runCommand(['schema']));
    assert.equal(readFileSync(join(into, 'schemas/waywiser.json'), 'utf8'), `${command}\n`);
  });
});
