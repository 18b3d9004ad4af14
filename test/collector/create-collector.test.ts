import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  createCollector,
  definePlugin,
  pathOption,
  pipelineToken,
  serviceToken,
  Type,
} from '../../src/index.ts';
import { createRecordingOutput, createTestBatch } from '../../src/testing/index.ts';
import { writeFolder } from '../kernel/support/scratch-folder.ts';
import { modulePath } from '../support/own-module.ts';

const root = JSON.stringify(modulePath(new URL('../../src/index.ts', import.meta.url)));
const stateIn = (folder: string) => ({ state_directory: join(folder, 'state') });

const greeting = serviceToken<{ greet(): string }>('greeting');
const greeter = definePlugin({
  name: 'greeting',
  kind: 'service',
  summary: 'Greets.',
  options: Type.Object({
    whom: Type.String({ description: 'whom to greet', default: 'nobody' }),
    file: Type.Optional(pathOption({ description: 'a file' })),
  }),
  provides: greeting,
  start: ({ options }) => ({ greet: () => `Good morning, ${options.whom}: ${options.file}` }),
});

describe('createCollector', () => {
  it('runs built-in plugins by name and plugins that are passed as values', async () => {
    const output = createRecordingOutput();
    const collector = await createCollector({
      ...stateIn(writeFolder({})),
      plugins: { 'http-routes': {}, greeting: [greeter, { whom: 'you' }], recording: output.plugin },
    });
    const order: string[] = [];
    collector.events.on('collector.ready', () => void order.push('ready'));
    collector.events.on('collector.stopping', ({ why }) => void order.push(why));
    assert.equal(await collector.start(), true);

    assert.equal(collector.getService(greeting).greet(), 'Good morning, you: undefined');
    collector.getService(pipelineToken).push(createTestBatch({ record: 'X::y' }));
    const [batch] = await output.waitFor((batches) => batches.length === 1);
    assert.equal(batch?.record, 'X::y');
    assert.deepEqual(
      collector.describe().plugins.map(({ name, state }) => `${name} ${state}`),
      ['http-routes started', 'greeting started', 'pipeline started', 'recording started'],
    );

    assert.deepEqual(await collector.stop('enough'), []);
    assert.deepEqual(await collector.stop(), []);
    assert.deepEqual(order, ['ready', 'enough']);
    await assert.rejects(collector.start(), { code: 'COLLECTOR_STOPPED', message: /Make another one/ });
    assert.throws(() => collector.getService(greeting), /"greeting" is not running/);
  });

  it('reads a file, with paths that start at its directory', async () => {
    const folder = writeFolder({
      'package.json': '{ "type": "module" }',
      'own.js': `import { definePlugin, pathOption, serviceToken, Type } from ${root};
export default definePlugin({
  name: 'own', kind: 'service', summary: 'S.', provides: serviceToken('own'),
  options: Type.Object({ file: pathOption({ description: 'a file' }) }),
  start: ({ options }) => options.file,
});`,
      'waywiser.yml': 'plugins:\n  ./own.js: { file: data.txt }\n',
    });
    const collector = await createCollector(join(folder, 'waywiser.yml'));
    await collector.start();
    assert.equal(collector.getService(serviceToken<string>('own')), join(folder, 'data.txt'));
    await collector.stop();
    assert.ok(existsSync(join(folder, 'state')));
  });

  it('starts nothing and writes nothing before start is called', async () => {
    const folder = writeFolder({});
    let starts = 0;
    const plugin = definePlugin({ name: 'p', kind: 'source', summary: 'S.', start: () => void starts++ });
    const collector = await createCollector({ ...stateIn(folder), plugins: { p: plugin } });
    assert.equal(existsSync(join(folder, 'state')), false);
    await collector.stop();
    await assert.rejects(collector.start(), { code: 'COLLECTOR_STOPPED' });
    assert.equal(starts, 0);
  });

  it('rejects with every problem, each at its key', async () => {
    const config = {
      instnace: 'x',
      plugins: { greeting: [greeter, { whmo: 'x' }], pipelin: {}, pipeline: { queue: 1 } },
    } as const;
    await assert.rejects(createCollector(config), ({ code, message }) => {
      assert.equal(code, 'CONFIG_INVALID');
      assert.match(message, /^The configuration given as an object has problems \(4\):/);
      assert.match(message, /^ {2}instnace {2}unknown-key .*Did you mean "instance"/m);
      assert.match(
        message,
        /^ {2}plugins\.greeting\.whmo {2}unknown-key {2}greeting: .*Did you mean "whom"/m,
      );
      assert.match(message, /^ {2}plugins\.pipelin {2}PLUGIN_UNKNOWN .*"pipeline"/m);
      assert.match(message, /^ {2}plugins\.pipeline\.queue {2}unknown-key /m);
      return true;
    });
  });

  it('resolves secrets and overrides from the given environment only', async () => {
    process.env['WAYWISER_PLUGINS__GREETING__WHOM'] = 'the process';
    try {
      const config = { ...stateIn(writeFolder({})), plugins: { greeting: greeter } };
      const greet = async (settings: Parameters<typeof createCollector>[1]) => {
        const collector = await createCollector(config, settings);
        await collector.start();
        const text = collector.getService(greeting).greet();
        await collector.stop();
        return text;
      };
      assert.match(await greet({ env: {} }), /nobody/);
      assert.match(await greet({ env: { WAYWISER_PLUGINS__GREETING__WHOM: 'env' } }), /, env/);
      assert.match(await greet({}), /the process/);
    } finally {
      delete process.env['WAYWISER_PLUGINS__GREETING__WHOM'];
    }
  });

  it('runs a plugin twice under two names', async () => {
    const source = definePlugin({ name: 'twin', kind: 'source', summary: 'S.', start() {} });
    const collector = await createCollector({
      ...stateIn(writeFolder({})),
      plugins: { twin: source, 'twin/second': [source, {}] },
    });
    await collector.start();
    assert.deepEqual(
      collector.describe().plugins.map(({ name }) => name),
      ['twin', 'twin/second'],
    );
    await collector.stop();
  });

  it('writes its log as JSON lines where it is told to, from log_level on, and nothing to the console', async (t) => {
    const written = [process.stdout, process.stderr].map((stream) => t.mock.method(stream, 'write'));
    const lines: string[] = [];
    const plugin = definePlugin({
      name: 'talker',
      kind: 'source',
      summary: 'S.',
      start: ({ log }) => {
        log.info('not written');
        log.warn('written');
      },
    });
    const config = {
      ...stateIn(writeFolder({})),
      instance: 'x',
      log_level: 'warn',
      plugins: { talker: plugin },
    } as const;
    for (const settings of [{ log: { write: (line: string) => lines.push(line) } }, {}]) {
      const collector = await createCollector(config, settings);
      await collector.start();
      await collector.stop();
    }
    assert.deepEqual(
      lines
        .map((line) => JSON.parse(line))
        .map(({ message, plugin: name, instance }) => [message, name, instance]),
      [['written', 'talker', 'x']],
    );
    for (const { mock } of written) {
      assert.deepEqual(
        mock.calls.filter(({ arguments: [text] }) => String(text).includes('written')),
        [],
      );
    }
  });

  it('leaves the signals and the exit of the process alone', async () => {
    const { exit } = process;
    const events = ['SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection'];
    const count = () => events.map((name) => process.listenerCount(name));
    const before = count();
    const collector = await createCollector({ ...stateIn(writeFolder({})) });
    await collector.start();
    assert.deepEqual(count(), before);
    assert.equal(process.exit, exit);
    await collector.stop();
  });

  it('rejects when a plugin fails to start, after the others have stopped', async () => {
    let stopped = 0;
    const first = definePlugin({
      name: 'first',
      kind: 'service',
      summary: 'S.',
      start: ({ onStop }) => onStop(() => void stopped++),
    });
    const second = definePlugin({
      name: 'second',
      kind: 'source',
      summary: 'S.',
      start() {
        throw new Error('no');
      },
    });
    const collector = await createCollector({ ...stateIn(writeFolder({})), plugins: { first, second } });
    await assert.rejects(collector.start(), { code: 'PLUGIN_START_FAILED' });
    assert.equal(stopped, 1);
  });
});
