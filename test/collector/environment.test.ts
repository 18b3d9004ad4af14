import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findStrayVariables, originsOf, overrideOptions } from '../../src/collector/environment.ts';
import { definePlugin } from '../../src/kernel/plugin.ts';
import { Type } from '../../src/typebox.ts';

const options = Type.Object({
  port: Type.Integer(),
  title: Type.String(),
  directories: Type.Array(Type.String()),
  tls: Type.Object({ 'min-version': Type.String(), strict: Type.Boolean() }),
  headers: Type.Record(Type.String(), Type.String()),
});
const plugin = definePlugin({ name: 'http-api', kind: 'api', summary: 'S.', options, start() {} });
const override = (env: Record<string, string>, raw: unknown = {}, name = 'http-api') =>
  overrideOptions(name, options, raw, env);
const strays = (env: Record<string, string>) => findStrayVariables([{ name: 'http-api', plugin }], env);

describe('environment overrides', () => {
  it('set options of any depth and type', () => {
    const env = {
      WAYWISER_PLUGINS__HTTP_API__PORT: '9090',
      WAYWISER_PLUGINS__HTTP_API__TLS__MIN_VERSION: 'TLSv1.3',
      WAYWISER_PLUGINS__HTTP_API__TLS__STRICT: 'false',
      WAYWISER_PLUGINS__HTTP_API__DIRECTORIES: '[a, b]',
      WAYWISER_PLUGINS__HTTP_API__HEADERS__X: 'y',
    };
    assert.deepEqual(override(env, { port: 1, tls: { strict: true, other: 2 } }), {
      port: 9090,
      tls: { strict: false, other: 2, 'min-version': 'TLSv1.3' },
      directories: ['a', 'b'],
      headers: { x: 'y' },
    });
  });

  it('leave the given options untouched', () => {
    const raw = Object.freeze({ tls: Object.freeze({ strict: true }) });
    override({ WAYWISER_PLUGINS__HTTP_API__TLS__STRICT: 'false' }, raw);
    assert.deepEqual(raw, { tls: { strict: true } });
  });

  it('are named as the origin of the options that they set, also in part', () => {
    const env = {
      WAYWISER_PLUGINS__HTTP_API__PORT: '9090',
      WAYWISER_PLUGINS__HTTP_API__TLS__STRICT: 'false',
      WAYWISER_PLUGINS__OTHER__TITLE: 'x',
    };
    assert.deepEqual(originsOf('http-api', options, { tls: { strict: true }, directories: [] }, env), {
      port: 'WAYWISER_PLUGINS__HTTP_API__PORT',
      title: 'default',
      directories: 'configuration',
      tls: 'WAYWISER_PLUGINS__HTTP_API__TLS__STRICT',
      headers: 'default',
    });
    assert.equal(originsOf('http-api', options, null, {})['port'], 'default');
  });

  it('reach one instance and not the other', () => {
    const env = { WAYWISER_PLUGINS__HTTP_API_SECOND__PORT: '2' };
    assert.deepEqual(override(env, {}, 'http-api/second'), { port: 2 });
    assert.deepEqual(override(env, {}, 'http-api'), {});
  });

  it('take text as it is where text is wanted, and elsewhere what is no YAML', () => {
    for (const title of ['@home: [', '1234', 'true', '']) {
      assert.deepEqual(override({ WAYWISER_PLUGINS__HTTP_API__TITLE: title }), { title });
    }
    assert.deepEqual(override({ WAYWISER_PLUGINS__HTTP_API__PORT: '[1' }), { port: '[1' });
  });

  it('are reported when they match no option, at any depth, with the nearest', () => {
    const [message = ''] = strays({ WAYWISER_PLUGINS__HTTP_API__PROT: '1' });
    assert.match(
      message,
      /WAYWISER_PLUGINS__HTTP_API__PROT matches no option.*"WAYWISER_PLUGINS__HTTP_API__PORT"/,
    );
    assert.equal(strays({ WAYWISER_PLUGINS__HTTP_API__TLS__STRCT: 'x' }).length, 1);
    assert.equal(strays({ WAYWISER_PLUGINS__GONE__PORT: '1' }).length, 1);
    assert.equal(strays({ WAYWISER_PLUGINS__HTTP_API__PORT__DEEPER: '1' }).length, 1);
  });

  it('say nothing about variables that match or mean something else', () => {
    const env = { WAYWISER_PLUGINS__HTTP_API__HEADERS__X: 'y', WAYWISER_LOG_LEVEL: 'debug', PATH: '/bin' };
    assert.deepEqual(strays(env), []);
  });
});
