import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
