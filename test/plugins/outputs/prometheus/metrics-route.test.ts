import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import prometheus from '../../../../plugins/outputs/prometheus/index.ts';
import { pipelineToken } from '../../../../src/index.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';
import { startApi } from '../../http-api/support/api-stack.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { parseExposition } from './exposition-parser.ts';

const options = { delivery: { group_wait_ms: 0 } };

async function startServing(test: TestContext) {
  const api = await startApi(test, new DefinitionFolder(test), {
    more: [
      { plugin: prometheus, options },
      { plugin: prometheus, name: 'prometheus/lab', options: { prefix: 'lab_', ...options } },
    ],
  });
  const pipeline = api.collector.getService(pipelineToken);
  const parts = { slotMs: Date.now(), timeMs: Date.now() };
  pipeline.push(createTestBatch(parts));
  pipeline.push(createTestBatch({ ...parts, device: { name: 'router-2', ip: '192.0.2.2', port: 161 } }));
  while (Object.values(pipeline.counters.outputs).some(({ queued }) => queued > 0)) await sleep(1);
  return api;
}

describe('the prometheus plugin without a port', () => {
  it('is served by the HTTP API, with a separate path per instance', async (test) => {
    const { call } = await startServing(test);
    const { status, type, text } = await call('GET', '/api/v1/snmp/metrics');
    assert.deepEqual([status, type], [200, 'text/plain; version=0.0.4; charset=utf-8']);
    assert.equal(parseExposition(text, false).get('snmp_value')?.samples.length, 2);
    const lab = await call('GET', '/api/v1/snmp/metrics/lab', {
      headers: { accept: 'application/openmetrics-text' },
    });
    assert.equal(lab.headers.get('content-encoding'), 'gzip');
    assert.match(lab.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(parseExposition(lab.text, true).get('lab_value')?.samples.length, 2);
  });

  it('limits a scrape, and refuses unknown parameters', async (test) => {
    const { call } = await startServing(test);
    const count = async (query: string) =>
      parseExposition((await call('GET', `/api/v1/snmp/metrics${query}`)).text, false).get('snmp_value')
        ?.samples.length;
    assert.equal(await count('?device=router-2'), 1);
    assert.equal(await count('?device=router-2&device=192.0.2.1'), 2);
    assert.equal(await count('?object=OTHER-MIB::entry'), undefined);
    assert.equal((await call('GET', '/api/v1/snmp/metrics?devices=router-2')).status, 400);
    assert.equal((await call('POST', '/api/v1/snmp/metrics')).status, 405);
    assert.equal((await call('HEAD', '/api/v1/snmp/metrics')).status, 200);
  });

  it('is in the OpenAPI document', async (test) => {
    const { call } = await startServing(test);
    const { body } = await call('GET', '/openapi.json');
    assert.equal(body.paths['/api/v1/snmp/metrics'].get.summary, 'The latest values for Prometheus');
  });
});
