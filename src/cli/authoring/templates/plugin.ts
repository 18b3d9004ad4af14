import { type PackageTemplate, writeReadme } from './package-template.ts';

/** A service plugin that listens to events and answers questions about them. */
export const pluginTemplate: PackageTemplate = (name) => ({
  'README.md': writeReadme(
    name,
    'A plugin for Waywiser: counts how often devices change their state.',
    `  ${name}: {}`,
  ),
  'service.js': `// @ts-check
import { serviceToken } from 'waywiser';

/**
 * What other plugins may ask: \`needs: { changes: stateChanges }\`.
 * @typedef {{ countOf(device: string): number }} StateChanges
 */

/** @type {import('waywiser').ServiceToken<StateChanges>} */
export const stateChanges = serviceToken('${name}');
`,
  'index.js': `// @ts-check
import { definePlugin, Type } from 'waywiser';
import { stateChanges } from './service.js';

export default definePlugin({
  name: '${name}',
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
`,
  'index.test.js': `import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkPlugin, startTestCollector } from 'waywiser/testing';
import plugin from './index.js';
import { stateChanges } from './service.js';

it('keeps the contract of a plugin', async () => {
  await checkPlugin(plugin);
});

it('counts changes, the first one left out', async () => {
  const collector = await startTestCollector({ plugins: [{ plugin }] });
  const device = { name: 'router', ip: '192.0.2.1', port: 161 };
  collector.events.emit('device.state', { device, from: 'unknown', to: 'up', why: 'it answered' });
  collector.events.emit('device.state', { device, from: 'up', to: 'suspect', why: 'no reply' });

  assert.equal(collector.getService(stateChanges).countOf('router'), 1);
  await collector.stop();
});
`,
});
