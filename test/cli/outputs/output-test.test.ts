import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { testOutput } from '../../../cli/outputs/output-test.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CollectorProcess } from '../support/collector-process.ts';

/** The output of the command on both streams, and its exit code. */
async function runTest(test: TestContext, config: string, name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-output-test-'));
  const lines: string[] = [];
  const print = (text: unknown) => void lines.push(stripVTControlCharacters(String(text)));
  const mocks = [test.mock.method(console, 'log', print), test.mock.method(console, 'error', print)];
  try {
    writeFileSync(join(folder, 'waywiser.yml'), config);
    const code = await testOutput(name, { config: join(folder, 'waywiser.yml') });
    return { code, text: lines.join('\n') };
  } finally {
    for (const mock of mocks) mock.mock.restore();
    rmSync(folder, { recursive: true });
  }
}

async function startReceiver(test: TestContext, status: number) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

describe('waywiser output test', () => {
  it('sends one row that is marked as a test, even when other plugins are misconfigured', async (t) => {
    const { url, bodies } = await startReceiver(t, 204);
    const config = `plugins:
  http/here: { url: '${url}', gzip: false, delivery: { group_wait_ms: 60000 } }
  kafka: { nonsense: true }
  no-such-plugin: {}\n`;
    const { code, text } = await runTest(t, config, 'http/here');
    assert.equal(code, 0, text);
    assert.match(text, /^The output accepted the sample after \d+ ms: .*waywiser-test\.$/m);
    const [document] = JSON.parse(bodies[0]!);
    assert.equal(document.record, 'waywiser::test');
    assert.deepEqual(document.tags, { test: 'true' });
    assert.equal(bodies.length, 1);
  });

  it("does not touch the running collector's disk queue", async (t) => {
    const folder = temporaryFolder(t);
    const { url, bodies } = await startReceiver(t, 204);
    const disk = `queue: disk, disk_queue: { directory: '${join(folder, 'queue')}' }`;
    const config = `state_directory: '${join(folder, 'state')}'\nplugins: { http: { url: '${url}', ${disk} } }\n`;
    const { code, text } = await runTest(t, config, 'http');
    assert.equal(code, 0, text);
    assert.equal(bodies.length, 1);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('tells a permanent rejection from a failure that is tried again', async (t) => {
    const refusing = await startReceiver(t, 400);
    const refused = await runTest(t, `plugins: { http: { url: '${refusing.url}' } }\n`, 'http');
    assert.equal(refused.code, 1);
    assert.match(refused.text, /rejected the sample permanently after \d+ ms[\s\S]*error: .*400/);

    const failing = await startReceiver(t, 503);
    const failed = await runTest(t, `plugins: { http: { url: '${failing.url}' } }\n`, 'http');
    assert.equal(failed.code, 1);
    assert.match(failed.text, /could not deliver the sample within \d+ ms[\s\S]*error: .*503/);
    assert.equal(failing.bodies.length, 1);
  });

  it('prints the error with its code and what to do', async (t) => {
    const config = 'plugins: { mqtt: { url: "mqtt://127.0.0.1:9" } }\n';
    const { code, text } = await runTest(t, config, 'mqtt');
    assert.equal(code, 1);
    assert.match(text, /error: mqtt:\/\/127\.0\.0\.1:9 cannot be reached\. Check .* \[SERVER_UNREACHABLE\]/);
    assert.match(text, /because: 127\.0\.0\.1 port 9: nothing accepts connections there/);
  });

  it('lists the configured plugins for an unknown name', async (t) => {
    const config = 'plugins: { ndjson/audit: {}, http-routes: {} }\n';
    await assert.rejects(runTest(t, config, 'ndjson/adit'), {
      code: 'OUTPUT_NOT_CONFIGURED',
      message:
        /"ndjson\/adit"\. Did you mean "ndjson\/audit"\? The plugins in it are: ndjson\/audit, http-routes\./,
    });
    await assert.rejects(runTest(t, config, 'http-routes'), { code: 'PLUGIN_IS_NO_OUTPUT' });
  });

  it('exits with 0 or 1 as a command', async (t) => {
    const collector = new CollectorProcess(t);
    collector.write('waywiser.yml', 'plugins: { ndjson: { file: ./out.ndjson } }\n');
    collector.run(['output', 'test', 'ndjson']);
    assert.equal(await collector.exit, 0, collector.stderr);
    assert.match(collector.stdout, /accepted the sample after/);
  });
});
