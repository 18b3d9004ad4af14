import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { httpApiToken } from '../../../plugins/http-api/service.ts';
import { createCollector } from '../../../src/index.ts';
import { writeFolder } from '../../kernel/support/scratch-folder.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';

const run = promisify(execFile);
const child = modulePath(new URL('./support/own-collector-child.ts', import.meta.url));
const routes = [
  'GET /livez',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /api/v1/collector',
  'GET /api/v1/cluster',
  'PUT /api/v1/lamp/1',
  'POST /api/v1/snmp/apply-definitions',
  'GET /api/v1/snmp/devices',
];

interface Report {
  readonly plugins: readonly string[];
  readonly files: readonly string[];
  readonly answers: Readonly<Record<string, { readonly status: number; readonly text: string }>>;
}

describe('http-api without a plugin of SNMP', () => {
  it('loads no SNMP and no definitions, and serves the collector and the routes of another plugin', async () => {
    const { stdout } = await run(process.execPath, [...nodeOptions, child, writeFolder({}), ...routes], {
      maxBuffer: 1 << 26,
    });
    const { plugins, files, answers } = JSON.parse(stdout) as Report;
    assert.deepEqual([...plugins].sort(), ['http-api', 'http-routes', 'lamp', 'pipeline', 'shards']);
    assert.ok(files.length > 50, `${files.length} files were seen`);
    const ofSnmp = /^(src\/(snmp|definitions)|plugins\/(?!http-api|http-routes)[^/]+|authoring|cli)\//;
    assert.deepEqual(
      files.filter((file) => ofSnmp.test(file)),
      [],
    );
    const statuses = Object.entries(answers).map(([route, { status }]) => [route, status]);
    assert.deepEqual(
      statuses,
      routes.map((route) => [route, route.includes('/snmp/') ? 404 : 200]),
    );
    const textOf = (route: string) => answers[route]!.text;
    assert.deepEqual(JSON.parse(textOf('GET /readyz')), { status: 'ready', degraded: [] });
    const { devices, devicesByState, generation } = JSON.parse(textOf('GET /api/v1/collector'));
    const none = { unknown: 0, up: 0, suspect: 0, down: 0, recovering: 0 };
    assert.deepEqual([devices, devicesByState, generation], [0, none, 0]);
    assert.match(textOf('GET /metrics'), /^waywiser_uptime_seconds /m);
    assert.doesNotMatch(textOf('GET /metrics'), /^waywiser_(polls|snmp|discover|devices|definitions)/m);
    const paths = Object.keys(JSON.parse(textOf('GET /openapi.json')).paths);
    assert.ok(paths.includes('/api/v1/lamp/{id}'), paths.join(' '));
    assert.ok(!paths.some((path) => path.startsWith('/api/v1/snmp/')), paths.join(' '));
  });

  for (const name of [
    'definitions-loader',
    'device-registry',
    'snmp-client',
    'snmp-discovery',
    'snmp-poller',
  ])
    it(`serves all routes of SNMP beside ${name} alone, as before`, async () => {
      const folder = writeFolder({});
      const collector = await createCollector(
        {
          instance: 'old',
          state_directory: folder,
          plugins: {
            'definitions-loader': { shipped: false, directories: [] },
            ...(name === 'definitions-loader' ? {} : { [name]: {} }),
            'http-api': { port: 0, limits: { loop_delay_ms: 60_000 } },
          },
        },
        { env: {} },
      );
      await collector.start();
      try {
        const { baseUrl } = collector.getService(httpApiToken);
        const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as {
          readonly paths: Readonly<Record<string, object>>;
        };
        for (const path of ['apply-definitions', 'rediscover-device', 'devices', 'discoveries', 'objects'])
          assert.ok(`/api/v1/snmp/${path}` in paths, path);
        const answer = await fetch(`${baseUrl}/api/v1/snmp/apply-definitions`, { method: 'POST' });
        assert.equal(answer.status, 200);
      } finally {
        await collector.stop();
      }
    });
});
