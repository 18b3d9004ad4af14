// @ts-check
import { definePlugin, gapCode, pipelineToken, Type } from 'waywiser';

export default definePlugin({
  name: 'third-party-source',
  kind: 'source',
  summary: 'Asks web pages, and measures whether and how fast they answer.',
  options: Type.Object({
    every_ms: Type.Integer({ minimum: 100, default: 30_000, description: 'how often to ask each page' }),
    timeout_ms: Type.Integer({ minimum: 10, default: 5_000, description: 'how long to wait for an answer' }),
    pages: Type.Record(Type.String(), Type.String(), { description: 'URLs by the name of the page' }),
  }),
  needs: { pipeline: pipelineToken },
  start({ name, options, needs, signal, onStop }) {
    let sequence = 0;

    const measure = async (page, url, slotMs) => {
      const { status, durationMs } = await ask(
        url,
        AbortSignal.any([signal, AbortSignal.timeout(options.timeout_ms)]),
      );
      if (signal.aborted) return;
      needs.pipeline.push({
        device: { name: page, ip: new URL(url).hostname, port: Number(new URL(url).port) || 443 },
        tags: {},
        record: 'web-page',
        plan: name,
        generation: 1,
        sequence: sequence++,
        slotMs,
        timeMs: Date.now(),
        rows: { count: 1, keys: [page], labels: { page: [page] } },
        columns: [
          { kind: 'boolean', field: 'page.up', values: Uint8Array.of(status < 400 ? 1 : 0) },
          gauge('page.status', status),
          { ...gauge('page.duration', durationMs), unit: 'ms' },
        ],
      });
    };

    const measureAll = () => {
      const slotMs = Date.now();
      for (const [page, url] of Object.entries(options.pages)) measure(page, url, slotMs);
    };
    measureAll();
    const timer = setInterval(measureAll, options.every_ms);
    onStop(() => clearInterval(timer));
  },
});

/**
 * Never throws: a page without an answer has no status.
 * @param {string} url
 * @param {AbortSignal} signal
 */
async function ask(url, signal) {
  const startedMs = performance.now();
  try {
    const response = await fetch(url, { signal });
    await response.body?.cancel();
    return { status: response.status, durationMs: performance.now() - startedMs };
  } catch {
    return { status: Number.NaN, durationMs: Number.NaN };
  }
}

/**
 * @param {string} field
 * @param {number} value NaN where there is none
 * @returns {import('waywiser').Column}
 */
function gauge(field, value) {
  const gaps = Number.isNaN(value) ? Uint8Array.of(gapCode('timeout')) : undefined;
  return { kind: 'number', field, metric: 'gauge', values: Float64Array.of(value), gaps };
}
