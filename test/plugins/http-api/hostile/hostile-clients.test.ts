import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { hashToken, makeToken } from '../../../../plugins/http-api/security/credentials/stored-token.ts';
import { httpRoutesToken } from '../../../../plugins/http-routes/service.ts';
import { access, definePlugin, Type } from '../../../../src/index.ts';
import { isLong } from '../../../support/long-run.ts';
import { modulePath, nodeOptions } from '../../../support/own-module.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { startApi } from '../support/api-stack.ts';
import { connectTo, exchange } from '../support/exchange.ts';

const large = definePlugin({
  name: 'large',
  kind: 'service',
  summary: 'Answers with 20 MiB.',
  needs: { routes: httpRoutesToken },
  start({ needs }) {
    needs.routes.add(async (app) => {
      const schema = { response: { 200: Type.Object({ text: Type.String() }) } };
      app.get('/api/v1/large', { config: access('read'), schema }, async () => ({
        text: 'x'.repeat(20 << 20),
      }));
    });
  },
});

describe('a hostile client', { concurrency: 2 }, () => {
  it('that sends one byte at a time is disconnected after the time limit', async (t) => {
    const { baseUrl, call } = await startApi(t, new DefinitionFolder(t), {
      api: { limits: { request_ms: 300 } },
    });
    const socket = connectTo(baseUrl);
    let answer = '';
    socket.setEncoding('utf8').on('data', (part) => {
      answer += part;
    });
    socket.on('error', () => {});
    socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\nx: ');
    const drip = setInterval(() => socket.write('y'), 50);
    await once(socket, 'close');
    clearInterval(drip);
    assert.match(answer, /^HTTP\/1\.1 408 /);
    const silent = connectTo(baseUrl).on('error', () => {});
    await once(silent.resume(), 'close');
    assert.equal((await call('GET', '/livez')).status, 200);
  });

  it('that does not read a large answer is disconnected, and the answer is dropped', async (t) => {
    const { baseUrl, call } = await startApi(t, new DefinitionFolder(t), {
      more: [{ plugin: large }],
      api: { limits: { send_ms: 300 } },
    });
    const socket = connectTo(baseUrl);
    socket.write('GET /api/v1/large HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await once(socket, 'readable');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    let bytes = 0;
    socket.on('data', (part) => {
      bytes += part.length;
    });
    socket.on('error', () => {});
    await once(socket, 'close');
    assert.ok(bytes < 20 << 20, `${bytes} bytes came, cut or not`);
    // A client that reads is disconnected too when the machine suspends this process, with reader and writer, for 300 ms.
    const whole = await eventually(() => call('GET', '/api/v1/large'));
    assert.equal(whole.text.length, (20 << 20) + 11);
  });

  it('that sends a compressed body, or claims to, gets 415', async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t));
    for (const encoding of ['gzip', 'br', 'deflate', 'gzip, gzip', 'x']) {
      const answer = await call('POST', '/api/v1/snmp/rediscover-device', {
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        body: '{"ip":"127.0.0.1","port":1}',
      });
      assert.equal(answer.status, 415, encoding);
      assert.equal(answer.body.code, 'HTTP_CONTENT_ENCODING');
    }
  });

  it('that sends thousands of headers is answered or refused, and others are served', async (t) => {
    const { baseUrl, call } = await startApi(t, new DefinitionFolder(t));
    const many = Array.from({ length: 2500 }, () => 'a:b\r\n').join('');
    const answer = await exchange(
      baseUrl,
      `GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${many}\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 (200|431) /);
    const named = ['__proto__', 'constructor', 'toString'].map((name) => `${name}: x\r\n`).join('');
    const odd = await exchange(
      baseUrl,
      `GET /openapi.json HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${named}\r\n`,
    );
    assert.match(odd, /^HTTP\/1\.1 200 /);
    assert.equal((await call('GET', '/livez')).status, 200);
  });

  it('cannot bypass the checks by the spelling of a path', async (t) => {
    const token = makeToken();
    const tokens = [{ name: 'ci', role: 'read', sha256: hashToken(token).toString('hex') }];
    const { baseUrl } = await startApi(t, new DefinitionFolder(t), { api: { tokens } });
    const paths = [
      '//openapi.json',
      '/./openapi.json',
      '/docs/../openapi.json',
      '/livez/../openapi.json',
      '/livez%2f..%2fopenapi.json',
      '/livez;/../openapi.json',
      '/OPENAPI.JSON',
      '/%6fpenapi.json',
      '/openapi.json%00',
      '/openapi.json?livez',
      '/openapi.json#/livez',
      '/docs/static/..%2f..%2f..%2f..%2fpackage.json',
      '/docs/static/%2e%2e/%2e%2e/package.json',
      '/docs/static//etc/passwd',
      `${baseUrl}/openapi.json`,
      'http://localhost/livez/../openapi.json',
      '\\openapi.json',
      '*',
    ];
    for (const path of paths) {
      const ask = (more: string) =>
        exchange(baseUrl, `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${more}\r\n`);
      const stranger = await ask('');
      assert.match(stranger, /^HTTP\/1\.1 (400|401|404) /, path);
      const known = await ask(`authorization: Bearer ${token}\r\n`);
      assert.doesNotMatch(known, /"dependencies"|root:x:0/, path);
      assert.match(known, /^HTTP\/1\.1 (200|400|401|403|404) /, path);
    }
  });

  it('with an undecodable path is first checked for host, origin and token', async (t) => {
    const token = makeToken();
    const tokens = [{ name: 'ci', role: 'admin', sha256: hashToken(token).toString('hex') }];
    const { baseUrl, collector } = await startApi(t, new DefinitionFolder(t), { api: { tokens } });
    const known = `authorization: Bearer ${token}\r\n`;
    const ask = async (method: string, path: string, headers: string, host = 'localhost') => {
      const request = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n${headers}\r\n`;
      const answer = await exchange(baseUrl, request);
      return [answer.slice(9, 12), /"code":"(\w+)"/.exec(answer)?.[1]];
    };
    const cutShort = '/api/v1/snmp/objects/%E0%A4%A';
    for (const path of ['/%zz', '/livez%', '/docs/static/%c0%ae', cutShort, `${baseUrl}/%ff`, '/%zz?%zz']) {
      assert.deepEqual(await ask('GET', path, ''), ['401', 'HTTP_TOKEN_MISSING'], path);
      assert.deepEqual(await ask('GET', path, known, 'evil.example'), ['421', 'HTTP_HOST_UNKNOWN'], path);
      const site = `${known}origin: https://evil.example\r\n`;
      assert.deepEqual(await ask('POST', path, site), ['403', 'HTTP_ORIGIN_REFUSED'], path);
      assert.deepEqual(await ask('GET', path, known), ['400', 'HTTP_REQUEST_MALFORMED'], path);
    }
    assert.deepEqual(await ask('POST', '/%zz?a=1', known), ['400', 'HTTP_REQUEST_MALFORMED']);
    const audits = collector.logLines.map(({ audit }) => audit as Record<string, unknown>).filter(Boolean);
    const { who, url, status } = audits.at(-1)!;
    assert.deepEqual([who, url, status], ['ci', '/%zz', 400]);
  });

  it('on a page of another site changes nothing, with any forged header', async (t) => {
    const { baseUrl } = await startApi(t, new DefinitionFolder(t));
    for (const site of ['cross-site', 'same-site']) {
      const raw = await exchange(
        baseUrl,
        `POST /api/v1/snmp/apply-definitions HTTP/1.1\r\nhost: localhost\r\nx-forwarded-host: evil.example\r\nsec-fetch-site: ${site}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
      );
      assert.match(raw, /^HTTP\/1\.1 403 /);
    }
  });

  it('that opens connections without limit gets the configured number, and others are served after it', async (t) => {
    const { baseUrl, call } = await startApi(t, new DefinitionFolder(t), {
      api: { limits: { connections: 50 } },
    });
    const { kill } = await openMany(t, baseUrl, 300);
    await kill();
    assert.equal((await eventually(() => call('GET', '/livez'))).status, 200);
  });

  it('with 10,000 connections does not delay other requests', {
    skip: !isLong && 'a long run',
  }, async (t) => {
    const allowed = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) || Infinity;
    const count = Math.min(10_000, allowed - 500);
    t.diagnostic(`${count} connections, as ulimit -n is ${allowed}`);
    const { baseUrl, call } = await startApi(t, new DefinitionFolder(t), {
      api: { limits: { connections: 20_000, connections_per_address: 20_000, request_ms: 60_000 } },
    });
    const { open, kill } = await openMany(t, baseUrl, count);
    assert.ok(open >= count * 0.99, `${open} of ${count} were accepted`);
    const begun = process.cpuUsage();
    for (let i = 0; i < 200; i++) assert.equal((await call('GET', '/livez')).status, 200);
    const { user, system } = process.cpuUsage(begun);
    assert.ok((user + system) / 1000 / 200 < 10, 'CPU time per request');
    await kill();
  });
});

async function openMany(test: TestContext, baseUrl: string, count: number) {
  const program = modulePath(new URL('../support/idle-clients.ts', import.meta.url));
  const clients = fork(program, [new URL(baseUrl).port, String(count)], { execArgv: [...nodeOptions] });
  test.after(() => clients.kill('SIGKILL'));
  const [open] = (await once(clients, 'message')) as [number];
  const kill = async () => {
    clients.kill('SIGKILL');
    await once(clients, 'exit');
  };
  return { open, kill };
}

async function eventually<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (tries === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
