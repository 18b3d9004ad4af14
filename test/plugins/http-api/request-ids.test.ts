import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startApi } from './support/api-stack.ts';
import { exchange } from './support/exchange.ts';
import { lamp } from './support/lamp-plugin.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('the id of a request', () => {
  it('is new for each request, and is in every kind of answer', async (t) => {
    const { call, baseUrl } = await startApi(t, new DefinitionFolder(t));
    const ids = new Set<string>();
    for (const path of ['/livez', '/nothing', '/docs/', '/metrics', '/api/v1/snmp/devices?limit=0']) {
      const { headers, body, status } = await call('GET', path);
      const id = headers.get('x-request-id') ?? '';
      assert.match(id, uuid, path);
      assert.equal(body?.requestId, status < 400 ? undefined : id, path);
      ids.add(id);
    }
    assert.equal(ids.size, 5);
    const stream = await fetch(`${baseUrl}/api/v1/events`);
    assert.match(stream.headers.get('x-request-id') ?? '', uuid);
    await stream.body!.cancel();
  });

  it('is the one that the client sent, if it is well-formed', async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t));
    const idFor = async (sent: string) => {
      const { headers } = await call('GET', '/livez', { headers: { 'x-request-id': sent } });
      return headers.get('x-request-id') ?? '';
    };
    for (const sent of ['proxy-1.2_3', 'x'.repeat(64)]) assert.equal(await idFor(sent), sent);
    for (const sent of ['', 'x'.repeat(65), 'a b', '"', '<b>', 'a,b', 'é', '${env:HOME}', 'a\tb', '%0d%0a']) {
      assert.match(await idFor(sent), uuid, sent);
    }
  });

  it('is new when the client sends several', async (t) => {
    const { baseUrl } = await startApi(t, new DefinitionFolder(t));
    const answer = await exchange(
      baseUrl,
      'GET /nothing HTTP/1.1\r\nhost: localhost\r\nx-request-id: a\r\nx-request-id: b\r\nconnection: close\r\n\r\n',
    );
    const [, header] = /^x-request-id: (.*)\r$/m.exec(answer) ?? [];
    assert.match(header ?? '', uuid);
    assert.match(answer, new RegExp(`"requestId":"${header}"`));
  });

  it('is in the audit line and in the log line of a failure', async (t) => {
    const { call, collector } = await startApi(t, new DefinitionFolder(t), { more: [{ plugin: lamp }] });
    const { body } = await call('PUT', '/api/v1/lamp/broken', {
      headers: { 'content-type': 'application/json', 'x-request-id': 'the-fuse' },
      body: JSON.stringify({ isOn: true }),
    });
    assert.deepEqual([body.code, body.requestId], ['HTTP_INTERNAL', 'the-fuse']);
    const found = collector.logLines.filter((line) => JSON.stringify(line).includes('the-fuse'));
    assert.deepEqual(
      found.map(({ level, requestId, audit }) => [
        level,
        requestId ?? (audit as { readonly requestId: string }).requestId,
      ]),
      [
        ['error', 'the-fuse'],
        ['info', 'the-fuse'],
      ],
    );
  });
});
