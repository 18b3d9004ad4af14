import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noDevices } from '../../../plugins/http-api/api-context.ts';
import { nameSchemas } from '../../../plugins/http-api/openapi/named-schemas.ts';
import { httpRoutesToken } from '../../../plugins/http-routes/service.ts';
import poller from '../../../plugins/snmp-poller/index.ts';
import { definePlugin, explainError } from '../../../src/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startApi } from './support/api-stack.ts';
import { componentOf, createAnswerCheck, listOperations, listReferences } from './support/description.ts';
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

const listed = 'GET /api/v1/snmp/devices';

describe('the description at /openapi.json', () => {
  it('is OpenAPI 3.1 and contains every served route with its schemas', async (t) => {
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

  it('names the schemas that operations share, and refers to each name', async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t), { more: [{ plugin: poller }] });
    const { body } = await call('GET', '/openapi.json');
    const { schemas } = body.components as { readonly schemas: Readonly<Record<string, object>> };
    for (const name of ['Device', 'DeviceList', 'DeviceState', 'Discovery', 'NewDevice', 'Problem']) {
      assert.ok(name in schemas, name);
    }
    const referenced = new Set(listReferences(body).map(componentOf));
    assert.deepEqual([...referenced].sort(), Object.keys(schemas));
    const { get } = body.paths['/api/v1/snmp/devices'];
    assert.deepEqual(get.responses['200'].content['application/json'].schema, {
      $ref: '#/components/schemas/DeviceList',
    });
    const problem = get.responses['4XX'].content['application/problem+json'];
    assert.deepEqual(problem.schema, { $ref: '#/components/schemas/Problem' });
    assert.equal(problem.example.code, 'HTTP_BODY_MALFORMED');
    const check = await createAnswerCheck(body);
    const [list] = listOperations(body).filter(({ path, method }) => `${method} ${path}` === listed);
    const answer = await call('GET', '/api/v1/snmp/devices');
    assert.equal(check(list!, { ...answer, type: 'application/json' }), undefined);
    assert.ok(check(list!, { status: 200, type: 'application/json', text: '{"devices":[{}],"total":1}' }));
  });

  it('leaves schemas inline that have no title, or the title of another schema', () => {
    const lamp = { type: 'object', title: 'Lamp', properties: { title: { type: 'string' } } };
    const other = { type: 'integer', title: 'Lamp' };
    const content = (schema: object) => ({ content: { 'application/json': { schema, example: lamp } } });
    const named = nameSchemas({
      info: { title: 'Lamps' },
      paths: {
        a: content({ type: 'array', items: { ...lamp, description: 'the first' } }),
        b: content({ type: 'object', properties: { lamp: { ...lamp, description: 'mine' }, other } }),
        c: content({ type: 'string', title: 'no component' }),
        d: content({ type: 'string' }),
      },
    });
    const { title: _, ...component } = lamp;
    const reference = '#/components/schemas/Lamp';
    const expected = (schema: object) => ({ content: { 'application/json': { schema, example: lamp } } });
    assert.deepEqual(named, {
      info: { title: 'Lamps' },
      paths: {
        a: expected({ type: 'array', items: { $ref: reference } }),
        b: expected({
          type: 'object',
          properties: { lamp: { $ref: reference, description: 'mine' }, other },
        }),
        c: expected({ type: 'string', title: 'no component' }),
        d: expected({ type: 'string' }),
      },
      components: { schemas: { Lamp: { ...component, description: 'the first' } } },
    });
  });

  it('has a page for people that loads nothing from other hosts', async (t) => {
    const { call } = await startApi(t, new DefinitionFolder(t));
    const page = await call('GET', '/docs/');
    assert.equal(page.status, 200);
    // Over plain HTTP it would make a browser ask for everything else over HTTPS.
    assert.doesNotMatch(page.headers.get('content-security-policy')!, /upgrade-insecure-requests/);
    assert.equal(page.headers.get('strict-transport-security'), null);
    for (const [, link] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      assert.doesNotMatch(link!, /^(https?:)?\/\//);
      const { status } = await call('GET', new URL(link!, 'http://x/docs/').pathname);
      assert.equal(status, 200, link);
    }
  });
});

describe("another plugin's routes", () => {
  it('get the checks, the problems and the description of the API', async (t) => {
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

  it('cannot say a second time which devices there are', async (t) => {
    const twin = definePlugin({
      name: 'twin',
      kind: 'source',
      summary: 'Has devices, too.',
      needs: { routes: httpRoutesToken },
      start: ({ needs }) => needs.routes.addDevices(noDevices),
    });
    await assert.rejects(startApi(t, new DefinitionFolder(t), { more: [{ plugin: twin }] }), (error) =>
      explainError(error).includes('Two plugins tell the HTTP API which devices there are.'),
    );
  });

  it('cannot be added once the API has started', async (t) => {
    const { collector } = await startApi(t, new DefinitionFolder(t));
    assert.throws(() => collector.getService(httpRoutesToken).add(async () => {}), {
      code: 'HTTP_ROUTES_LATE',
    });
    assert.throws(() => collector.getService(httpRoutesToken).addDevices(noDevices), {
      code: 'HTTP_ROUTES_LATE',
    });
  });
});
