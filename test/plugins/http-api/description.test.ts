import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { httpRoutesToken } from '../../../plugins/http-routes/service.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startApi } from './support/api-stack.ts';
import { lamp } from './support/lamp-plugin.ts';

interface Operation {
  readonly summary: string;
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content: Record<string, { readonly schema: object }> }
    >
  >;
}

describe('the description at /openapi.json', () => {
  it('is OpenAPI 3.1 and has every route that is served, with its schemas', async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t), { more: [{ plugin: lamp }] });
    const { status, body } = await call('GET', '/openapi.json');
    assert.equal(status, 200);
    assert.match(body.openapi, /^3\.1\./);
    for (const [path, operations] of Object.entries<Record<string, Operation>>(body.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const at = `${method} ${path}`;
        assert.ok(operation.summary, at);
        assert.ok(
          Object.keys(operation.responses).some((status) => status.startsWith('2')),
          at,
        );
        for (const { description } of Object.values(operation.responses)) {
          assert.match(description, /^(?!Default Response).+\S$/, at);
        }
        assert.ok(operation.responses['4XX']?.content['application/problem+json']?.schema, at);
        if (path === '/api/v1/events') continue;
        const { status } = await call(method.toUpperCase(), path.replace(/\{\w+\}/g, '1'));
        assert.ok(status !== 405 && status < 500, at);
      }
    }
    const apply = body.paths['/api/v1/snmp/apply-definitions'].post;
    assert.deepEqual(
      apply.parameters.map(({ name }: { name: string }) => name),
      ['force_rediscovery', 'dry_run'],
    );
    const rediscover = body.paths['/api/v1/snmp/rediscover-device'].post;
    assert.deepEqual(rediscover.requestBody.content['application/json'].schema.required, ['ip', 'port']);
  });

  it('shows the routes to people without any other host', async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t));
    const page = await call('GET', '/docs/');
    assert.equal(page.status, 200);
    for (const [, link] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      assert.doesNotMatch(link!, /^(https?:)?\/\//);
      const { status } = await call('GET', new URL(link!, 'http://x/docs/').pathname);
      assert.equal(status, 200, link);
    }
  });
});

describe("another plugin's routes", () => {
  it('are served with the checks, the problems and the description of the API', async (t) => {
    const { call, collector } = await startApi(t, new DefinitionFolder(t), { more: [{ plugin: lamp }] });
    const put = (id: string, body: unknown) =>
      call('PUT', `/api/v1/lamp/${id}`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    assert.deepEqual((await put('1', { isOn: true })).body, { isOn: true });
    assert.equal((await put('1', { isOn: 'yes' })).status, 400);
    assert.equal((await put('missing', { isOn: true })).body.code, 'LAMP_UNKNOWN');
    const broken = await put('broken', { isOn: true });
    assert.equal(broken.status, 500);
    assert.equal(broken.body.code, 'HTTP_INTERNAL');
    assert.doesNotMatch(broken.text, /fuse/);
    assert.ok(collector.logLines.some((line) => JSON.stringify(line).includes('fuse of 42')));
    const { body } = await call('GET', '/openapi.json');
    assert.deepEqual(body.paths['/api/v1/lamp/{id}'].put.security, [
      { token: ['operate'] },
      { password: ['operate'] },
    ]);
  });

  it('cannot be added once the API has started', async (t) => {
    const { collector } = await startApi(t, new DefinitionFolder(t));
    assert.throws(() => collector.getService(httpRoutesToken).add(async () => {}), {
      code: 'HTTP_ROUTES_LATE',
    });
  });
});
