import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { env } from 'node:process';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hashToken, makeToken } from '../../../../plugins/http-api/security/credentials/stored-token.ts';
import poller from '../../../../plugins/snmp-poller/index.ts';
import { isLong } from '../../../support/long-run.ts';
import { StallWatch } from '../../../support/stall-watch.ts';
import {
  arbitraryRequest,
  type CallerName,
  type GeneratedRequest,
  oversized,
} from '../support/arbitrary-request.ts';
import { storeCheaply } from '../support/cheap-password.ts';
import { createAnswerCheck, listOperations } from '../support/description.ts';
import { lamp } from '../support/lamp-plugin.ts';
import { callRaw, type RawAnswer } from '../support/raw-call.ts';
import { startThreeSwitches } from '../support/three-switches.ts';

const runs = isLong ? 20_000 : 2500;
const usual = [200, 400, 401, 403, 404, 405, 413, 415, 421, 422];
/** Some hundred of each in 20,000. An added or removed device (201, 204) comes three times or never: reading.test.ts asks for those. */
const rare = [202, 409, 429];
const roles = ['public', 'read', 'operate', 'admin'];
const secret = 'a password of a person';

describe('requests generated from the description', () => {
  it(`get the described answers, for ${runs} requests of all kinds of callers`, async (t) => {
    env['WAYWISER_TEST_MADE'] = 'public';
    const secrets = { read: makeToken(), operate: makeToken(), admin: makeToken(), expired: makeToken() };
    const tokens = Object.entries(secrets).map(([name, token]) => ({
      name,
      role: name === 'expired' ? 'admin' : name,
      sha256: hashToken(token).toString('hex'),
      ...(name === 'expired' ? { expires: '2020-01-01' } : {}),
    }));
    const { baseUrl, call, agents } = await startThreeSwitches(t, {
      more: [{ plugin: poller }, { plugin: lamp }],
      api: {
        tokens,
        passwords: [{ name: 'person', role: 'operate', scrypt: storeCheaply(secret) }],
        wait_ms: 50,
        limits: { requests_per_second: 100_000, password_attempts_per_minute: 3, body_bytes: 4096 },
      },
    });
    const basic = (password: string) => `Basic ${Buffer.from(`person:${password}`).toString('base64')}`;
    const authorizations: Readonly<Record<CallerName, string | undefined>> = {
      read: `Bearer ${secrets.read}`,
      operate: `Bearer ${secrets.operate}`,
      admin: `Bearer ${secrets.admin}`,
      expired: `Bearer ${secrets.expired}`,
      person: basic(secret),
      mistaken: basic('something else'),
      nobody: undefined,
    };
    const asAdmin = { headers: { authorization: authorizations.admin! } };
    const { body } = await call('GET', '/openapi.json', asAdmin);
    const text = JSON.stringify(body).replaceAll('${file:core-community}', '${env:WAYWISER_TEST_MADE}');
    const description = JSON.parse(text);
    const operations = listOperations(description);
    assert.ok(operations.length >= 24, `${operations.length} operations`);
    // A password that was correct once is accepted, even after many wrong ones from the same address.
    const asPerson = { headers: { authorization: authorizations.person! } };
    assert.equal((await call('GET', '/openapi.json', asPerson)).status, 200);
    const checkAnswer = await createAnswerCheck(description);
    const ports = [...agents.map(({ port }) => String(port)), '161', '161', '161', '70000'];
    const requests = arbitraryRequest(operations, {
      ip: [
        '127.0.0.1',
        '127.0.0.1',
        '::ffff:127.0.0.1',
        '192.0.2.1',
        '192.0.2.1',
        '192.0.2.1',
        '192.0.2.2',
        'localhost',
      ],
      port: ports,
      id: ['IF-MIB::ifEntry', 'interfaces', 'switch', '1', 'missing'],
      device: ['a', 'b'],
      name: ['device.state', 'poll.failed,poll.completed'],
      object: ['IF-MIB::ifEntry'],
      attribute: ['ifInOctets'],
      instance: ['1'],
      cursor: ['djEgMQ'],
    });

    const agent = new Agent({ keepAlive: true });
    t.after(() => agent.destroy());
    const seen = new Map<string, Set<number>>();
    const watch = new StallWatch();
    t.after(() => watch.close());
    const send = ({ method, path, who, host, origin, type, body }: GeneratedRequest) => {
      const authorization = authorizations[who];
      const headers = {
        host,
        ...(authorization === undefined ? {} : { authorization }),
        ...(origin === undefined ? {} : { origin }),
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        ...(body === undefined || type === '' ? {} : { 'content-type': type }),
      };
      return callRaw(baseUrl, agent, { method, path, headers, ...(body === undefined ? {} : { body }) });
    };
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const answer = await send(request);
        const { operation, method, path } = request;
        const key = `${operation.method} ${operation.path}`;
        seen.set(key, (seen.get(key) ?? new Set()).add(answer.status));
        const said = `${request.who}: ${method} ${path} ${request.body ?? ''}: ${answer.status} ${answer.text}`;
        assert.ok(answer.status < 500 || answer.status === 504, said);
        assert.doesNotMatch(answer.text, /wwt_|node_modules|\.ts:\d|a password of/, said);
        const isOwn = method === operation.method;
        if (isOwn || answer.status >= 400) assert.equal(checkAnswer(operation, answer), undefined, said);
        if (answer.status >= 400) assert.equal(JSON.parse(answer.text).status, answer.status, said);
        const expected = isOwn ? expectedStatuses(request) : undefined;
        if (expected !== undefined) assert.ok(expected.includes(answer.status), `${said}; not ${expected}`);
      }),
      // The same requests in each short run; the long run tries others.
      { numRuns: runs, ...(isLong ? {} : { seed: 1 }) },
    );
    const statuses = new Set([...seen.values()].flatMap((each) => [...each]));
    for (const status of isLong ? [...usual, ...rare] : usual) {
      assert.ok(statuses.has(status), `never ${status}`);
    }
    for (const { method, path } of operations) {
      const own = [...(seen.get(`${method} ${path}`) ?? [])];
      assert.ok(own.length >= 3, `${method} ${path} was only answered ${own}`);
    }
    t.diagnostic(`longest stall of the event loop: ${Math.round(watch.longestMs)} ms`);
    // Depends on the machine, so only the long run checks it.
    if (isLong) assert.ok(watch.longestMs < 50, `the loop was held ${Math.round(watch.longestMs)} ms`);
  });
});

/** The possible statuses of the checks before every route; undefined when the request passes all of them. */
function expectedStatuses(request: GeneratedRequest): readonly RawAnswer['status'][] | undefined {
  const { operation, who, host, origin, type, body } = request;
  const { role, method, bodies } = operation;
  if (host !== 'localhost') return [421, 400];
  if (role !== undefined) {
    if (who === 'nobody' || who === 'expired') return [401];
    if (who === 'mistaken') return [401, 429];
  }
  const held = who === 'person' ? 'operate' : who;
  if (role !== undefined && roles.indexOf(held) < roles.indexOf(role)) return [403];
  if (method === 'GET') return undefined;
  if (origin !== undefined) return [403];
  // Fastify ignores the body of a DELETE without a content type.
  if (method === 'DELETE' && type === '') return undefined;
  if (body === oversized) return type === 'application/json' ? [413] : [413, 415];
  if (bodies !== undefined && body !== undefined && type !== 'application/json') {
    // An empty body is none, and a device is looked up by its name before a body is missed.
    return body === '' && operation.path.includes('{device}') ? [415, 400, 404] : [415, 400];
  }
  return undefined;
}
