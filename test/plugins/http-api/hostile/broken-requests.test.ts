import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { startApi } from '../support/api-stack.ts';
import { exchange } from '../support/exchange.ts';

describe('a broken request', { concurrency: 2 }, () => {
  it('gets a problem for an unknown path or method', async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t));
    for (const path of [
      '/',
      '/api',
      '/api/v1/snmp/',
      '/api/v1/snmp/apply-definitions/',
      '/%2e%2e/etc/passwd',
    ]) {
      const { status, type, body } = await call('GET', path);
      assert.equal(status, 404, path);
      assert.match(type, /^application\/problem\+json/);
      assert.equal(body.code, 'HTTP_NOT_FOUND');
      assert.equal(body.type, 'urn:waywiser:error:HTTP_NOT_FOUND');
      assert.equal(body.title, 'Not Found');
      assert.equal(body.status, 404);
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const { status, body, headers } = await call(method, '/api/v1/snmp/apply-definitions');
      assert.equal(status, 405);
      assert.equal(headers.get('allow'), 'POST');
      assert.equal(body.code, 'HTTP_METHOD_NOT_ALLOWED');
    }
    const device = await call('POST', '/api/v1/snmp/devices/192.0.2.1/161?x=1');
    assert.equal(device.status, 405);
    assert.equal(device.headers.get('allow'), 'DELETE, GET, HEAD, PUT');
    assert.deepEqual(device.body.allowed, ['DELETE', 'GET', 'HEAD', 'PUT']);
    const file = await call('POST', '/docs/static/nothing.js');
    assert.deepEqual([file.status, file.headers.get('allow')], [405, 'GET, HEAD']);
  });

  it('gets 413 for a body above the limit', async (t) => {
    const { post } = await startApi(t, new DefinitionFolder(t), { api: { limits: { body_bytes: 2000 } } });
    const { status, body } = await post('/api/v1/snmp/rediscover-device', { ip: 'x'.repeat(3000), port: 1 });
    assert.equal(status, 413);
    assert.equal(body.code, 'HTTP_BODY_TOO_LARGE');
  });

  const raw: Readonly<Record<string, readonly [text: string, status: number, code: string]>> = {
    'headers above the limit': [
      `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      431,
      'HTTP_HEADERS_TOO_LARGE',
    ],
    'input that is not HTTP': ['\u0016\u0003\u0001 hello\r\n\r\n', 400, 'HTTP_REQUEST_MALFORMED'],
    'a malformed path': [
      'GET /%zz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      400,
      'HTTP_REQUEST_MALFORMED',
    ],
    'another host': [
      'GET /livez HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n',
      421,
      'HTTP_HOST_UNKNOWN',
    ],
    'no host': ['GET /livez HTTP/1.0\r\n\r\n', 421, 'HTTP_HOST_UNKNOWN'],
    'no host in HTTP/1.1': [
      'GET /livez HTTP/1.1\r\nconnection: close\r\n\r\n',
      400,
      'HTTP_REQUEST_MALFORMED',
    ],
    'two hosts': [
      'GET /livez HTTP/1.1\r\nhost: localhost\r\nHost: evil.example\r\nconnection: close\r\n\r\n',
      400,
      'HTTP_REQUEST_MALFORMED',
    ],
    'another host in the target': [
      'GET http://evil.example/livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      421,
      'HTTP_HOST_UNKNOWN',
    ],
    'a target that is not a path': [
      'GET ftp://localhost/livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      400,
      'HTTP_REQUEST_MALFORMED',
    ],
    'a wrong method for the path of a complete URL': [
      'GET http://localhost/api/v1/snmp/apply%2Ddefinitions HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      405,
      'HTTP_METHOD_NOT_ALLOWED',
    ],
    'an unknown expectation and an unknown path': [
      'GET /nothing HTTP/1.1\r\nhost: localhost\r\nexpect: wonders\r\nconnection: close\r\n\r\n',
      404,
      'HTTP_NOT_FOUND',
    ],
    'a method for proxies': [
      'CONNECT example.org:443 HTTP/1.1\r\nhost: localhost\r\n\r\n',
      400,
      'HTTP_REQUEST_MALFORMED',
    ],
    'a content length with chunked encoding': [
      'POST /api/v1/snmp/rediscover-device HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'HTTP_REQUEST_MALFORMED',
    ],
  };
  for (const [what, [text, status, code]] of Object.entries(raw)) {
    it(`gets ${status} for ${what}`, async (t) => {
      const { baseUrl } = await startApi(t, new DefinitionFolder(t));
      const answer = await exchange(baseUrl, text);
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.ok(answer.includes(`"code":"${code}"`), answer);
      assert.ok(answer.includes('application/problem+json'));
    });
  }

  it('is answered with 408 when it does not arrive completely in time', async (t) => {
    const { baseUrl, call } = await startApi(t, new DefinitionFolder(t), {
      api: { limits: { request_ms: 200 } },
    });
    const halves = [
      'GET / HTTP/1.1\r\nhost: local',
      'POST /api/v1/snmp/rediscover-device HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"ip"',
    ];
    for (const answer of await Promise.all(halves.map((half) => exchange(baseUrl, half)))) {
      assert.match(answer, /^HTTP\/1\.1 408 /);
      assert.ok(answer.includes('HTTP_REQUEST_TIMEOUT'));
    }
    assert.equal((await call('GET', '/openapi.json')).status, 200);
  });

  it('from a page of another site changes nothing', async (t) => {
    const { post, baseUrl } = await startApi(t, new DefinitionFolder(t));
    const path = '/api/v1/snmp/apply-definitions';
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
      const { status, body } = await post(path, undefined, { origin });
      assert.equal(status, 403, origin);
      assert.equal(body.code, 'HTTP_ORIGIN_REFUSED');
    }
    assert.equal((await post(path, undefined, { origin: baseUrl })).status, 200);
  });

  it('is logged in an audit line when its method can change something', async (t) => {
    const { post, collector } = await startApi(t, new DefinitionFolder(t));
    await post('/api/v1/snmp/apply-definitions?force_rediscovery=maybe');
    await post('/api/v1/snmp/apply-definitions');
    const lines = collector.logLines.map(({ audit }) => audit as Record<string, unknown>).filter(Boolean);
    assert.deepEqual(
      lines.map(({ method, status, who, from }) => [method, status, who, from]),
      [400, 200].map((status) => ['POST', status, 'anonymous at 127.0.0.1', '127.0.0.1']),
    );
  });
});
