import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadSetup } from '../../src/collector/collector-setup.ts';
import { Secret } from '../../src/kernel/secrets.ts';
import { writeFolder } from '../kernel/support/scratch-folder.ts';
import { modulePath } from '../support/own-module.ts';

const root = JSON.stringify(modulePath(new URL('../../src/index.ts', import.meta.url)));

const plugins = {
  'package.json': '{ "type": "module" }',
  'output.js': `import { defineOutput, secretOption, pathOption, Type } from ${root};
export default defineOutput({
  name: 'post', summary: 'Posts.',
  options: Type.Object({
    file: pathOption({ description: 'a file' }),
    token: Type.Optional(secretOption({ description: 'a secret' })),
    tls: Type.Object({ strict: Type.Boolean({ default: true }) }, { default: {} }),
  }),
  open: () => ({ write() {} }),
});`,
  'throws.js': 'throw new Error("on import");',
  'own-client.js': `import { definePlugin } from ${root};
export default definePlugin({
  name: 'own-client', kind: 'service', summary: 'Replaces.', provides: { name: 'snmp-client' }, start: () => ({}),
});`,
  'secrets/token': 'hunter2',
};

describe('collector setup', () => {
  const load = (config: string, env: Record<string, string> = {}) =>
    loadSetup(join(writeFolder({ ...plugins, 'waywiser.yml': config }), 'waywiser.yml'), { env });
  const failure = async (config: string, env: Record<string, string> = {}): Promise<string> => {
    const error = await load(config, env).then(
      () => assert.fail('the configuration was accepted'),
      (reason) => reason,
    );
    assert.equal(error.code, 'CONFIG_INVALID', error.stack);
    return error.message;
  };

  it('adds services that are needed and not named', async () => {
    const { plugins: loaded } = await load('plugins:\n  ./output.js: { file: out.txt }\n');
    assert.deepEqual(loaded.map(({ name }) => name).sort(), ['pipeline', 'post']);
  });

  it('adds a service whose options all have defaults', async () => {
    const { plugins: loaded } = await load('plugins:\n  snmp-poller:\n');
    const names = loaded.map(({ name }) => name);
    for (const name of ['definitions-loader', 'snmp-discovery', 'http-routes'])
      assert.ok(names.includes(name), name);
  });

  it('adds no plugin that is not needed', async () => {
    assert.deepEqual((await load('')).plugins, []);
  });

  it('checks options: defaults, paths relative to the file, secrets, overrides', async () => {
    const { plugins: loaded, keys } = await load(
      'secrets_directory: secrets\nplugins:\n  ./output.js: { file: out.txt, token: "${file:token}" }\n',
      { WAYWISER_PLUGINS__POST__TLS__STRICT: 'false', WAYWISER_INSTANCE: 'env' },
    );
    const options = loaded.find(({ name }) => name === 'post')?.options as Record<string, unknown>;
    assert.match(String(options['file']), /^\/.*\/out\.txt$/);
    assert.ok(options['token'] instanceof Secret);
    assert.equal(options['token'].reveal(), 'hunter2');
    assert.deepEqual(options['tls'], { strict: false });
    assert.equal(keys.instance, 'env');
  });

  it('refuses a plugin that provides a built-in service, unless `replace` allows it', async () => {
    const named = 'plugins:\n  ./own-client.js:\n';
    assert.match(
      await failure(named),
      /:2:3 {2}SERVICE_NOT_YOURS {2}The plugin "own-client" provides the service "snmp-client", which the built-in plugin "snmp-client" provides\. .* replace: \{ snmp-client: \.\/own-client\.js \}/,
    );
    const { plugins: loaded } = await load(
      `replace: { snmp-client: ./own-client.js }\n${named}  snmp-poller:\n`,
    );
    const names = loaded.map(({ name, isBuiltIn }) => [name, isBuiltIn]);
    assert.deepEqual(
      names.find(([name]) => name === 'own-client'),
      ['own-client', false],
    );
    assert.deepEqual(
      names.find(([name]) => name === 'snmp-poller'),
      ['snmp-poller', true],
    );
    assert.ok(!names.some(([name]) => name === 'snmp-client'));
  });

  it('refuses a replacement that replaces nothing', async () => {
    const message = await failure(
      'replace: { snmp-client: ./output.js, moon: ./output.js, http-routes: ./sun.js }\nplugins:\n  ./output.js: { file: x }\n',
    );
    assert.match(
      message,
      /"snmp-client" cannot be replaced by "\.\/output\.js": that plugin does not provide the service\./,
    );
    assert.match(
      message,
      /"moon" cannot be replaced by "\.\/output\.js": no built-in plugin provides that service\./,
    );
    assert.match(
      message,
      /"http-routes" cannot be replaced by "\.\/sun\.js": there is no such key under plugins\./,
    );
  });

  it('accepts a plugin whose options are null, when nothing is required', async () => {
    const { plugins: loaded } = await load('plugins:\n  pipeline:\n');
    assert.deepEqual(
      loaded.map(({ name, options }) => [name, options]),
      [['pipeline', {}]],
    );
  });

  it('reports every problem in one error, each with its position', async () => {
    const message = await failure(
      [
        'instnace: x',
        'log_level: loud',
        'plugins:',
        '  ./output.js:',
        '    fil: out.txt',
        '    delivery: { dorp: oldest, group_batches: many }',
        '    tls: { stritc: true }',
        '  pipelin: {}',
        '  ./throws.js: {}',
      ].join('\n'),
      { WAYWISER_PLUGINS__POST__FIEL: 'x' },
    );
    const expected = [
      /yml:1:1 {2}unknown-key .*"instance"/,
      /yml:2:1 {2}type .*trace, debug/,
      /yml:4:3 {2}missing {2}post: "file" is required/,
      /yml:5:5 {2}unknown-key {2}post: "fil".*"file"/,
      /yml:6:17 {2}unknown-key {2}post: "dorp".*"drop"/,
      /yml:6:31 {2}type {2}post: "delivery.group_batches": must be a whole number .*received "many"/,
      /yml:7:12 {2}unknown-key {2}post: "stritc".*"strict"/,
      /yml:8:3 {2}PLUGIN_UNKNOWN .*"pipeline"/,
      /yml:9:3 {2}PLUGIN_IMPORT_FAILED .*on import/,
      /yml:3:1 {2}environment .*WAYWISER_PLUGINS__POST__FIEL/,
    ];
    for (const pattern of expected) assert.match(message, pattern);
    assert.match(message, /has problems \(10\)/);
  });

  it('does not report a secret when another key is wrong', async () => {
    const message = await failure(
      'log_level: loud\nsecrets_directory: secrets\nplugins:\n  ./output.js: { file: a, token: "${file:token}" }\n',
    );
    assert.match(message, /has problems \(1\).*\n.*yml:1:1 {2}type/);
  });

  it('rejects two entries for the same plugin', async () => {
    const message = await failure('plugins:\n  ./output.js: { file: a }\n  ././output.js: { file: b }\n');
    assert.match(message, /yml:3:3 {2}PLUGIN_NAME_TAKEN .*"post"/);
  });

  it('never prints a secret that the file contains', async () => {
    const message = await failure('plugins:\n  ./output.js: { file: a, token: hunter2 }\n');
    assert.match(message, /yml:2:27 {2}secret .*\$\{env:NAME\}/);
    assert.doesNotMatch(message, /hunter2/);
  });

  it('reports syntax errors with their position', async () => {
    assert.match(await failure('plugins: [\n'), /yml:2:1 {2}syntax/);
  });
});
