// @ts-check
import { definePlugin, Type } from 'waywiser';
import { stateChanges } from './service.js';

export default definePlugin({
  name: 'third-party-plugin',
  kind: 'service',
  summary: 'Counts how often devices change their state.',
  options: Type.Object({
    ignore_unknown: Type.Boolean({ default: true, description: 'leave out the first change, from unknown' }),
  }),
  provides: stateChanges,
  start({ options, events }) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    events.on('device.state', ({ device, from }) => {
      if (options.ignore_unknown && from === 'unknown') return;
      counts.set(device.name, (counts.get(device.name) ?? 0) + 1);
    });
    return { countOf: (device) => counts.get(device) ?? 0 };
  },
});
