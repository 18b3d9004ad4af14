import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Batch,
  defineOutput,
  definePlugin,
  defineProcessor,
  defineSource,
  type Measured,
  type Plugin,
  type Processor,
  serviceToken,
  Type,
} from '../../../src/index.ts';
import { pipelinePlugin } from '../../../src/pipeline/pipeline-plugin.ts';
import { type CheckPluginOptions, checkPlugin } from '../../../src/testing/index.ts';

const clock = serviceToken<{ now(): number }>('clock');

const good = definePlugin({
  name: 'good-server',
  kind: 'api',
  summary: 'Serves nothing, e.g. on 127.0.0.1.',
  options: Type.Object({ port: Type.Integer({ default: 0, description: 'where it listens' }) }),
  needs: { clock },
  async start({ options, needs, onStop }) {
    needs.clock.now();
    const server = createServer().listen(options.port, '127.0.0.1');
    onStop(() => new Promise((resolve) => server.close(() => resolve())));
    await once(server, 'listening');
    assert.ok((server.address() as AddressInfo).port > 0);
  },
});

const base = { name: 'bad', kind: 'service', summary: 'Breaks something.', stopTimeoutMs: 50 } as const;

const breaks = (plugin: Plugin, fault: RegExp, options: CheckPluginOptions = {}) =>
  assert.rejects(checkPlugin(plugin, options), (error: Error) => {
    assert.match(error.message, /^The plugin ".*" breaks its contract:\n {2}- /);
    assert.match(error.message, fault);
    return true;
  });

