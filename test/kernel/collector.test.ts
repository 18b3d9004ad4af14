import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { definePlugin, type PluginContext, type PluginKind } from '../../src/kernel/plugin.ts';
import { serviceToken } from '../../src/kernel/service-token.ts';
import { until } from '../support/until.ts';
import { createCollector } from './support/collector.ts';

const numbers = serviceToken<{ readonly answer: number }>('numbers');

function trace(name: string, kind: PluginKind, done: string[], during?: (context: PluginContext) => unknown) {
  return definePlugin({
    name,
    kind,
    summary: 'Traces.',
    stopTimeoutMs: 50,
    async start(context) {
      done.push(`+${name}`);
      context.onStop(() => void done.push(`-${name}`));
      await during?.(context as PluginContext);
    },
  });
}

describe('collector', () => {
  it('starts by kind and stops in the exact reverse order', async () => {
    const done: string[] = [];
    const { collector } = createCollector(
      trace('api', 'api', done),
      trace('source', 'source', done),
      trace('service', 'service', done),
    );
    assert.equal(await collector.start(), true);
    assert.deepEqual(await collector.stop('test'), []);
    assert.deepEqual(done, ['+service', '+source', '+api', '-api', '-source', '-service']);
  });

  it('gives a service to the plugins that need it, until the stop', async () => {
    let received: unknown;
    const provider = definePlugin({
      name: 'provider',
      kind: 'service',
      summary: 'P.',
      provides: numbers,
      start: () => ({ answer: 42 }),
    });
    const user = definePlugin({
      name: 'user',
      kind: 'api',
      summary: 'U.',
      needs: { numbers },
      start({ needs }) {
        received = needs.numbers.answer;
      },
    });
    const { collector } = createCollector(user, provider);
    await collector.start();
    assert.equal(received, 42);
    assert.equal(collector.getService(numbers).answer, 42);
    assert.deepEqual(
      collector.describe().plugins.map(({ name, needs }) => [name, needs]),
      [
        ['provider', []],
        ['user', ['provider']],
      ],
    );
    await collector.stop('test');
    assert.throws(() => collector.getService(numbers), /"numbers" is not running/);
  });

  it('stops the plugins that had started when a start fails, and starts no other', async () => {
    const done: string[] = [];
    const { collector } = createCollector(
      trace('a', 'service', done),
      trace('b', 'output', done),
      trace('bad', 'source', done, () => Promise.reject(new Error('no'))),
      trace('never', 'api', done),
    );
    await assert.rejects(collector.start(), { code: 'PLUGIN_START_FAILED', message: /"bad"/ });
    assert.deepEqual(done, ['+a', '+b', '+bad', '-bad', '-b', '-a']);
    assert.deepEqual(
      collector.describe().plugins.map(({ state }) => state),
      ['stopped', 'stopped', 'failed', 'waiting'],
    );
  });

  it('returns and logs every failure of a failed start', async () => {
    const rejectUndo = ({ onStop }: PluginContext) => onStop(() => Promise.reject(new Error('undo')));
    const { collector, lines } = createCollector(
      trace('a', 'service', [], rejectUndo),
      trace('bad', 'source', [], (context) => {
        rejectUndo(context);
        throw new Error('no');
      }),
    );
    await assert.rejects(collector.start(), { code: 'PLUGIN_START_FAILED' });
    const failures = await collector.stop('again');
    assert.deepEqual(
      failures.map(({ message }) => /"(\w+)"/.exec(message)?.[1]),
      ['bad', 'a'],
    );
    assert.equal(lines.filter(({ level }) => level === 'error').length, 2);
  });

  it('stops once for all callers', async () => {
    const done: string[] = [];
    const { collector } = createCollector(trace('a', 'service', done));
    await collector.start();
    assert.equal(collector.stop('one'), collector.stop('two'));
    await collector.stop('three');
    assert.deepEqual(done, ['+a', '-a']);
  });

  it('starts nothing after it was stopped', async () => {
    const done: string[] = [];
    const { collector } = createCollector(trace('a', 'service', done));
    await collector.stop('early');
    assert.equal(await collector.start(), false);
    assert.deepEqual(done, []);
  });

  it('undoes the start under way when it is stopped meanwhile, and start resolves to false', async () => {
    const done: string[] = [];
    const { collector } = createCollector(
      trace('a', 'service', done),
      trace('slow', 'output', done, ({ signal }) => sleep(10_000, undefined, { signal })),
      trace('never', 'api', done),
    );
    const starting = collector.start();
    await until(() => done.includes('+slow'));
    assert.deepEqual(await collector.stop('signal'), []);
    assert.equal(await starting, false);
    assert.deepEqual(done, ['+a', '+slow', '-slow', '-a']);
  });

  it('stops the other plugins when one hangs while stopping', async () => {
    const done: string[] = [];
    const { collector } = createCollector(
      trace('a', 'service', done),
      trace('hangs', 'output', done, ({ onStop }) => onStop(() => new Promise(() => {}))),
    );
    await collector.start();
    const failures = await collector.stop('test');
    assert.deepEqual(
      failures.map(({ code }) => code),
      ['PLUGIN_STOP_TIMEOUT'],
    );
    assert.deepEqual(done, ['+a', '+hangs', '-hangs', '-a']);
  });

  it('emits ready after the last start and stopping before the first undo step', async () => {
    const done: string[] = [];
    const { collector } = createCollector(
      trace('a', 'service', done, ({ events }) => {
        events.on('collector.ready', () => void done.push('ready'));
        events.on('collector.stopping', ({ why }) => void done.push(why));
      }),
      trace('b', 'api', done),
    );
    await collector.start();
    await collector.stop('the end');
    assert.deepEqual(done, ['+a', '+b', 'ready', 'the end', '-b', '-a']);
  });

  it('removes the listeners of a stopped plugin, and ignores those that it adds later', async () => {
    let heard = 0;
    const { collector } = createCollector(
      trace('a', 'service', [], ({ events, onStop }) => {
        events.on('collector.ready', () => void heard++);
        onStop(() => void events.on('collector.ready', () => void heard++));
      }),
    );
    await collector.start();
    await collector.stop('test');
    collector.events.emit('collector.ready', {});
    assert.equal(heard, 1);
  });

  it('rejects plugins that do not fit together before anything starts', () => {
    const needy = definePlugin({ name: 'x', kind: 'api', summary: 'X.', needs: { numbers }, start() {} });
    assert.throws(() => createCollector(needy), { code: 'SERVICES_MISSING' });
  });

  it('counts listener failures in its description', async () => {
    const { collector } = createCollector(
      trace('a', 'service', [], ({ events }) => {
        events.on('collector.ready', () => {
          throw new Error('no');
        });
      }),
    );
    await collector.start();
    assert.equal(collector.describe().plugins[0]?.listenerFailures, 1);
    assert.equal(collector.describe().plugins[0]?.state, 'started');
    await collector.stop('test');
  });
});
