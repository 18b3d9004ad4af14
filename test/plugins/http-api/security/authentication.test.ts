import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  credentialFileOf,
  writeCredentials,
} from '../../../../plugins/http-api/security/credentials/credential-file.ts';
import {
  hashToken,
  makeToken,
  type StoredToken,
} from '../../../../plugins/http-api/security/credentials/stored-token.ts';
import { httpRoutesToken } from '../../../../plugins/http-routes/service.ts';
import { access, definePlugin } from '../../../../src/index.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { startApi } from '../support/api-stack.ts';

const roles = ['read', 'operate', 'admin'] as const;
const secrets = Object.fromEntries(roles.map((role) => [role, makeToken()]));
const expired = makeToken();
const store = (name: string, token: string, role: StoredToken['role'], expires?: string): StoredToken => ({
  name,
  role,
  sha256: hashToken(token).toString('hex'),
  ...(expires === undefined ? {} : { expires }),
});
const tokens = [
  ...roles.map((role) => store(role, secrets[role]!, role)),
  store('old', expired, 'admin', '2020-01-01'),
  store('never', makeToken(), 'admin', '2020-99-99'),
];
const as = (token: string | undefined) => ({ headers: { authorization: `Bearer ${token}` } });
const apply = '/api/v1/snmp/apply-definitions';

const routesOfEveryKind = definePlugin({
  name: 'every-role',
  kind: 'service',
  summary: 'A route for every role, and two that say nothing.',
  needs: { routes: httpRoutesToken },
  start({ needs }) {
    needs.routes.add(async (app) => {
      for (const role of ['public', ...roles] as const) {
        app.get(`/api/v1/for/${role}`, { config: access(role) }, async () => ({}));
      }
      app.get('/api/v1/silent', async () => ({}));
      app.delete('/api/v1/silent', async () => ({}));
    });
  },
});

