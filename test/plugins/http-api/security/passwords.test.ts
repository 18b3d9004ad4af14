import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  credentialFileOf,
  writeCredentials,
} from '../../../../plugins/http-api/security/credentials/credential-file.ts';
import { PasswordStore } from '../../../../plugins/http-api/security/credentials/password-store.ts';
import {
  hashPassword,
  isPassword,
  makePassword,
} from '../../../../plugins/http-api/security/credentials/stored-password.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { startApi } from '../support/api-stack.ts';
import { storeCheaply } from '../support/cheap-password.ts';

const password = `grüße:${makePassword()}`;
const scrypt = storeCheaply(password);
const passwords = [
  { name: 'ann', role: 'operate', scrypt },
  { name: 'old', role: 'admin', scrypt, expires: '2020-01-01' },
];
const as = (name: string, text: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${name}:${text}`).toString('base64')}` },
});
const apply = '/api/v1/snmp/apply-definitions';

describe('a password', () => {
  it('is checked by its hash, and never by a hash with an unlimited cost', async () => {
    const stored = await hashPassword(password);
    assert.ok(await isPassword(password, stored));
    assert.ok(!(await isPassword(`${password}x`, stored)));
    assert.notEqual(await hashPassword(password), stored);
    for (const cost of ['scrypt$9$8$3', 'scrypt$30$8$3', 'scrypt$15$8$99', 'scrypt$15$99$1']) {
      assert.ok(!(await isPassword(password, stored.replace(/^scrypt\$\d+\$\d+\$\d+/, cost))), cost);
    }
  });

  it('gives its owner their role, and appears nowhere', async (t) => {
    const { call, collector } = await startApi(t, new DefinitionFolder(t), { api: { passwords } });
    const missing = await call('GET', '/docs/');
    assert.equal(missing.status, 401);
    assert.match(missing.headers.get('www-authenticate')!, /Bearer .*Basic /);
    assert.equal((await call('POST', apply, as('ann', password))).status, 200);
    assert.equal(
      (await call('DELETE', '/api/v1/snmp/devices/192.0.2.1/161', as('ann', password))).status,
      403,
    );
    for (const [name, text] of [
      ['ann', `${password} `],
      ['bob', password],
      ['old', password],
      ['__proto__', password],
      ['', password],
      ['ann', 'x'.repeat(5000)],
    ] as const) {
      const { status, body } = await call('POST', apply, as(name, text));
      assert.equal(status, 401, name);
      assert.equal(body.code, 'HTTP_PASSWORD_WRONG');
    }
    for (const authorization of ['Basic', 'Basic !', 'Basic YW5u', `Bearer ${password.slice(7)}`]) {
      assert.equal((await call('POST', apply, { headers: { authorization } })).status, 401, authorization);
    }
    assert.ok(collector.logLines.some(({ audit }) => (audit as { who?: string } | undefined)?.who === 'ann'));
    assert.ok(!JSON.stringify(collector.logLines).includes(password));
  });

  it('has limited attempts per minute, which do not affect a remembered password', async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t), {
      api: { passwords, limits: { password_attempts_per_minute: 3 } },
    });
    assert.equal((await call('GET', '/openapi.json', as('ann', password))).status, 200);
    const tries = await Promise.all(
      Array.from({ length: 40 }, (_, i) => call('GET', '/openapi.json', as('ann', `wrong ${i}`))),
    );
    assert.equal(tries.filter(({ status }) => status === 401).length, 3);
    const refused = tries.filter(({ status }) => status === 429);
    assert.equal(refused.length, 37);
    assert.equal(refused[0]!.body.code, 'HTTP_PASSWORD_ATTEMPTS');
    assert.equal(refused[0]!.headers.get('retry-after'), '60');
    assert.equal((await call('GET', '/openapi.json', as('ann', password))).status, 200);
  });

  it('may be tried again a minute after the first attempt of an address, whatever the clock on the wall does', async () => {
    let nowMs = 59_990;
    const list = { all: () => [{ name: 'ann', role: 'read', scrypt }], isValid: () => true };
    const store = new PasswordStore(list as never, 2, () => nowMs);
    const attempt = async (address: string) => {
      const verdict = await store.verify('ann', 'wrong', address);
      return 'refused' in verdict && verdict.refused;
    };
    const first = [await attempt('a'), await attempt('a')];
    // The minute on the wall changes; the minute of the address does not.
    nowMs += 20;
    const second = [await attempt('a'), await attempt('b')];
    nowMs += 59_970;
    const third = [await attempt('a')];
    nowMs += 10;
    third.push(await attempt('a'), await attempt('b'));
    assert.deepEqual(
      [...first, ...second, ...third],
      [...['wrong', 'wrong'], ...['attempts', 'wrong'], ...['attempts', 'wrong', 'wrong']],
    );
    await attempt('b');
    assert.equal(await attempt('b'), 'attempts');
    nowMs -= 3_600_000;
    assert.equal(await attempt('b'), 'wrong');
  });

  it('is checked outside the event loop, a few at a time, and excess requests get 503', async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t), {
      api: { passwords, limits: { password_attempts_per_minute: 1000 } },
    });
    let ended = 0;
    const tries = Array.from({ length: 60 }, async (_, i) => {
      const answer = await call('GET', '/openapi.json', as(`nobody${i}`, 'wrong wrong'));
      if (answer.status === 401) ended++;
      return answer;
    });
    while (ended === 0) await call('GET', '/livez');
    for (let i = 0; i < 5; i++) await call('GET', '/livez');
    assert.ok(ended < 18, 'others are answered while passwords are checked');
    const answers = await Promise.all(tries);
    assert.equal(answers.filter(({ status }) => status === 401).length, 18);
    assert.equal(answers.filter(({ body }) => body.code === 'HTTP_OVERLOADED').length, 42);
  });

  it('that is removed from the file becomes invalid within a second, even if it was remembered', async (t) => {
    const { call, collector } = await startApi(t, new DefinitionFolder(t), {
      api: { passwords: passwords.slice(1) },
    });
    const file = credentialFileOf(collector.stateDirectory, 'password');
    const ask = async () => (await call('GET', '/openapi.json', as('ann', password))).status;
    const becomes = async (status: number) => {
      while ((await ask()) !== status) await new Promise((resolve) => setTimeout(resolve, 300));
    };
    writeCredentials(file, [{ name: 'ann', role: 'read', scrypt }]);
    await becomes(200);
    writeCredentials(file, []);
    await becomes(401);
  });
});
