// @ts-check
import { defineSource, Type } from 'waywiser';

export default defineSource({
  name: 'third-party-source',
  summary: 'Requests web pages, and measures whether and how fast they answer.',
  options: Type.Object({
    every_ms: Type.Integer({ minimum: 100, default: 30_000, description: 'how often to request each page' }),
    timeout_ms: Type.Integer({ minimum: 10, default: 5_000, description: 'how long to wait for an answer' }),
    pages: Type.Record(Type.String(), Type.String(), { description: 'URLs by the name of the page' }),
  }),
  // Declared, because a page that does not answer has no values from which these would follow.
  fields: {
    'web-page': {
      'page.up': { kind: 'boolean' },
      'page.status': { kind: 'gauge' },
      'page.duration': { kind: 'gauge', unit: 'ms' },
    },
  },
  open({ options, signal, every, push }) {
    /** @param {string} page @param {string} url @param {number} slotMs */
    const measure = async (page, url, slotMs) => {
      const { hostname, port } = new URL(url);
      const values = await request(url, AbortSignal.any([signal, AbortSignal.timeout(options.timeout_ms)]));
      push({
        device: { name: page, ip: hostname, port: Number(port) || 443 },
        record: 'web-page',
        slotMs,
        rows: [{ key: page, labels: { page }, values, gap: 'timeout' }],
      });
    };
    every(options.every_ms, async (slotMs) => {
      await Promise.all(Object.entries(options.pages).map(([page, url]) => measure(page, url, slotMs)));
    });
  },
});

/**
 * Never throws: a page without an answer has no status.
 * @param {string} url
 * @param {AbortSignal} signal
 */
async function request(url, signal) {
  const startedMs = performance.now();
  try {
    const response = await fetch(url, { signal });
    await response.body?.cancel();
    return {
      'page.up': response.status < 400,
      'page.status': response.status,
      'page.duration': performance.now() - startedMs,
    };
  } catch {
    return { 'page.up': false };
  }
}
