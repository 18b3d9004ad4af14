import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { CollectorProcess } from '../support/collector-process.ts';

const config = (plugins: string) => `plugins:\n${plugins}`;
const quiet = `start() {}`;

describe('waywiser start', { concurrency: 2 }, () => {
  it('runs without any socket or timer until SIGTERM, and stops with 0', async (t) => {
    const collector = new CollectorProcess(t);
    collector.writePlugin('first', quiet);
    collector.write('waywiser.yml', config('  ./first.js: {}\n'));
    collector.run(['start']);
    await collector.reads('The collector is ready.');
    collector.kill('SIGTERM');
    assert.equal(await collector.exit, 0, collector.stderr);
  });

  it('stops the plugins in the reverse of their start', async (t) => {
    const collector = new CollectorProcess(t);
    const tell = (name: string) =>
      `start({ onStop }) { console.log('start ${name}'); onStop(() => console.log('stop ${name}')); return {}; }`;
    collector.writePlugin('first', `provides: token, ${tell('first')}`);
    collector.writePlugin('second', `needs: { first: serviceToken('first') }, ${tell('second')}`);
    collector.write('waywiser.yml', config('  ./second.js:\n  ./first.js:\n'));
    collector.run(['start']);
    await collector.reads('The collector is ready.');
    collector.kill('SIGINT');
    assert.equal(await collector.exit, 0);
    assert.deepEqual(collector.stdout.trim().split('\n'), [
      'start first',
      'start second',
      'stop second',
      'stop first',
    ]);
  });

  it('exits immediately with 128 + its number at the second signal', async (t) => {
    const collector = new CollectorProcess(t);
    collector.writePlugin('slow', `start({ onStop }) { onStop(() => new Promise(() => {})); }`);
    collector.write('waywiser.yml', config('  ./slow.js: {}\n'));
    collector.run(['start']);
    await collector.reads('The collector is ready.');
    collector.kill('SIGTERM');
    await collector.reads('The collector is stopping.');
    await pause(400); // What comes at once is the same signal, sent on by npm.
    collector.kill('SIGTERM');
    assert.equal(await collector.exit, 143);
  });

  describe('while a plugin hangs in its start', { concurrency: 2 }, () => {
    /** `first` has started; `hangs` has registered an undo step and never resolves. */
    async function startHanging(t: TestContext, stopOfFirst: string) {
      const collector = new CollectorProcess(t);
      const stop = (name: string, work: string) => `onStop(() => { console.log('stop ${name}'); ${work} });`;
      collector.writePlugin(
        'first',
        `provides: token, start({ onStop }) { ${stop('first', stopOfFirst)} return {}; }`,
      );
      const needs = `needs: { first: serviceToken('first') }`;
      const hang = `console.error('hanging'); return new Promise(() => {});`;
      collector.writePlugin('hangs', `${needs}, start({ onStop }) { ${stop('hangs', '')} ${hang} }`);
      collector.write('waywiser.yml', config('  ./first.js: {}\n  ./hangs.js: {}\n'));
      collector.run(['start']);
      await collector.reads('hanging');
      return collector;
    }

    it('stops in order at Ctrl-C, and names the plugin', async (t) => {
      const collector = await startHanging(t, '');
      collector.kill('SIGINT');
      assert.equal(await collector.exit, 4, collector.stderr);
      assert.deepEqual(collector.stdout.trim().split('\n'), ['stop hangs', 'stop first']);
      assert.match(collector.stderr, /"hangs".*PLUGIN_START_ABANDONED|PLUGIN_START_ABANDONED.*"hangs"/);
      assert.match(collector.stderr, /The collector has stopped\./);
      assert.doesNotMatch(collector.stderr, /The collector is ready|^ +at /m);
    });

    it('ends at once at the second Ctrl-C, with 130', async (t) => {
      const collector = await startHanging(t, 'return new Promise(() => {});');
      collector.kill('SIGINT');
      await collector.reads('The collector is stopping.');
      await pause(400); // What comes at once is the same signal, sent on by npm.
      collector.kill('SIGINT');
      assert.equal(await collector.exit, 130);
      assert.doesNotMatch(collector.stderr, /The collector has stopped/);
    });
  });

  it('lists every problem of the configuration with file, line and column', async (t) => {
    const collector = new CollectorProcess(t);
    collector.writePlugin(
      'good',
      `options: Type.Object({ port: Type.Integer({ description: 'a port' }) }), ${quiet}`,
    );
    collector.write(
      'waywiser.yml',
      'instnce: lab\nlog_level: loud\nplugins:\n  ./good.js: { prt: 1 }\n  ./none.js: {}\n  no-such-package: {}\n',
    );
    collector.run(['start'], { WAYWISER_PLUGINS__GOOD__PORTT: '1' });
    assert.equal(await collector.exit, 1);
    for (const expected of [
      'waywiser.yml:1:1  unknown-key  "instnce" is not a known key. Did you mean "instance"?',
      'waywiser.yml:2:1  type  "log_level": must be one of trace',
      'waywiser.yml:4:16  unknown-key  good: "prt" is not a known key. Did you mean "port"?',
      'waywiser.yml:4:3  missing  good: "port" is required: a port.',
      'waywiser.yml:5:3  PLUGIN_UNKNOWN  There is no plugin "./none.js".',
      'waywiser.yml:6:3  PLUGIN_PACKAGE_MISSING',
      'npm install no-such-package',
      'WAYWISER_PLUGINS__GOOD__PORTT matches no option. Did you mean "WAYWISER_PLUGINS__GOOD__PORT"?',
    ]) {
      assert.ok(collector.stderr.includes(expected), `${expected}\nis not in\n${collector.stderr}`);
    }
    assert.ok(!collector.stderr.includes('    at '), 'no stack');
  });

  it('points to the place of a YAML syntax error', async (t) => {
    const collector = new CollectorProcess(t);
    collector.write('waywiser.yml', 'instance: lab\nplugins: { a: [ }\n');
    collector.run(['start']);
    assert.equal(await collector.exit, 1);
    assert.match(collector.stderr, /waywiser\.yml:2:\d+ {2}syntax/);
  });

  it('names the missing file', async (t) => {
    const collector = new CollectorProcess(t);
    collector.run(['start', '--config', 'none.yml']);
    assert.equal(await collector.exit, 1);
    assert.match(
      collector.stderr,
      /none\.yml cannot be read: there is no such file or directory.*CONFIG_UNREADABLE/s,
    );
  });

  it('prefers options from the environment over those of the file', async (t) => {
    const collector = new CollectorProcess(t);
    collector.writePlugin(
      'told',
      `options: Type.Object({ port: Type.Integer(), names: Type.Array(Type.String(), { default: [] }) }),
       start({ options }) { console.log(JSON.stringify(options)); }`,
    );
    collector.write('waywiser.yml', config('  ./told.js: { port: 1 }\n'));
    collector.run(['start'], { WAYWISER_PLUGINS__TOLD__PORT: '2', WAYWISER_PLUGINS__TOLD__NAMES: '[a, b]' });
    await collector.reads('The collector is ready.');
    collector.kill('SIGTERM');
    await collector.exit;
    assert.deepEqual(JSON.parse(collector.stdout), { port: 2, names: ['a', 'b'] });
  });

  it('exits with 2 for an unknown option', async (t) => {
    const collector = new CollectorProcess(t);
    collector.run(['start', '--confg', 'x']);
    assert.equal(await collector.exit, 2);
    assert.match(collector.stderr, /Did you mean --config/);
  });
});
