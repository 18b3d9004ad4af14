import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hashToken, makeToken } from '../../../../plugins/http-api/security/credentials/stored-token.ts';
import { startThreeSwitches } from '../support/three-switches.ts';

const runs = 2000;
const allowed = new Set([200, 201, 202, 204, 400, 401, 403, 404, 405, 415, 422, 504]);

interface Parameter {
  readonly name: string;
  readonly in: string;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, unknown>>;
}

describe('requests made from the description', () => {
  it('are all answered as the description says, whoever sends them', async (t) => {
    const secrets = { read: makeToken(), operate: makeToken(), admin: makeToken(), expired: makeToken() };
    const tokens = Object.entries(secrets).map(([name, token]) => ({
      name,
      role: name === 'expired' ? 'admin' : name,
      sha256: hashToken(token).toString('hex'),
      ...(name === 'expired' ? { expires: '2020-01-01' } : {}),
    }));
    const { call, agents } = await startThreeSwitches(t, {
      api: { tokens, wait_ms: 50, limits: { requests_per_second: 100_000 } },
    });
    const { body: description } = await call('GET', '/openapi.json', {
      headers: { authorization: `Bearer ${secrets.admin}` },
    });
    const operations = Object.entries<Record<string, Operation>>(description.paths)
      .filter(([path]) => path !== '/api/v1/events')
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          path,
          method: method.toUpperCase(),
          operation,
        })),
      );
    assert.ok(operations.length >= 14);

    const text = fc.oneof(
      fc.constantFrom(
        '127.0.0.1',
        String(agents[0]!.port),
        'IF-MIB::ifEntry',
        'switch',
        'true',
        'false',
        '1',
        'up',
      ),
      fc.constantFrom(
        '__proto__',
        'constructor',
        '..',
        '../../etc/passwd',
        '%00',
        '\u0000',
        "'; --",
        '${env:HOME}',
      ),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
    );
    const value = fc.oneof(
      text,
      fc.integer(),
      fc.constantFrom(null, true, [], {}),
      fc.double({ noNaN: true }),
    );
    const body = fc.oneof(
      fc.record({ ip: value, port: value }, { requiredKeys: [] }).map((object) => JSON.stringify(object)),
      fc.constant(JSON.stringify({ ip: '127.0.0.1', port: agents[0]!.port })),
      fc.json(),
      fc.string({ maxLength: 50 }),
    );
    const request = fc.record({
      operation: fc.constantFrom(...operations),
      method: fc.option(fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'), { freq: 8 }),
      values: fc.array(text, { minLength: 6, maxLength: 6 }),
      extra: fc.option(fc.tuple(text, text), { freq: 4 }),
      body,
      type: fc.constantFrom('application/json', 'application/json', 'text/plain', 'application/xml', ''),
      who: fc.constantFrom<keyof typeof secrets | 'nobody'>(
        'read',
        'operate',
        'admin',
        'admin',
        'expired',
        'nobody',
      ),
    });

    let slowestMs = 0;
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        request,
        async ({ operation: { path, method, operation }, values, extra, ...rest }) => {
          const used = rest.method ?? method;
          const queue = [...values];
          const address = path.replace(/\{\w+\}/g, () => encodeURIComponent(queue.pop() || 'x'));
          const query = new URLSearchParams(extra === null ? [] : [extra]);
          for (const { name, in: place } of operation.parameters ?? []) {
            const given = queue.pop();
            if (place === 'query' && given !== undefined && given.length % 2 === 0) query.set(name, given);
          }
          const hasBody = !['GET', 'OPTIONS'].includes(used);
          const headers: Record<string, string> = {};
          if (rest.who !== 'nobody') headers['authorization'] = `Bearer ${secrets[rest.who]}`;
          if (hasBody && rest.type !== '') headers['content-type'] = rest.type;
          const begun = performance.now();
          const answer = await call(used, `${address}?${query}`, {
            headers,
            ...(hasBody ? { body: rest.body } : {}),
          });
          slowestMs = Math.max(slowestMs, performance.now() - begun);
          const { status } = answer;
          seen.add(status);
          assert.ok(allowed.has(status), `${used} ${address}: ${status} ${answer.text}`);
          if (status >= 400) {
            assert.match(answer.type, /^application\/problem\+json/);
            assert.equal(answer.body.status, status);
            assert.match(answer.body.code, /^[A-Z]+(_[A-Z]+)+$/);
          } else if (used === method) {
            assert.ok(String(status) in operation.responses, `${used} ${address}: ${status}`);
          }
          if (rest.who === 'expired' && !/^\/(livez|readyz)/.test(address)) assert.equal(status, 401);
          assert.doesNotMatch(answer.text, /wwt_|node_modules|\.ts:\d/);
        },
      ),
      { numRuns: runs },
    );
    for (const status of [200, 400, 401, 403, 404, 405, 415]) assert.ok(seen.has(status), `never ${status}`);
    assert.ok(slowestMs < 2000, `${slowestMs} ms`);
  });
});
