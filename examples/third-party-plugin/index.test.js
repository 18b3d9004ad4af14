import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkPlugin, startTestCollector } from 'waywiser/testing';
import plugin from './index.js';
import { stateChanges } from './service.js';

it('keeps the contract of a plugin', async () => {
  await checkPlugin(plugin);
});

it('counts changes of state, without the first one', async () => {
  const collector = await startTestCollector({ plugins: [{ plugin }] });
  const device = { name: 'router', ip: '192.0.2.1', port: 161 };
  collector.events.emit('device.state', { device, from: 'unknown', to: 'up', why: 'it answered' });
  collector.events.emit('device.state', { device, from: 'up', to: 'suspect', why: 'no reply' });

  assert.equal(collector.getService(stateChanges).countOf('router'), 1);
  await collector.stop();
});
