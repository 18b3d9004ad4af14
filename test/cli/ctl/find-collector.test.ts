import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { readConfiguredCollector } from '../../../cli/ctl/find-collector.ts';
import { startApi } from '../../plugins/http-api/support/api-stack.ts';
import { DefinitionFolder } from '../../plugins/support/definition-folder.ts';
import { findFreePort } from '../../support/free-port.ts';
import { CollectorProcess } from '../support/collector-process.ts';
import { CommandRunner } from '../support/command-runner.ts';

describe('the address of a collector in its waywiser.yml', () => {
  const cases: readonly (readonly [options: string, url: string, env?: Record<string, string>])[] = [
    ['{ port: 9443 }', 'http://127.0.0.1:9443'],
    ['', 'http://127.0.0.1:8080'],
    ['{ host: 0.0.0.0 }', 'http://127.0.0.1:8080'],
    ['{ host: "::" }', 'http://[::1]:8080'],
    ['{ host: "::1", port: 80 }', 'http://[::1]:80'],
    ['{ host: localhost }', 'http://localhost:8080'],
    ['{ tls: { certificate: c.pem, key: k.pem } }', 'https://127.0.0.1:8080'],
    ['{ tokens: [{ name: a, role: read, token: "${file:not-mine}" }] }', 'http://127.0.0.1:8080'],
    ['{ port: 9443 }', 'http://127.0.0.1:9444', { WAYWISER_PLUGINS__HTTP_API__PORT: '9444' }],
  ];
  for (const [options, url, env = {}] of cases)
    it(`http-api: ${options}, with the variables ${JSON.stringify(env)}, is ${url}`, (t) => {
      const files = new CollectorProcess(t);
      files.write('waywiser.yml', `instance: edge\nplugins:\n  http-api: ${options}\n`);
      const file = `${files.folder}/waywiser.yml`;
      assert.deepEqual(readConfiguredCollector(file, env), { file, instance: 'edge', url });
    });

  it('cannot be known where each start chooses a port, it is of another machine, or the file is broken', (t) => {
    const files = new CollectorProcess(t);
    const read = (text: string) => () => {
      files.write('waywiser.yml', text);
      readConfiguredCollector(`${files.folder}/waywiser.yml`, {});
    };
    assert.throws(read('plugins: { http-api: { port: 0 } }'), { code: 'CTL_PORT_UNKNOWN' });
    // The token would go where the author of the file wants it.
    for (const host of ['"2001:db8::1"', '192.0.2.1', 'collector.example', 'evil/x', 'a@192.0.2.1']) {
      assert.throws(read(`plugins: { http-api: { host: ${host} } }`), { code: 'CTL_HOST_ELSEWHERE' });
    }
    const wrong = { code: 'CONFIG_INVALID', message: /waywiser\.yml:1:24 {2}type {2}http-api: "port"/ };
    assert.throws(read('plugins: { http-api: { port: x } }'), wrong);
    assert.throws(read('plugins: { http-api: {'), { code: 'CONFIG_INVALID' });
    assert.throws(read('instance: [1]'), { code: 'CONFIG_INVALID' });
  });
});

test('ctl in the folder of a collector never shows the status of another one without a word', async (t) => {
  const { baseUrl } = await startApi(t, new DefinitionFolder(t));
  const runner = new CommandRunner();
  t.after(() => runner.close());
  const files = new CollectorProcess(t);
  const { folder } = files;
  const write = (instance: string, port: string | number) =>
    files.write('waywiser.yml', `instance: ${instance}\nplugins: { http-api: { port: ${port} } }\n`);

  write('test', new URL(baseUrl).port);
  const own = await runner.run(['ctl', 'devices'], { folder });
  assert.deepEqual([own.code, own.stderr], [0, `Collector test at ${baseUrl}\n`]);
  const json = await runner.run(['ctl', 'devices', '--json'], { folder });
  assert.deepEqual([json.code, json.stderr, json.stdout], [0, '', '[]\n']);

  write('other', new URL(baseUrl).port);
  for (const words of [[], ['--json']]) {
    const { stderr } = await runner.run(['ctl', 'devices', ...words], { folder });
    assert.match(
      stderr,
      /^Warning: the collector test at http.* answers, but waywiser\.yml is of the instance other\.$/m,
    );
  }

  const closed = await findFreePort();
  write('test', closed);
  const unreachable = await runner.run(['ctl', 'status'], { folder });
  assert.equal(unreachable.code, 1);
  assert.match(unreachable.stderr, new RegExp(`http://127\\.0\\.0\\.1:${closed}`));
  const named = await runner.run(['ctl', 'devices'], { folder, env: { WAYWISER_URL: baseUrl } });
  assert.deepEqual([named.code, named.stderr], [0, `Collector test at ${baseUrl}\n`]);

  files.write('waywiser.yml', 'plugins: {');
  assert.equal((await runner.run(['ctl', 'devices'], { folder })).code, 1);
  assert.equal((await runner.run(['ctl', 'devices', '--url', `${baseUrl}/`], { folder })).code, 0);
});

test('ctl reaches an API below a path of a reverse proxy', async (t) => {
  const { baseUrl } = await startApi(t, new DefinitionFolder(t));
  const runner = new CommandRunner();
  t.after(() => runner.close());
  const { createServer } = await import('node:http');
  const proxy = createServer(async ({ url = '' }, response) => {
    assert.ok(url.startsWith('/snmp/api/'));
    const answer = await fetch(baseUrl + url.slice('/snmp'.length));
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  const port = await findFreePort();
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  t.after(() => proxy.close());
  const url = `http://127.0.0.1:${port}/snmp`;
  const { code, stderr } = await runner.run(['ctl', 'devices', '--url', url]);
  assert.deepEqual([code, stderr], [0, `Collector test at ${url}\n`]);
});
