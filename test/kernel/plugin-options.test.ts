import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { checkOptions, pathOption, secretOption } from '../../src/kernel/plugin-options.ts';
import { Secret } from '../../src/kernel/secrets.ts';
import { type TObject, Type } from '../../src/typebox.ts';
import { recordLog } from './support/log-lines.ts';

const sources = {
  baseDirectory: '/etc/waywiser',
  secrets: { env: { TOKEN: 'hunter2', OTHER: 'swordfish' }, directory: undefined },
};

const check = (schema: TObject, raw: unknown) => checkOptions(schema, raw, sources);
const messagesOf = (schema: TObject, raw: unknown) =>
  check(schema, raw).problems.map(({ message }) => message);

const server = Type.Object({
  port: Type.Integer({ minimum: 1, maximum: 65_535, default: 8080, description: 'where it listens' }),
  tls: Type.Object(
    {
      certificate: Type.Optional(pathOption({ description: 'a file' })),
      strict: Type.Boolean({ default: true }),
    },
    { default: {} },
  ),
  routes: Type.Array(
    Type.Object({ prefix: Type.String(), methods: Type.Array(Type.String(), { default: ['GET'] }) }),
    {
      default: [],
    },
  ),
});

describe('plugin options', () => {
  it('fills defaults at every depth, for nothing, null and an empty map alike', () => {
    const expected = { port: 8080, tls: { strict: true }, routes: [] };
    for (const raw of [undefined, null, {}])
      assert.deepEqual(check(server, raw), { options: expected, problems: [] });
    const { options } = check(server, { routes: [{ prefix: '/' }] });
    assert.deepEqual((options as { routes: unknown }).routes, [{ prefix: '/', methods: ['GET'] }]);
  });

  it('does not change its input or the defaults of the schema', () => {
    const raw = Object.freeze({ routes: Object.freeze([]) });
    const { options } = check(server, raw);
    assert.notEqual((options as { routes: unknown }).routes, server.properties.routes.default);
    assert.deepEqual(raw, { routes: [] });
  });

  it('freezes the result at every depth', () => {
    const { options } = check(server, { routes: [{ prefix: '/' }] });
    const { tls, routes } = options as { tls: object; routes: object[] };
    for (const part of [options as object, tls, routes, routes[0]!]) assert.ok(Object.isFrozen(part));
  });

  it('rejects unknown keys at any depth and suggests the nearest name', () => {
    const { problems } = check(server, {
      prot: 1,
      tls: { stritc: true },
      routes: [{ prefix: '/', zzzzzz: 1 }],
    });
    assert.deepEqual(problems, [
      { path: ['prot'], rule: 'unknown-key', message: '"prot" is not a known key. Did you mean "port"?' },
      {
        path: ['tls', 'stritc'],
        rule: 'unknown-key',
        message: '"stritc" is not a known key. Did you mean "strict"?',
      },
      {
        path: ['routes', '0', 'zzzzzz'],
        rule: 'unknown-key',
        message: '"zzzzzz" is not a known key. Known keys: prefix, methods.',
      },
    ]);
  });

  it('reports wrong, missing and unknown keys together, with the received values', () => {
    const { options, problems } = check(server, { port: 'eighty', routes: [{}], extra: 1, tls: [] });
    assert.equal(options, undefined);
    assert.deepEqual(problems.map(({ path, rule }) => `${path.join('.')} ${rule}`).sort(), [
      'extra unknown-key',
      'port type',
      'routes.0.prefix missing',
      'tls type',
    ]);
    assert.match(
      problems.find(({ path }) => path[0] === 'port')?.message ?? '',
      /where it listens.*received "eighty"/,
    );
  });

  it('describes a wrong value in the terms of the file, with its full path', () => {
    const wrong = { port: 70_000, tls: { strict: 'yes' }, routes: [{ prefix: 7 }, {}] };
    assert.deepEqual(messagesOf(server, wrong), [
      '"port": must be at most 65535 (where it listens), received 70000.',
      '"tls.strict": must be true or false, received "yes".',
      '"routes.0.prefix": must be text, received 7.',
      '"routes.1.prefix" is required: string.',
    ]);
    assert.deepEqual(messagesOf(server, { port: 0, tls: 5 }), [
      '"port": must be at least 1 (where it listens), received 0.',
      '"tls": must be a map, received 5.',
    ]);
  });

  it('lists the allowed values', () => {
    const schema = Type.Object({ drop: Type.Union([Type.Literal('oldest'), Type.Literal('newest')]) });
    assert.match(messagesOf(schema, { drop: 'all' })[0]!, /must be one of oldest, newest.*received "all"/);
  });

  it('rejects options that are not a map', () => {
    for (const raw of [5, 'text', ['a'], true]) {
      assert.equal(check(server, raw).problems.length > 0, true, JSON.stringify(raw));
    }
    assert.match(messagesOf(server, 5)[0]!, /^"options": .*received 5\.$/);
    for (const raw of [[], [[]]]) {
      assert.deepEqual(check(server, raw).problems[0]?.rule, 'type', JSON.stringify(raw));
    }
  });

  it('treats names such as `constructor` as unknown keys', () => {
    const raw = JSON.parse('{"__proto__": {"port": 1}, "constructor": 1, "toString": 2}');
    const rules = check(server, raw).problems.map(({ path }) => path[0]);
    assert.ok(rules.includes('constructor') && rules.includes('toString'));
  });

  it('resolves paths against the directory of the configuration file', () => {
    const schema = Type.Object({
      one: pathOption({ description: 'p' }),
      list: Type.Array(pathOption({ description: 'p' })),
      byName: Type.Record(Type.String(), pathOption({ description: 'p' })),
      kept: pathOption({ description: 'p', default: './kept' }),
    });
    const raw = { one: '../x', list: ['a', '/abs'], byName: { b: './b' } };
    assert.deepEqual(check(schema, raw).options, {
      one: '/etc/x',
      list: ['/etc/waywiser/a', '/abs'],
      byName: { b: '/etc/waywiser/b' },
      kept: '/etc/waywiser/kept',
    });
  });

  it('resolves marked strings inside unions and tuples', () => {
    const schema = Type.Object({
      auth: Type.Union([
        Type.Object({ user: Type.String(), password: secretOption({ description: 's' }) }),
        Type.Object({ token: secretOption({ description: 's' }) }),
      ]),
      pair: Type.Tuple([Type.String(), pathOption({ description: 'p' })]),
    });
    const { options, problems } = check(schema, { auth: { token: '${env:TOKEN}' }, pair: ['x', './y'] });
    assert.deepEqual(problems, []);
    const { auth, pair } = options as { auth: { token: Secret }; pair: unknown };
    assert.equal(auth.token.reveal(), 'hunter2');
    assert.deepEqual(pair, ['x', '/etc/waywiser/y']);
  });
});

