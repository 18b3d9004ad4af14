import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import elasticsearch from '../../../../plugins/outputs/elasticsearch/index.ts';
import http from '../../../../plugins/outputs/http/index.ts';
import influx from '../../../../plugins/outputs/influx/index.ts';
import mqtt from '../../../../plugins/outputs/mqtt/index.ts';
import nats from '../../../../plugins/outputs/nats/index.ts';
import otlp from '../../../../plugins/outputs/otlp/index.ts';
import remoteWrite from '../../../../plugins/outputs/prometheus-remote-write/index.ts';
import { definePlugin, explainError, type Plugin, pipelineToken } from '../../../../src/index.ts';
import { createTestBatch, startTestCollector, type TestPlugin } from '../../../../src/testing/index.ts';
import { until } from '../../../support/until.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { startApi } from '../support/api-stack.ts';
import { listOperations } from '../support/description.ts';

const secret = 'canary5x81c0f3';
/** Every output with an option that is a URL, and its other required options. */
const outputs: readonly (readonly [plugin: Plugin, scheme: string, rest?: object])[] = [
  [http, 'http'],
  [influx, 'http', { database: 'db' }],
  [elasticsearch, 'http'],
  [otlp, 'http'],
  [remoteWrite, 'http'],
  [mqtt, 'mqtt'],
  [nats, 'nats'],
];
const urlOption = ({ name }: Plugin, url: string) => (name === 'nats' ? { servers: [url] } : { url });

const configured = (urlOf: (scheme: string) => string): TestPlugin[] =>
  outputs.map(([plugin, scheme, rest]) => ({
    plugin,
    options: {
      ...urlOption(plugin, urlOf(scheme)),
      ...rest,
      delivery: { group_wait_ms: 0, retry_from_ms: 1, stall_after_ms: 1, drain_timeout_ms: 0 },
    },
  }));

/** Has an option and an error of its own that contain a URL. */
const foreign = definePlugin({
  name: 'foreign',
  kind: 'source',
  summary: 'Logs a URL.',
  start: ({ log }) => {
    log.warn({ at: `ftp://u:${secret}@host/` }, `Cannot read ftp://u:${secret}@host/file?key=${secret}.`);
    log.error({ error: new Error('outer', { cause: new Error(`ftp://host?${secret}`) }) }, 'Failed.');
  },
});

describe('a secret in the URL of an output', () => {
  it('is in no answer, log line and event', async (t) => {
    const { collector, call } = await startApi(t, new DefinitionFolder(t), {
      logLevel: 'trace',
      more: [
        ...configured(
          (scheme) =>
            `${scheme}://127.0.0.1:9${scheme === 'nats' ? '' : '/path'}?api_key=${secret}#${secret}`,
        ),
        { plugin: foreign },
      ],
    });
    const heard: unknown[] = [];
    for (const name of ['output.stalled', 'output.dropped'] as const)
      collector.events.on(name, (payload) => void heard.push(payload));
    const pipeline = collector.getService(pipelineToken);
    pipeline.push(createTestBatch({ rows: [{ values: { a: 1n } }] }));
    const hasFailed = () => Object.values(pipeline.counters.outputs).every(({ retries }) => retries > 0);
    await until(() => hasFailed() && heard.length > 0);

    const paths = listOperations((await call('GET', '/openapi.json')).body)
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path);
    assert.ok(paths.length > 10);
    for (const path of [...paths, '/docs', '/metrics'].filter((path) => !path.endsWith('/events'))) {
      const { text } = await call('GET', path.replace(/\{.*?\}/g, 'x'));
      assert.ok(!text.includes(secret), path);
    }
    const shown = (await call('GET', '/api/v1/collector')).text;
    assert.ok(shown.includes('http://127.0.0.1:9/path"'), shown);
    const said = JSON.stringify([collector.logLines, heard]);
    assert.ok(!said.includes(secret), said);
    assert.match(said, /Cannot read ftp:\/\/host\/file/);
  });

  it('is in no error and log line of a start that refuses it', async () => {
    for (const plugin of configured(
      (scheme) => `${scheme}://user:${secret}@127.0.0.1:9/?api_key=${secret}`,
    )) {
      await assert.rejects(startTestCollector({ plugins: [plugin] }), (error) => {
        assert.ok(!explainError(error).includes(secret), explainError(error));
        return true;
      });
    }
  });
});
