import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { missingTool } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startApi } from '../http-api/support/api-stack.ts';
import { callRaw } from '../http-api/support/raw-call.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { cookieOf, password, startPage, tokens } from './support/page-stack.ts';

const apply = '/api/v1/snmp/apply-definitions';
const device = '/api/v1/snmp/devices/192.0.2.1/161';
const roles = ['read', 'operate', 'admin'] as const;

type Page = Awaited<ReturnType<typeof startPage>>;

async function signIn({ baseUrl, post }: Pick<Page, 'baseUrl' | 'post'>, body: object, headers = {}) {
  const answer = await post('/page/sign-in', body, { origin: baseUrl, ...headers });
  return { ...answer, cookie: cookieOf(answer.headers) };
}

describe('the sign-in of the page', () => {
  it('gives a browser what its token may do, and nothing else', async (t) => {
    const page = await startPage(t);
    const origin = page.baseUrl;
    // Expected statuses of reading, applying definitions, and removing a device that does not exist.
    const expected = {
      nobody: [401, 401, 401],
      read: [200, 403, 403],
      operate: [200, 200, 403],
      admin: [200, 200, 404],
    };
    for (const who of ['nobody', ...roles] as const) {
      const { cookie, body, status } =
        who === 'nobody'
          ? { cookie: '', body: undefined, status: 200 }
          : await signIn(page, { token: tokens[who] });
      assert.equal(status, 200, who);
      const headers = { cookie, origin };
      const statuses = [
        (await page.call('GET', '/api/v1/snmp/devices', { headers })).status,
        (await page.call('POST', apply, { headers })).status,
        (await page.call('DELETE', device, { headers })).status,
      ];
      assert.deepEqual(statuses, expected[who], who);
      const session = await page.call('GET', '/page/session', { headers });
      if (who === 'nobody') {
        assert.deepEqual(session.body, {
          name: 'nobody',
          roles: [],
          canOperate: false,
          canAdmin: false,
          signInRequired: true,
        });
        continue;
      }
      assert.deepEqual(session.body, body);
      const { name, canOperate, canAdmin, signInRequired, version } = session.body;
      assert.equal(signInRequired, true);
      assert.equal(name, { read: 'rita', operate: 'otto', admin: 'anna' }[who]);
      assert.deepEqual(session.body.roles, roles.slice(0, roles.indexOf(who) + 1));
      assert.deepEqual([canOperate, canAdmin], [who !== 'read', who === 'admin']);
      assert.equal(typeof version, 'string');
    }
  });

  it('takes a password, and refuses wrong credentials without a dialog of the browser', async (t) => {
    const page = await startPage(t);
    assert.equal((await signIn(page, { user: 'paul', password })).body.name, 'paul');
    for (const [body, status, code] of [
      [{ token: 'wrong' }, 401, 'HTTP_TOKEN_UNKNOWN'],
      [{ token: tokens.expired }, 401, 'HTTP_TOKEN_UNKNOWN'],
      [{ token: `${tokens.read}\r\nx: y` }, 401, 'HTTP_TOKEN_UNKNOWN'],
      [{ user: 'paul', password: 'wrong' }, 401, 'HTTP_PASSWORD_WRONG'],
      [{ user: '__proto__', password }, 401, 'HTTP_PASSWORD_WRONG'],
      [{ user: 'paul' }, 400, 'WEB_PAGE_SIGN_IN_INCOMPLETE'],
      [{}, 400, 'WEB_PAGE_SIGN_IN_INCOMPLETE'],
      [{ token: tokens.read, user: 'paul', password }, 400, 'WEB_PAGE_SIGN_IN_INCOMPLETE'],
      [{ token: 7 }, 400, 'HTTP_INPUT_INVALID'],
      [{ token: 'x'.repeat(2000) }, 400, 'HTTP_INPUT_INVALID'],
    ] as const) {
      const answer = await signIn(page, body);
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(body).slice(0, 60));
      assert.equal(answer.cookie, '');
      assert.doesNotMatch(answer.headers.get('www-authenticate') ?? '', /Basic/);
    }
  });

  it('refuses passwords of an address that sent too many wrong ones', async (t) => {
    const page = await startPage(t, { api: { limits: { password_attempts_per_minute: 2 } } });
    const statuses = [];
    for (let i = 0; i < 3; i++)
      statuses.push((await signIn(page, { user: 'paul', password: `${i}` })).status);
    assert.deepEqual(statuses, [401, 401, 429]);
    assert.equal((await signIn(page, { user: 'paul', password })).status, 429);
  });

  it('lets nobody choose or keep the id of a session', async (t) => {
    const page = await startPage(t);
    const planted = `waywiser_session=${'a'.repeat(43)}`;
    const first = await signIn(page, { token: tokens.read }, { cookie: planted });
    assert.notEqual(first.cookie, planted);
    const second = await signIn(page, { token: tokens.admin }, { cookie: first.cookie });
    const nameOf = async (cookie: string) =>
      (await page.call('GET', '/page/session', { headers: { cookie } })).body.name;
    // The id from before the second sign-in has no rights.
    assert.deepEqual(
      [await nameOf(planted), await nameOf(first.cookie), await nameOf(second.cookie)],
      ['nobody', 'nobody', 'anna'],
    );
    // A planted cookie before the own one does not hide it.
    assert.equal(await nameOf(`${planted}; ${second.cookie}`), 'anna');
    // However many there are.
    const many = Array.from({ length: 100 }, (_, i) => `waywiser_session=junk${i}`).join('; ');
    assert.equal(await nameOf(`${many}; ${second.cookie}`), 'anna');
    const out = await page.post('/page/sign-out', undefined, { cookie: second.cookie, origin: page.baseUrl });
    assert.equal(out.status, 204);
    assert.match(out.headers.get('set-cookie')!, /^waywiser_session=; Path=\/; Max-Age=0;/);
    assert.equal(await nameOf(second.cookie), 'nobody');
  });

  it('sets a cookie that scripts cannot read and other sites cannot make a browser send', async (t) => {
    const page = await startPage(t);
    const { headers } = await signIn(page, { token: tokens.read });
    assert.match(
      headers.get('set-cookie')!,
      /^waywiser_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    assert.equal(headers.get('cache-control'), 'no-store');
    // Behind a proxy with TLS only the browser knows of TLS.
    const secure = await signIn(
      page,
      { token: tokens.read },
      { origin: page.baseUrl.replace('http:', 'https:') },
    );
    assert.match(
      secure.headers.get('set-cookie')!,
      /^__Host-waywiser_session=[\w-]{43}; Path=\/; .*; Secure$/,
    );
  });

  it('marks the cookie Secure over TLS of its own', { skip: missingTool('openssl') }, async (t) => {
    const folder = temporaryFolder(t);
    const [certificate, key] = [join(folder, 'own.crt'), join(folder, 'own.key')];
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=own'];
    execFileSync('openssl', ['req', '-x509', ...made, '-keyout', key, '-out', certificate], {
      stdio: 'ignore',
    });
    const { baseUrl } = await startPage(t, { api: { tls: { certificate, key } } });
    const cookie = await new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
      const options = { method: 'POST', headers, ca: readFileSync(certificate), servername: 'own' };
      const checkServerIdentity = () => undefined;
      const sent = request(`${baseUrl}/page/sign-in`, { ...options, checkServerIdentity }, (answer) => {
        answer.resume().on('end', () => resolve(answer.headers['set-cookie']?.[0]));
      });
      sent.on('error', reject).end(JSON.stringify({ token: tokens.read }));
    });
    assert.match(String(cookie), /^__Host-waywiser_session=.*; HttpOnly; SameSite=Strict; Secure$/);
  });

  it('refuses what a page of another site makes a browser send', async (t) => {
    const page = await startPage(t);
    const { cookie } = await signIn(page, { token: tokens.admin });
    const origin = page.baseUrl;
    for (const [headers, status, code] of [
      [{ cookie }, 403, 'HTTP_ORIGIN_MISSING'],
      [{ cookie, 'sec-fetch-site': 'none' }, 403, 'HTTP_ORIGIN_MISSING'],
      [{ cookie, origin: 'null' }, 403, 'HTTP_ORIGIN_REFUSED'],
      [{ cookie, origin: 'https://evil.example' }, 403, 'HTTP_ORIGIN_REFUSED'],
      [{ cookie, origin: `${origin}.evil.example` }, 403, 'HTTP_ORIGIN_REFUSED'],
      [{ cookie, origin: origin.replace(/\d+$/, '1') }, 403, 'HTTP_ORIGIN_REFUSED'],
      [{ cookie, origin, 'sec-fetch-site': 'cross-site' }, 401, 'HTTP_TOKEN_MISSING'],
      [{ cookie, origin, 'sec-fetch-site': 'same-site' }, 401, 'HTTP_TOKEN_MISSING'],
      [{ cookie, origin, 'content-type': 'text/plain' }, 415, 'HTTP_CONTENT_TYPE'],
      [{ cookie, origin, 'content-type': 'application/x-www-form-urlencoded' }, 415, 'HTTP_CONTENT_TYPE'],
      [{ cookie, origin, 'content-type': 'multipart/form-data; boundary=x' }, 415, 'HTTP_CONTENT_TYPE'],
    ] as const) {
      const isForm = 'content-type' in headers;
      const answer = await page.call('PUT', device, { headers, ...(isForm ? { body: '{}' } : {}) });
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(headers));
    }
    // Signing in and out is protected too: nobody can sign a browser in under a foreign name.
    for (const path of ['/page/sign-in', '/page/sign-out']) {
      const foreign = { origin: 'https://evil.example' };
      assert.equal((await page.post(path, { token: tokens.read }, foreign)).status, 403, path);
    }
    const form = { 'content-type': 'text/plain', origin };
    const body = JSON.stringify({ token: tokens.read });
    assert.equal((await page.call('POST', '/page/sign-in', { headers: form, body })).status, 415);
    for (const fine of [{ origin }, { 'sec-fetch-site': 'same-origin' }]) {
      assert.equal((await page.post(apply, undefined, { cookie, ...fine })).status, 200);
    }
    const site = { 'sec-fetch-site': 'same-site' };
    assert.equal(
      (await page.call('GET', '/api/v1/snmp/devices', { headers: { cookie, ...site } })).status,
      401,
    );
    // No origin may read answers or send other methods from elsewhere.
    const preflight = await page.call('OPTIONS', apply, {
      headers: { cookie, origin: 'https://evil.example' },
    });
    assert.equal(preflight.headers.get('access-control-allow-origin'), null);
  });

  it('refuses secrets in URLs, and answers none of them', async (t) => {
    const page = await startPage(t);
    for (const path of ['/?token=', '/?password=', '/?a=b&access_token=', '/page/sign-in?token=']) {
      const method = path.startsWith('/page') ? 'POST' : 'GET';
      const init = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
      const answer = await page.call(method, path + tokens.admin, init);
      assert.deepEqual([answer.status, answer.body.code], [400, 'WEB_PAGE_SECRET_IN_URL'], path);
      assert.doesNotMatch(answer.text, /token-of/);
    }
    const ignored = await page.call('GET', `/api/v1/snmp/devices?token=${tokens.admin}`);
    assert.equal(ignored.status, 401);
    assert.doesNotMatch(JSON.stringify(page.collector.logLines), /token-of/);
  });

  it('names who signed in in the audit lines', async (t) => {
    const page = await startPage(t, { logLevel: 'info' });
    await signIn(page, { user: 'paul', password });
    await signIn(page, { token: 'wrong' });
    const lines = page.collector.logLines.map((line) => line['audit']).filter(Boolean) as Record<
      string,
      unknown
    >[];
    assert.deepEqual(
      lines.map(({ who, url, status }) => [who, url, status]),
      [
        ['paul', '/page/sign-in', 200],
        ['nobody', '/page/sign-in', 401],
      ],
    );
    assert.doesNotMatch(JSON.stringify(page.collector.logLines), /correct horse/);
  });

  it('answers no other host', async (t) => {
    const page = await startPage(t);
    const { cookie } = await signIn(page, { token: tokens.admin });
    const agent = new Agent();
    for (const path of ['/', '/page/session', '/api/v1/snmp/devices']) {
      const headers = { host: 'evil.example', cookie };
      const { status, text } = await callRaw(page.baseUrl, agent, { method: 'GET', path, headers });
      assert.equal(status, 421, path);
      assert.match(text, /HTTP_HOST_UNKNOWN/);
    }
    agent.destroy();
  });

  it('is not needed while the API has no credentials, and nothing is served without the plugin', async (t) => {
    const open = await startPage(t, { api: { tokens: [], passwords: [] } });
    const session = await open.call('GET', '/page/session');
    assert.equal(session.body.signInRequired, false);
    assert.ok(session.body.canAdmin);
    const without = await startApi(t, new DefinitionFolder(t));
    for (const path of ['/', '/page/session'])
      assert.equal((await without.call('GET', path)).status, 404, path);
  });
});