describe('secret options', () => {
  const schema = Type.Object({
    token: secretOption({ description: 'the token' }),
    more: Type.Optional(Type.Array(secretOption({ description: 's' }))),
  });

  it('become a Secret with the value that the reference names', () => {
    const { token, more } = check(schema, { token: '${env:TOKEN}', more: ['${env:OTHER}'] }).options as {
      token: Secret;
      more: Secret[];
    };
    assert.ok(token instanceof Secret);
    assert.equal(token.reveal(), 'hunter2');
    assert.equal(more[0]?.reveal(), 'swordfish');
  });

  it('never print their value, however the options are printed', () => {
    const { options } = check(schema, { token: '${env:TOKEN}', more: ['${env:OTHER}'] });
    const { token } = options as { token: Secret };
    const { log, lines } = recordLog();
    log.info({ options, token }, `with ${token}`);
    const printed = [
      inspect(options, { depth: 9, showHidden: true }),
      inspect(token),
      JSON.stringify(options),
      `${token}`,
      `${token as unknown as string} and more`,
      String([token]),
      JSON.stringify(lines),
      JSON.stringify(Object.entries(token)),
      JSON.stringify(structuredClone({ ...token })),
    ];
    for (const text of printed) assert.doesNotMatch(text, /hunter2|swordfish/);
  });

  it('reject a plain value without printing it', () => {
    for (const plain of ['hunter2', 1234567, true, ['hunter2']]) {
      const [message = '', ...others] = messagesOf(schema, { token: plain });
      assert.notEqual(message, '');
      assert.doesNotMatch([message, ...others].join(), /hunter2|1234567/);
    }
  });

  it('report every reference that cannot be resolved', () => {
    const { problems } = check(schema, { token: '${env:NOPE}', more: ['${file:x}'] });
    assert.deepEqual(
      problems.map(({ path, rule }) => [path.join('.'), rule]),
      [
        ['token', 'secret'],
        ['more.0', 'secret'],
      ],
    );
  });
});
