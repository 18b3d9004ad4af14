import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventExchange } from '../../src/kernel/event-bus.ts';
import { PluginRun } from '../../src/kernel/lifecycle.ts';
import { definePlugin, type Plugin, type PluginContext } from '../../src/kernel/plugin.ts';
import { serviceToken } from '../../src/kernel/service-token.ts';
import { until } from '../support/until.ts';
import { recordLog } from './support/log-lines.ts';

type Start = (context: PluginContext) => void | Promise<void>;

function prepare(start: Start, deadlines: Partial<Pick<Plugin, 'startTimeoutMs' | 'stopTimeoutMs'>> = {}) {
  const plugin = definePlugin({
    name: 'subject',
    kind: 'service',
    summary: 'S.',
    ...deadlines,
    start: start as never,
  });
  return prepareRun(plugin);
}

function prepareRun(plugin: Plugin) {
  const { log, lines } = recordLog();
  const run = new PluginRun('subject', plugin);
  const events = new EventExchange(log).open('subject').bus;
  const collector = {
    instance: 't',
    version: '0',
    directory: '/',
    stateDirectory: '/',
    secretsDirectory: undefined,
    describe: () => ({ bootMs: 0, plugins: [] }),
  };
  const start = () => run.start({ name: 'subject', options: {}, needs: {}, events, log, collector });
  return { run, start, lines };
}

const codesOf = (errors: readonly { readonly code: string }[]) => errors.map(({ code }) => code);