describe('authentication', { concurrency: 2 }, () => {
  it('begins with the first token while the collector runs, and does not end with the last one', async (t) => {
    const { call, collector } = await startApi(t, new DefinitionFolder(t));
    const path = credentialFileOf(collector.stateDirectory, 'token');
    assert.equal((await call('GET', '/api/v1/collector')).status, 200);
    for (const left of [[tokens[0]!], []]) {
      writeCredentials(path, left);
      await sleep(1050);
      assert.equal((await call('GET', '/api/v1/collector')).status, 401);
      assert.equal((await call('GET', '/livez')).status, 200);
      const { status } = await call('GET', '/api/v1/collector', as(secrets['read']));
      assert.equal(status, left.length > 0 ? 200 : 401);
    }
  });

  it('lets each role do what lower roles may, and refuses the rest', async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t), {
      api: { tokens },
      more: [{ plugin: routesOfEveryKind }],
    });
    for (const [index, role] of roles.entries()) {
      for (const [wanted, needed] of roles.entries()) {
        const { status, body } = await call('GET', `/api/v1/for/${needed}`, as(secrets[role]));
        assert.equal(status, index >= wanted ? 200 : 403, `${role} calls ${needed}`);
        if (status === 403) assert.equal(body.code, 'HTTP_ROLE_TOO_LOW');
      }
    }
    assert.equal((await call('GET', '/api/v1/for/public')).status, 200);
    assert.equal((await call('GET', '/api/v1/silent', as(secrets['read']))).status, 200);
    assert.equal((await call('DELETE', '/api/v1/silent', as(secrets['operate']))).status, 403);
    assert.equal((await call('DELETE', '/api/v1/silent', as(secrets['admin']))).status, 200);
  });

  it('refuses every request without a known token that has not expired', async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t), { api: { tokens } });
    for (const path of ['/openapi.json', '/docs/', '/docs/static/index.html', '/nothing', '/']) {
      const { status, body, headers } = await call('GET', path);
      assert.equal(status, 401, path);
      assert.equal(body.code, 'HTTP_TOKEN_MISSING');
      assert.match(headers.get('www-authenticate')!, /^Bearer/);
    }
    const { sha256 } = tokens[0]!;
    const wrong = [expired, makeToken(), '', 'x', sha256, `${secrets['read']}x`, `${secrets['read']} x`];
    for (const token of wrong) {
      const { status, text } = await call('POST', apply, as(token));
      assert.equal(status, 401, token);
      assert.doesNotMatch(text, /wwt_/);
    }
    const basic = await call('POST', apply, { headers: { authorization: 'Basic YTpi' } });
    assert.equal(basic.status, 401);
  });

  it('writes the name of the token to audit lines and generations, and never the token', async (t) => {
    const { call, collector } = await startApi(t, new DefinitionFolder(t), { api: { tokens } });
    await call('POST', apply, as(secrets['operate']));
    await call('POST', apply, as(secrets['read']));
    await call('POST', `${apply}?token=1`);
    const lines = collector.logLines.map(({ audit }) => audit as Record<string, unknown>).filter(Boolean);
    assert.deepEqual(
      lines.map(({ who, status }) => [who, status]),
      [
        ['operate', 200],
        ['read', 403],
        ['nobody', 401],
      ],
    );
    assert.doesNotMatch(JSON.stringify(collector.logLines), /wwt_/);
  });

  it('accepts tokens of the state directory, and refuses those that are removed there', async (t) => {
    const { call, collector } = await startApi(t, new DefinitionFolder(t), {
      api: { tokens: tokens.slice(0, 1) },
    });
    const file = credentialFileOf(collector.stateDirectory, 'token');
    const added = makeToken();
    assert.equal((await call('POST', apply, as(added))).status, 401);
    writeCredentials(file, [store('added', added, 'operate')]);
    await untilStatus(200, () => call('POST', apply, as(added)));
    writeCredentials(file, []);
    await untilStatus(401, () => call('POST', apply, as(added)));
  });

  it('is required on addresses other than loopback, unless insecure is set', async (t) => {
    const folder = new DefinitionFolder(t);
    const codes = (error: unknown): unknown[] => [
      (error as { code?: unknown }).code,
      ...((error as Error).cause === undefined ? [] : codes((error as Error).cause)),
    ];
    for (const host of ['0.0.0.0', '::']) {
      await assert.rejects(startApi(t, folder, { api: { host } }), (error) =>
        codes(error).includes('HTTP_UNPROTECTED'),
      );
    }
    const open = await startApi(t, folder, { api: { host: '0.0.0.0', insecure: true } });
    assert.ok(open.collector.logLines.some(({ message }) => String(message).startsWith('INSECURE')));
    await startApi(t, folder, { api: { host: '0.0.0.0', tokens } });
  });

  it('explains what to do about a port in use', async (t) => {
    const folder = new DefinitionFolder(t);
    const { baseUrl } = await startApi(t, folder, {});
    const port = Number(new URL(baseUrl).port);
    await assert.rejects(startApi(t, folder, { api: { port } }), (error: Error) => {
      const { code, message } = error.cause as Error & { readonly code: string };
      assert.equal(code, 'HTTP_ADDRESS_UNUSABLE');
      assert.equal(
        message,
        `http-api cannot listen on 127.0.0.1 port ${port}: another program uses the port. Stop the program that uses the port, or choose another \`host\` or \`port\`.`,
      );
      return true;
    });
  });
});

describe('limits', { concurrency: 2 }, () => {
  it('answer 429 above the configured requests per second', async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t), {
      api: { limits: { requests_per_second: 1 } },
    });
    const answers = await Promise.all(Array.from({ length: 60 }, () => call('GET', '/nothing')));
    const refused = answers.filter(({ status }) => status === 429);
    assert.ok(refused.length >= 20);
    assert.equal(refused[0]!.body.code, 'HTTP_RATE_LIMITED');
    assert.equal(refused[0]!.headers.get('retry-after'), '1');
    await untilStatus(404, () => call('GET', '/nothing'));
  });

  it('answer 503 while the event loop is late, and recover', async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t), { api: { limits: { loop_delay_ms: 300 } } });
    await sleep(20);
    const until = performance.now() + 1500;
    while (performance.now() < until);
    await sleep(0);
    const { status, body } = await call('GET', '/openapi.json');
    assert.equal(status, 503);
    assert.equal(body.code, 'HTTP_OVERLOADED');
    await untilStatus(200, () => call('GET', '/openapi.json'));
  });
});

/** On a busy machine, the expected status may need several attempts. */
async function untilStatus(wanted: number, ask: () => Promise<{ readonly status: number }>): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    if ((await ask()).status === wanted) return;
    await sleep(300);
  }
  assert.fail(`never ${wanted}`);
}