describe('checkPlugin', () => {
  it('accepts good plugins of every kind', async () => {
    await checkPlugin(good, { needs: { clock: { now: () => 1 } } });
    await checkPlugin(pipelinePlugin);
    await checkPlugin(defineProcessor({ name: 'pass', summary: 'Passes on.', open: () => (batch) => batch }));
    await checkPlugin(defineOutput({ name: 'drop', summary: 'Drops all.', open: () => ({ write() {} }) }));
  });

  it('finds an async processor, and one that throws', async () => {
    const processor = (process: (batch: Batch) => unknown) =>
      defineProcessor({ name: 'bad', summary: 'Breaks something.', open: () => process as Processor });
    await breaks(
      processor(async (batch) => batch),
      /start and stop: .*it is a promise/,
    );
    await breaks(
      processor(() => ({ rows: 3 })),
      /start and stop: .*malformed batch: device is missing/,
    );
    const throwing = () => {
      throw new Error('no');
    };
    await breaks(processor(throwing), /it throws on a batch/);
  });

  it('finds a source whose rows are malformed', async () => {
    const source = (measure: (push: (measured: Measured) => void) => void) =>
      defineSource({
        name: 'bad',
        summary: 'Breaks something.',
        open: ({ every, push }) => every(60_000, () => measure(push)),
      });
    const device = { name: 'lamp-1', ip: '127.0.0.1', port: 0 };
    const rows = [{ key: 'a', values: { light: 5 } }];
    await checkPlugin(source((push) => push({ device, record: 'lamp', rows })));
    await breaks(
      source((push) => push({ device: { name: 'lamp-1' } as never, record: 'lamp', rows })),
      /start and stop: .*malformed batch: the name or ip of device/,
    );
  });

  it('finds a kind that does not exist, an output without write, and what is no plugin', async () => {
    await breaks(
      { ...definePlugin({ ...base, start() {} }), kind: 'srvice' as never },
      /its kind is "srvice"\. Did you mean "service"\?/,
    );
    await breaks(
      defineOutput({ name: 'bad', summary: 'Breaks something.', open: () => ({}) as never }),
      /`open` of the output "bad" returned no function `write`/,
    );
    await assert.rejects(checkPlugin({ name: 'lamp' } as never), /is no plugin: pass what definePlugin,/);
    await assert.rejects(checkPlugin(undefined as never), /is no plugin/);
  });

  it('names the error that the plugin threw as its cause, with its stack', async () => {
    const start = () => {
      throw new Error('broken start');
    };
    await assert.rejects(checkPlugin(definePlugin({ ...base, start })), ({ cause }: Error) => {
      assert.match(((cause as Error).cause as Error).stack!, /check-plugin\.test/);
      return true;
    });
  });

  it('finds a wrong name and a summary that is not one sentence', async () => {
    await breaks(definePlugin({ ...base, name: 'BadName', start() {} }), /not kebab-case: "BadName"/);
    for (const summary of ['no capital.', 'No stop', 'Two. Sentences.', '']) {
      await breaks(definePlugin({ ...base, summary, start() {} }), /summary is not one sentence/);
    }
  });

  it('finds options without a description, at any depth', async () => {
    const options = Type.Object({
      one: Type.Optional(Type.String()),
      two: Type.Object({ inner: Type.Integer({ default: 1 }) }, { default: {}, description: 'd' }),
      list: Type.Array(Type.Object({ deep: Type.String() }), { default: [], description: 'd' }),
    });
    const plugin = definePlugin({ ...base, options, start() {} });
    for (const name of ['one', 'two\\.inner', 'list\\.deep']) {
      await breaks(plugin, new RegExp(`"${name}" has no description`));
    }
  });

  it('finds a plugin that accepts unknown options', async () => {
    const options = Type.Object({}, { additionalProperties: true });
    await breaks(definePlugin({ ...base, options, start() {} }), /accepts an unknown option/);
  });

  it('reports options that are wrong or missing', async () => {
    const options = Type.Object({ url: Type.String({ description: 'where to' }) });
    const plugin = definePlugin({ ...base, options, start() {} });
    await breaks(plugin, /"url" is required/);
    await checkPlugin(plugin, { options: { url: 'x' } });
  });

  it('finds a start that fails and a stop that fails', async () => {
    const start = () => {
      throw new Error('broken start');
    };
    await breaks(definePlugin({ ...base, start }), /start and stop: .*failed to start.*broken start/);
    const undo = () => Promise.reject(new Error('broken stop'));
    await breaks(definePlugin({ ...base, start: ({ onStop }) => onStop(undo) }), /broken stop/);
  });

  it('finds a need without a fake', async () => {
    await breaks(good, /These services are missing: "clock"/);
  });

  it('finds a server that is left open', async () => {
    const servers: ReturnType<typeof createServer>[] = [];
    const plugin = definePlugin({
      ...base,
      async start() {
        const server = createServer().listen(0, '127.0.0.1');
        servers.push(server);
        await once(server, 'listening');
      },
    });
    try {
      await breaks(plugin, /left open: TCP/);
    } finally {
      for (const server of servers) server.close();
    }
  });

  it('finds a timer that is left running', async () => {
    const timers: NodeJS.Timeout[] = [];
    const plugin = definePlugin({ ...base, start: () => void timers.push(setInterval(() => {}, 10_000)) });
    try {
      await breaks(plugin, /left open: Timeout/);
    } finally {
      for (const timer of timers) clearInterval(timer);
    }
  });

  it('finds module state that survives the first stop', async () => {
    let isRunning = false;
    const plugin = definePlugin({
      ...base,
      start() {
        if (isRunning) throw new Error('already running');
        isRunning = true;
      },
    });
    await breaks(plugin, /a second start and stop: .*already running/);
  });

  it('finds a start that ignores its signal', async () => {
    const starts: Promise<void>[] = [];
    const start = () => {
      starts.push(sleep(200));
      return starts.at(-1)!;
    };
    await breaks(definePlugin({ ...base, start }), /a stop while it starts: .*did not stop within 50 ms/);
    await Promise.all(starts);
  });

  it('finds a resource that is opened after the abort and not closed', async () => {
    const timers: NodeJS.Timeout[] = [];
    const plugin = definePlugin({
      ...base,
      async start({ signal, onStop }) {
        await sleep(5);
        const timer = setInterval(() => {}, 10_000);
        timers.push(timer);
        if (!signal.aborted) onStop(() => clearInterval(timer));
      },
    });
    try {
      await breaks(plugin, /a stop while it starts: left open: Timeout/);
    } finally {
      for (const timer of timers) clearInterval(timer);
    }
  });
});
