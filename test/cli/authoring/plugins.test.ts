import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { showPlugins } from '../../../cli/authoring/plugins.ts';
import { printSchema } from '../../../cli/authoring/schema.ts';
import { definitionKinds } from '../../../src/definitions/schema/definition-kinds.ts';
import { pluginKinds } from '../../../src/kernel/plugin.ts';
import { printed } from '../support/printed.ts';

describe('waywiser plugins', () => {
  it('lists every built-in plugin with its kind, in boot order', async (t) => {
    const lines = (await printed(t, () => showPlugins(undefined, {}))).split('\n').slice(1);
    const kinds = lines.map((line) => line.split(/\s+/)[0] ?? '');
    const ranks = kinds.map((kind) => (pluginKinds as readonly string[]).indexOf(kind));
    assert.deepEqual(
      ranks,
      ranks.toSorted((a, b) => a - b),
    );
    for (const name of [
      'definitions-loader',
      'device-registry',
      'pipeline',
      'snmp-client',
      'snmp-discovery',
    ]) {
      assert.equal(lines.filter((line) => line.split(/\s+/)[1] === name).length, 1, name);
    }
  });

  it('shows a plugin with one line per option, nested ones by their path', async (t) => {
    const text = await printed(t, () => showPlugins('ndjson', {}));
    assert.match(text, /^ndjson \(output\)/);
    assert.match(text, /^delivery\.group_batches +integer 1…\d+ +500 +\S/m);
  });

  it('prints the same facts as JSON', async (t) => {
    const plugins = JSON.parse(await printed(t, () => showPlugins(undefined, { json: true })));
    const loader = plugins.find(({ name }: { name: string }) => name === 'definitions-loader');
    assert.equal(loader.kind, 'service');
    assert.equal(loader.provides, 'definitions-loader');
    assert.ok(loader.options.some(({ name }: { name: string }) => name === 'directories'));
  });

  it('suggests the plugin with the nearest name', async () => {
    await assert.rejects(showPlugins('ndjsn', {}), /Did you mean "ndjson"\?/);
  });
});

describe('waywiser schema', () => {
  it('is a JSON Schema with the options of every plugin that refuses unknown keys', async (t) => {
    const schema = JSON.parse(await printed(t, () => printSchema()));
    assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
    assert.equal(schema.additionalProperties, false);
    assert.equal(schema.properties.instance.type, 'string');
    const { properties, patternProperties } = schema.properties.plugins;
    assert.deepEqual(properties['snmp-discovery'].type, ['object', 'null']);
    assert.equal(properties['snmp-discovery'].additionalProperties, false);
    assert.equal(properties['snmp-discovery'].properties.every_hours.default, 24);
    assert.deepEqual(patternProperties['^ndjson/.+$'], { $ref: '#/properties/plugins/properties/ndjson' });
  });

  it('schema waywiser is waywiser.yml, and is in the list of kinds', async (t) => {
    assert.equal(await printed(t, () => printSchema('waywiser')), await printed(t, () => printSchema()));
    await assert.rejects(printSchema('waywisr'), {
      message:
        'There is no schema of "waywisr". Did you mean "waywiser"? Choose one of: waywiser, ' +
        `${definitionKinds.join(', ')}.`,
    });
  });
});
