import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ConfigFile, checkCollectorKeys, configFailure } from '../../src/kernel/config-file.ts';
import { writeFolder } from './support/scratch-folder.ts';

describe('configuration file', () => {
  const folder = writeFolder({ 'large.yml': `# ${'x'.repeat(1 << 20)}` });
  let files = 0;

  function read(text: string): ConfigFile {
    const name = `${files++}.yml`;
    return new ConfigFile(join(writeFolder({ [name]: text }), name));
  }

  const places = (file: ConfigFile) =>
    file.problems.map(({ line, column, rule }) => `${line}:${column} ${rule}`);

  it('accepts an empty file, a comment and an empty document', () => {
    for (const text of ['', '# nothing\n', '---\n']) {
      const file = read(text);
      assert.deepEqual(file.problems, []);
      assert.deepEqual(checkCollectorKeys(file, {}).problems, []);
    }
  });

  it('rejects a list and a text', () => {
    for (const text of ['[]\n', '- a\n', 'plugins\n'])
      assert.deepEqual(places(read(text)), ['1:1 type'], text);
  });

  it('reports every syntax error with its position', () => {
    assert.deepEqual(places(read('plugins:\n  a: 1\n  a: 2\n  b: [1\n')), ['3:3 syntax', '5:1 syntax']);
    assert.equal(read('a: [').value, undefined);
    assert.deepEqual(places(read('a: 1\n---\nb: 2\n')), ['2:1 syntax']);
  });

  it('resolves aliases, and rejects unknown ones and exponential expansion', () => {
    assert.deepEqual(read('a: &x {b: 1}\nc: *x\n').value, { a: { b: 1 }, c: { b: 1 } });
    assert.deepEqual(places(read('a: *nope\n')), ['1:1 alias']);
    const levels = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(10)}]`);
    const bomb = read(`l0: &l0 [${'x,'.repeat(10)}]\n${levels.join('\n')}\n`);
    assert.deepEqual(places(bomb), ['1:1 alias']);
    assert.match(bomb.problems[0]?.message ?? '', /alias/i);
  });

  it('gives the position of keys, of list items, and of the deepest part that exists', () => {
    const file = read(
      'instance: x\nplugins:\n  http-api:\n    port: 1\n    routes:\n      - prefix: a\n      - { prefx: b }\n',
    );
    const at = (...path: string[]) => {
      const { line, column } = file.problemAt(path, 'r', 'm');
      return `${line}:${column}`;
    };
    assert.equal(at('plugins', 'http-api', 'port'), '4:5');
    assert.equal(at('plugins', 'http-api', 'routes', '1', 'prefx'), '7:11');
    assert.equal(at('plugins', 'http-api', 'missing', 'deeper'), '3:3');
    assert.equal(at('plugins', 'http-api', 'routes', '9'), '5:5');
    assert.equal(at('nowhere'), '1:1');
    assert.equal(at(), '1:1');
  });

  it('rejects a missing file, a directory and a file above 1 MiB, with the reason', () => {
    const reasons = {
      'nope.yml': /there is no such file or directory/,
      '.': /it is a directory/,
      'large.yml': /larger than 1 MiB/,
    };
    for (const [name, message] of Object.entries(reasons)) {
      assert.throws(() => new ConfigFile(join(folder, name)), { code: 'CONFIG_UNREADABLE', message }, name);
    }
  });

  it('lists every problem as file:line:column with its rule', () => {
    const file = read('\n\n    a: 1\n    b: 2\n');
    const problems = ['b', 'a'].map((key) => file.problemAt([key], `rule-${key}`, 'is wrong.'));
    const { code, message } = configFailure(file.label, problems);
    assert.equal(code, 'CONFIG_INVALID');
    assert.match(message, /\d\.yml has problems \(2\)/);
    assert.match(message, /\.yml:3:5 {2}rule-a {2}is wrong\.\n.*\.yml:4:5 {2}rule-b {2}is wrong\./);
  });
});

describe('collector-wide keys', () => {
  const check = (value: unknown, env = {}) => checkCollectorKeys({ value, directory: '/etc/w' }, env);

  it('have defaults, and paths relative to the file', () => {
    assert.deepEqual(check({ secrets_directory: 'secrets' }).options, {
      instance: 'waywiser',
      state_directory: '/etc/w/state',
      secrets_directory: '/etc/w/secrets',
      log_level: 'info',
      log_format: 'auto',
      workers: 0,
      replace: {},
      plugins: {},
    });
  });

  it('can be overridden by the environment, except `plugins`', () => {
    const { options } = check(
      { instance: 'file', plugins: { a: null } },
      { WAYWISER_INSTANCE: 'env', WAYWISER_LOG_LEVEL: 'debug', WAYWISER_WORKERS: '4', WAYWISER_PLUGINS: 'x' },
    );
    const { instance, log_level, workers, plugins } = options as Record<string, unknown>;
    assert.deepEqual([instance, log_level, workers, plugins], ['env', 'debug', 4, { a: null }]);
  });

  it('are rejected when unknown or wrong, all in one report', () => {
    const { problems } = check({ log_level: 'loud', instnace: 'x', state_directory: 5, plugins: [] });
    assert.deepEqual(problems.map(({ path }) => path[0]).sort(), [
      'instnace',
      'log_level',
      'plugins',
      'state_directory',
    ]);
    assert.match(
      problems.find(({ path }) => path[0] === 'instnace')?.message ?? '',
      /Did you mean "instance"/,
    );
  });

  it('reject a file that is not a map', () => {
    for (const value of ['text', 5, ['a'], true]) assert.ok(check(value).problems.length > 0, String(value));
  });
});
