import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Collector } from '../../src/kernel/collector.ts';
import { EventExchange } from '../../src/kernel/event-bus.ts';
import { createLogger } from '../../src/kernel/logger.ts';
import { definePlugin } from '../../src/kernel/plugin.ts';
import { checkOptions } from '../../src/kernel/plugin-options.ts';
import { serviceToken } from '../../src/kernel/service-token.ts';
import { Type } from '../../src/typebox.ts';

/** What the kernel costs. One JSON line a figure; a median of several runs. */
const log = createLogger({ level: 'silent', instance: 'bench', destination: { write() {} } });

print('boot of thirty trivial plugins', await medianOf(15, bootMs), 'ms', 50);
print('emit to five listeners', await medianOf(15, emitMicroseconds), 'µs', 1);

const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
if (existsSync(cli)) print('waywiser --help, cold', await medianOf(7, helpMs), 'ms', 200);
else console.error('waywiser --help is not measured: run `npm run build` first.');

/** Each plugin has an option and needs the service of the one before it; checking the options is part of the boot. */
async function bootMs(): Promise<number> {
  const options = Type.Object({ port: Type.Integer({ default: 1, description: 'a number' }) });
  const tokens = Array.from({ length: 30 }, (_, i) => serviceToken<object>(`service-${i}`));
  const plugins = tokens.map((provides, i) =>
    definePlugin({
      name: `plugin-${i}`,
      kind: 'service',
      summary: 'Does nothing.',
      options,
      needs: i === 0 ? {} : { before: tokens[i - 1]! },
      provides,
      start: () => ({}),
    }),
  );
  const sources = { baseDirectory: '/', secrets: { env: {}, directory: undefined } };

  const begun = performance.now();
  const collector = new Collector({
    instance: 'bench',
    version: '0',
    stateDirectory: '/nonexistent',
    log,
    plugins: plugins.map((plugin) => ({
      name: plugin.name,
      plugin,
      options: checkOptions(plugin.options, {}, sources).options,
    })),
  });
  await collector.start();
  const tookMs = performance.now() - begun;
  await collector.stop('measured');
  return tookMs;
}

function emitMicroseconds(): number {
  const exchange = new EventExchange(log);
  let called = 0;
  for (let i = 0; i < 5; i++) exchange.open(`plugin-${i}`).bus.on('collector.stopping', () => void called++);
  const payload = { why: 'bench' };
  const emits = 200_000;

  const begun = performance.now();
  for (let i = 0; i < emits; i++) exchange.emit('collector.stopping', payload);
  const tookMs = performance.now() - begun;
  if (called !== 5 * emits) throw new Error(`${called} calls instead of ${5 * emits}`);
  return (tookMs * 1_000) / emits;
}

function helpMs(): number {
  const begun = performance.now();
  execFileSync(process.execPath, [cli, '--help'], { stdio: 'ignore' });
  return performance.now() - begun;
}

async function medianOf(runs: number, measure: () => number | Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let i = 0; i < runs; i++) values.push(await measure());
  return values.sort((a, b) => a - b)[runs >> 1]!;
}

function print(figure: string, value: number, unit: string, target: number): void {
  console.log(JSON.stringify({ figure, value: Number(value.toPrecision(3)), unit, target }));
}
