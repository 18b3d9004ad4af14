/** Compiled by `npm run types`: each error that is expected here must be one. */
import {
  createCollector,
  definePlugin,
  defineSource,
  secretOption,
  serviceToken,
  Type,
} from '../../src/index.ts';

interface Clock {
  now(): number;
}
const clock = serviceToken<Clock>('clock');
const device = { name: 'router-1', ip: '192.0.2.1', port: 161 };

const source = defineSource({
  name: 'source',
  summary: 'Checks what the compiler says.',
  options: Type.Object({ every_ms: Type.Integer(), token: secretOption({ description: 'a token' }) }),
  needs: { clock },
  fields: { load: { cpu: { kind: 'gauge', unit: '%' } } },
  open({ options, needs, every, push, onStop, signal }) {
    const everyMs: number = options.every_ms;
    const nowMs: number = needs.clock.now();
    every(everyMs, (slotMs) => push({ device, record: 'load', slotMs, rows: [{ values: { cpu: nowMs } }] }));
    every(everyMs, async () => {});
    push({ device, record: 'load', rows: [{ gap: 'timeout' }] }, new Set(['file']));
    onStop(() => {});
    signal.throwIfAborted();
    // @ts-expect-error an option that the schema does not have
    options.missing;
    // @ts-expect-error a need that was not declared
    needs.calendar;
    // @ts-expect-error rows are required
    push({ device, record: 'load' });
    // @ts-expect-error a value of a kind that no column has
    push({ device, record: 'load', rows: [{ values: { cpu: new Date() } }] });
    // @ts-expect-error a reason that does not exist
    push({ device, record: 'load', rows: [{ gap: 'tired' }] });
  },
});

defineSource({
  name: 'source',
  summary: 'Declares a kind that does not exist.',
  // @ts-expect-error a field is a gauge, a counter, a boolean, text or a list
  fields: { load: { cpu: { kind: 'histogram' } } },
  open() {},
});

const plugin = definePlugin({ name: 'plugin', kind: 'service', summary: 'S.', start() {} });

export async function embed(): Promise<number> {
  const collector = await createCollector({
    instance: 'embedded',
    plugins: { 'http-api': { port: 0 }, events: null, source: [source, { every_ms: 1 }], plugin },
  });
  const isReady: boolean = await collector.start();
  await collector.stop('done');
  // @ts-expect-error a key that the configuration does not have
  await createCollector({ instnace: 'embedded' });
  // @ts-expect-error options are a map
  await createCollector({ plugins: { 'http-api': 8080 } });
  return isReady ? collector.getService(clock).now() : 0;
}
