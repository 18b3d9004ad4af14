import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CollectorProcess } from '../support/collector-process.ts';

interface Case {
  readonly what: string;
  /** The other properties of the definition, and the code before it in the file. */
  readonly plugin: string;
  readonly before?: string;
  readonly exitCode: number;
  readonly says: readonly string[];
}

/** Each runs beside a well-behaved plugin, which must be stopped whenever it had started. */
const cases: readonly Case[] = [
  {
    what: 'throws on import',
    plugin: 'start() {}',
    before: `throw new Error('broken import');`,
    exitCode: 1,
    says: ['The plugin "./bad.js" could not be loaded', 'broken import', 'PLUGIN_IMPORT_FAILED'],
  },
  {
    what: 'throws in start',
    plugin: `start() { throw new Error('no such port'); }`,
    exitCode: 1,
    says: ['The plugin "bad" failed to start.', 'because: no such port', 'PLUGIN_START_FAILED'],
  },
  {
    what: 'hangs in start',
    plugin: 'startTimeoutMs: 50, start: () => new Promise(() => {})',
    exitCode: 1,
    says: ['The plugin "bad" did not start within 50 ms', 'PLUGIN_START_TIMEOUT'],
  },
  {
    what: 'does not provide its service',
    plugin: 'provides: token, start() {}',
    exitCode: 1,
    says: ['provides the service "bad", but its start returned nothing', 'PLUGIN_PROVIDED_NOTHING'],
  },
  {
    what: 'needs a service that no plugin provides',
    plugin: `needs: { moon: serviceToken('moon') }, start() {}`,
    exitCode: 1,
    says: ['"moon" (needed by bad)', 'SERVICES_MISSING'],
  },
  {
    what: 'needs itself in a circle',
    plugin: `provides: token, needs: { self: token }, start: () => ({})`,
    exitCode: 1,
    says: ['bad → bad', 'PLUGINS_NEED_EACH_OTHER'],
  },
  {
    what: 'provides what another one provides',
    plugin: `provides: serviceToken('good'), start: () => ({})`,
    exitCode: 1,
    says: ['"good" is provided by both "good" and "bad"', 'SERVICE_PROVIDED_TWICE'],
  },
  {
    what: 'calls process.exit later',
    plugin: 'start() { setTimeout(() => process.exit(0), 20); }',
    exitCode: 3,
    says: ['The plugin \\"bad\\" called process.exit(0)', 'PLUGIN_CALLED_EXIT', 'good stopped'],
  },
  {
    what: 'leaves a promise rejected',
    plugin: `start() { setTimeout(() => void Promise.reject(new Error('forgotten')), 20); }`,
    exitCode: 3,
    says: [
      'The plugin \\"bad\\" did not handle a rejected promise',
      'forgotten',
      'PLUGIN_LEFT_REJECTION',
      'good stopped',
    ],
  },
  {
    what: 'throws in a timer',
    plugin: `start() { setTimeout(() => { throw new Error('in a timer'); }, 20); }`,
    exitCode: 3,
    says: [
      'The plugin \\"bad\\" threw an error in a callback',
      'in a timer',
      'PLUGIN_THREW_LATER',
      'good stopped',
    ],
  },
];

describe('a plugin that misbehaves', { concurrency: 2 }, () => {
  for (const { what, plugin, before, exitCode, says } of cases) {
    it(`is named, and the others stop in order, when it ${what}`, async (t) => {
      const collector = startBeside(t, plugin, before);
      assert.equal(await collector.exit, exitCode, collector.stderr);
      const output = collector.stdout + collector.stderr;
      for (const expected of says) assert.ok(output.includes(expected), `${expected}\nis not in\n${output}`);
      assert.equal(output.includes('good started'), output.includes('good stopped'));
      assert.ok(!output.includes('    at '), 'no stack');
    });
  }

  it('is named when it throws in stop, and the exit code is 4', async (t) => {
    const collector = startBeside(t, `start({ onStop }) { onStop(() => { throw new Error('stuck'); }); }`);
    await collector.reads('The collector is ready.');
    collector.kill('SIGTERM');
    assert.equal(await collector.exit, 4, collector.stderr);
    assert.match(collector.stderr, /PLUGIN_STOP_FAILED.*stuck/);
    assert.match(collector.stdout, /good stopped/);
  });

  it('does not block the stop of the others when it hangs in stop', async (t) => {
    const collector = startBeside(
      t,
      'stopTimeoutMs: 50, start({ onStop }) { onStop(() => new Promise(() => {})); }',
    );
    await collector.reads('The collector is ready.');
    collector.kill('SIGTERM');
    assert.equal(await collector.exit, 4, collector.stderr);
    assert.match(collector.stderr, /did not stop within 50 ms/);
    assert.match(collector.stdout, /good stopped/);
  });

  it('does not affect the others when its listener throws', async (t) => {
    const collector = startBeside(
      t,
      `start({ events }) { events.on('collector.ready', () => { throw new Error('in a listener'); }); }`,
    );
    await collector.reads('The collector is ready.');
    collector.kill('SIGTERM');
    assert.equal(await collector.exit, 0, collector.stderr);
    assert.match(collector.stderr, /"plugin":"bad".*"event":"collector.ready".*in a listener/);
  });
});

function startBeside(
  test: import('node:test').TestContext,
  plugin: string,
  before?: string,
): CollectorProcess {
  const collector = new CollectorProcess(test);
  collector.writePlugin(
    'good',
    `provides: token, start({ onStop }) {
      console.log('good started');
      onStop(() => console.log('good stopped'));
      return {};
    }`,
  );
  collector.writePlugin('bad', plugin, before);
  collector.write('waywiser.yml', 'plugins:\n  ./good.js: {}\n  ./bad.js: {}\n');
  collector.run(['start']);
  return collector;
}
