// @ts-check
import { freemem, loadavg } from 'node:os';
import { defineSource, Type } from 'waywiser';

/** A source: measures this machine and pushes one row each time. */
export default defineSource({
  name: 'machine-load',
  summary: 'Measures the load and the free memory of this machine.',
  options: Type.Object({
    every_ms: Type.Integer({ minimum: 100, default: 1000, description: 'how often to measure' }),
  }),
  fields: {
    machine: { 'load.1m': { kind: 'gauge' }, 'memory.free.bytes': { kind: 'gauge', unit: 'bytes' } },
  },
  open({ options, every, push }) {
    const device = { name: 'this-machine', ip: '127.0.0.1', port: 0 };
    every(options.every_ms, () => {
      const values = { 'load.1m': loadavg()[0], 'memory.free.bytes': freemem() };
      push({ device, record: 'machine', rows: [{ key: 'machine', values }] });
    });
  },
});