describe('plugin run', () => {
  it('runs the undo steps in reverse order, and awaits each one', async () => {
    const done: string[] = [];
    const { run, start } = prepare(({ onStop }) => {
      onStop(() => void done.push('a'));
      onStop(async () => {
        await sleep(5);
        done.push('b');
      });
      onStop(() => void done.push('c'));
    });
    await start();
    assert.equal(run.state, 'started');
    assert.deepEqual(await run.stop(), []);
    assert.deepEqual(done, ['c', 'b', 'a']);
    assert.equal(run.state, 'stopped');
  });

  it('aborts the signal before the first undo step', async () => {
    const seen: boolean[] = [];
    const { run, start } = prepare(({ signal, onStop }) => onStop(() => void seen.push(signal.aborted)));
    await start();
    assert.equal(run.signal.aborted, false);
    await run.stop();
    assert.deepEqual(seen, [true]);
  });

  it('undoes the steps of a start that throws halfway, and reports the cause', async () => {
    const done: string[] = [];
    const { run, start } = prepare(({ onStop }) => {
      onStop(() => void done.push('first'));
      onStop(() => void done.push('second'));
      throw new Error('half way');
    });
    await assert.rejects(start, { code: 'PLUGIN_START_FAILED', cause: new Error('half way') });
    assert.deepEqual(done, ['second', 'first']);
    assert.equal(run.state, 'failed');
    await run.stop();
    assert.equal(done.length, 2);
  });

  it('reports the failed undo steps of a failed start', async () => {
    const { run, start } = prepare(({ onStop }) => {
      onStop(() => Promise.reject(new Error('undo')));
      throw new Error('start');
    });
    await assert.rejects(start, { code: 'PLUGIN_START_FAILED' });
    assert.deepEqual(codesOf(await run.stop()), ['PLUGIN_STOP_FAILED']);
  });

  it('runs the remaining undo steps when some throw, and returns every failure', async () => {
    const done: string[] = [];
    const { run, start } = prepare(({ onStop }) => {
      onStop(() => void done.push('a'));
      onStop(() => {
        throw new Error('one');
      });
      onStop(() => Promise.reject(new Error('two')));
    });
    await start();
    const failures = await run.stop();
    assert.deepEqual(done, ['a']);
    assert.deepEqual(
      failures.map(({ cause }) => (cause as Error).message),
      ['two', 'one'],
    );
  });

  it('stops once for two simultaneous callers and a later one', async () => {
    let undone = 0;
    const { run, start } = prepare(({ onStop }) =>
      onStop(async () => {
        await sleep(5);
        undone++;
      }),
    );
    await start();
    await Promise.all([run.stop(), run.stop()]);
    await run.stop();
    assert.equal(undone, 1);
  });

  it('does nothing when it is stopped before it has started', async () => {
    assert.deepEqual(await prepare(() => {}).run.stop(), []);
  });

  it('abandons a start that hangs, and undoes its steps', async () => {
    let undone = 0;
    let signal: AbortSignal | undefined;
    const { run, start } = prepare(
      (context) => {
        signal = context.signal;
        context.onStop(() => void undone++);
        return new Promise(() => {});
      },
      { startTimeoutMs: 20 },
    );
    await assert.rejects(start, {
      code: 'PLUGIN_START_TIMEOUT',
      message: /"subject" did not start within 20 ms/,
    });
    assert.equal(undone, 1);
    assert.equal(signal?.aborted, true);
    assert.equal(run.state, 'failed');
  });

  it('runs undo steps immediately when a start continues after its deadline', async () => {
    const done: string[] = [];
    const held = new EventEmitter();
    const { start } = prepare(
      async ({ onStop }) => {
        await once(held, 'release');
        onStop(() => void done.push('late'));
        done.push('registered');
      },
      { startTimeoutMs: 10 },
    );
    await assert.rejects(start, { code: 'PLUGIN_START_TIMEOUT' });
    assert.deepEqual(done, []);
    held.emit('release');
    await until(() => done.length === 2);
    assert.deepEqual(done, ['late', 'registered']);
  });

  it('logs an undo step that fails after the run is over', async () => {
    const held = new EventEmitter();
    const { start, lines } = prepare(
      async ({ onStop }) => {
        await once(held, 'release');
        onStop(() => Promise.reject(new Error('too late')));
      },
      { startTimeoutMs: 10 },
    );
    await assert.rejects(start);
    held.emit('release');
    await until(() => /PLUGIN_STOP_FAILED.*too late/.test(JSON.stringify(lines)));
  });

  it('abandons an undo step that hangs, and still runs the ones below it', async () => {
    let undone = 0;
    const { run, start } = prepare(
      ({ onStop }) => {
        onStop(() => void undone++);
        onStop(() => new Promise(() => {}));
      },
      { stopTimeoutMs: 20 },
    );
    await start();
    assert.deepEqual(codesOf(await run.stop()), ['PLUGIN_STOP_TIMEOUT']);
    assert.equal(undone, 1);
  });

  it('waits for a start under way and for its late undo steps when it is stopped', async () => {
    const done: string[] = [];
    const { run, start } = prepare(async ({ signal, onStop }) => {
      onStop(() => void done.push('early'));
      await once(signal, 'abort');
      await sleep(5);
      onStop(async () => {
        await sleep(5);
        done.push('late');
      });
    });
    const starting = start();
    await sleep(2);
    assert.deepEqual(await run.stop(), []);
    assert.deepEqual(done, ['early', 'late']);
    await starting;
    assert.equal(run.state, 'stopped');
  });

  it('reports a start that ignores a stop until the stop deadline', async () => {
    const { run, start } = prepare(() => new Promise(() => {}), { startTimeoutMs: 400, stopTimeoutMs: 20 });
    const starting = assert.rejects(start, { code: 'PLUGIN_START_ABANDONED' });
    await sleep(2);
    assert.deepEqual(codesOf(await run.stop()), ['PLUGIN_STOP_TIMEOUT']);
    await starting;
    assert.equal(run.state, 'stopped');
  });

  it('reports a start that throws synchronously in the same way', async () => {
    const plugin = definePlugin({
      name: 'subject',
      kind: 'service',
      summary: 'S.',
      start() {
        throw new TypeError('at once');
      },
    });
    await assert.rejects(prepareRun(plugin).start(), { code: 'PLUGIN_START_FAILED' });
  });

  it('rejects a provider whose start returns nothing, and undoes it', async () => {
    let undone = 0;
    const plugin = definePlugin({
      name: 'subject',
      kind: 'service',
      summary: 'S.',
      provides: serviceToken<object>('thing'),
      start: ({ onStop }) => {
        onStop(() => void undone++);
        return undefined as never;
      },
    });
    await assert.rejects(prepareRun(plugin).start(), { code: 'PLUGIN_PROVIDED_NOTHING', message: /"thing"/ });
    assert.equal(undone, 1);
  });

  it('ends a stop and a start a second after the start has ignored its signal', async (t) => {
    const { run, start } = prepare(() => new Promise(() => {}), { stopTimeoutMs: 60_000 });
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const starting = assert.rejects(start, { code: 'PLUGIN_START_ABANDONED' });
    await Promise.resolve();
    const stopping = run.stop();
    await new Promise(setImmediate);
    t.mock.timers.tick(1_000);
    assert.deepEqual(codesOf(await stopping), ['PLUGIN_START_ABANDONED']);
    await starting;
  });

  it('says that a start still runs after 3 s, and whenever that time has doubled', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let finish = () => {};
    const { start, lines } = prepare(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    const started = start();
    await Promise.resolve();
    const after = (ms: number) => {
      t.mock.timers.tick(ms);
      return lines.map(({ message }) => /is still starting \((\d+) s\)/.exec(String(message))?.[1]);
    };
    assert.deepEqual(after(2_999), []);
    assert.deepEqual(after(1), ['3']);
    assert.deepEqual(after(3_000), ['3', '6']);
    assert.deepEqual(after(6_000), ['3', '6', '12']);
    finish();
    await started;
    assert.equal(after(60_000).length, 3);
  });
});
