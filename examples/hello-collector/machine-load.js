// @ts-check
import { freemem, loadavg } from 'node:os';
import { definePlugin, pipelineToken, Type } from 'waywiser';

/** A source: measures this machine and pushes a batch of one row each time. */
export default definePlugin({
  name: 'machine-load',
  kind: 'source',
  summary: 'Measures the load and the free memory of this machine.',
  options: Type.Object({
    every_ms: Type.Integer({ minimum: 100, default: 1000, description: 'how often to measure' }),
  }),
  needs: { pipeline: pipelineToken },
  start({ options, needs, onStop }) {
    const device = { name: 'this-machine', ip: '127.0.0.1', port: 0 };
    const rows = { count: 1, keys: ['machine'], labels: {} };
    let sequence = 0;

    const timer = setInterval(() => {
      const nowMs = Date.now();
      needs.pipeline.push({
        device,
        tags: {},
        record: 'machine',
        plan: 'machine-load',
        generation: 1,
        sequence: sequence++,
        slotMs: nowMs,
        timeMs: nowMs,
        rows,
        columns: [
          { kind: 'number', field: 'load.1m', metric: 'gauge', values: Float64Array.of(loadavg()[0] ?? 0) },
          {
            kind: 'number',
            field: 'memory.free.bytes',
            metric: 'gauge',
            unit: 'bytes',
            values: Float64Array.of(freemem()),
          },
        ],
      });
    }, options.every_ms);
    onStop(() => clearInterval(timer));
  },
});
