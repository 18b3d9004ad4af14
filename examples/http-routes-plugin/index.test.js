import assert from 'node:assert/strict';
import { it } from 'node:test';
import Fastify from 'fastify';
import { httpRoutesToken } from 'waywiser/plugins/http-routes';
import { checkPlugin, startTestCollector } from 'waywiser/testing';
import plugin from './index.js';

const app = Fastify();
const routes = { add: (added) => void app.register(added) };

it('keeps the contract of a plugin', async () => {
  await checkPlugin(plugin, { needs: { routes: { add() {} } } });
});

it('reports how often devices changed their state, and resets the count of one', async () => {
  const collector = await startTestCollector({
    plugins: [{ plugin }],
    services: [[httpRoutesToken, routes]],
  });
  const change = (name, from, to) => {
    const device = { name, ip: '192.0.2.1', port: 161 };
    collector.events.emit('device.state', { device, from, to, why: 'a test' });
  };
  change('router-1', 'unknown', 'up');
  change('router-1', 'up', 'suspect');
  change('router-1', 'suspect', 'up');
  change('switch-1', 'up', 'suspect');
  const list = async (query = '') => (await app.inject(`/api/v1/state-changes${query}`)).json().items;

  const router = { device: 'router-1', changes: 2 };
  assert.deepEqual(await list(), [router, { device: 'switch-1', changes: 1 }]);
  assert.deepEqual(await list('?least=2'), [router]);

  const reset = () => app.inject({ method: 'DELETE', url: '/api/v1/state-changes/router-1' });
  assert.equal((await reset()).statusCode, 204);
  assert.equal((await reset()).statusCode, 404);
  assert.deepEqual(await list('?least=2'), []);
  await collector.stop();
});
