import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { definePlugin, HttpProblem, serviceToken, Type } from '../../src/index.ts';
import { checkOptions } from '../../src/kernel/plugin-options.ts';
import { defineOutput } from '../../src/pipeline/output.ts';
import { defineProcessor } from '../../src/pipeline/processor.ts';
import { defineSource } from '../../src/pipeline/source.ts';
import { Kind } from '../../src/typebox.ts';

const plugin = { name: 'lamp', kind: 'service', summary: 'Shines.', start() {} };
const output = { name: 'sink', summary: 'Writes.', open: () => ({ write() {} }) };
const source = { name: 'meter', summary: 'Measures.', open() {} };
/** What an author who writes JavaScript can pass. */
const make = {
  plugin: (given?: unknown) => definePlugin(given as never),
  output: (given?: unknown) => defineOutput(given as never),
  source: (given?: unknown) => defineSource(given as never),
  processor: (given?: unknown) => defineProcessor(given as never),
};
const withOptions = (options: unknown) => () => make.output({ ...output, options });
const sources = { baseDirectory: '/', secrets: { env: {}, directory: undefined } };

describe('define… names each mistake of an author who writes JavaScript', () => {
  const mistakes: Readonly<Record<string, readonly [make: () => unknown, message: RegExp]>> = {
    'no definition': [() => make.plugin(), /definePlugin .* one map with the keys name, .* received nothing/],
    'a list': [() => make.plugin([plugin]), /received a list/],
    'a function': [() => make.output(() => output), /defineOutput .* received a function/],
    'a promise': [() => make.plugin(Promise.resolve(plugin)), /received a promise/],
    'a misspelt key': [
      () => make.plugin({ ...plugin, need: {} }),
      /definition of the plugin "lamp"\. "need" is not a known key\. Did you mean "needs"\?/,
    ],
    'a misspelt name': [
      () => make.source({ ...source, nam: 'x', name: undefined }),
      /"nam" is not a known key\. Did you mean "name"\? "name" is missing: it must be text/,
    ],
    'a key of another kind': [
      () => make.processor({ ...source, needs: {} }),
      /"needs" is not a known key\. Known keys: name, summary, options, open\./,
    ],
    'start in place of open': [
      () => make.output({ name: 'sink', summary: 'Writes.', start() {} }),
      /"start" is not a known key.* "open" is missing: it must be a function\./,
    ],
    'a kind that does not exist': [
      () => make.plugin({ ...plugin, kind: 'sorce' }),
      /"kind" must be one of .*, received "sorce"\. Did you mean "source"\?/,
    ],
    'no kind': [() => make.plugin({ ...plugin, kind: undefined }), /"kind" is missing: it must be one of/],
    'start that is no function': [
      () => make.plugin({ ...plugin, start: 'now' }),
      /"start" must be a function, received "now"\./,
    ],
    'a time as text': [
      () => make.plugin({ ...plugin, startTimeoutMs: '10s' }),
      /"startTimeoutMs" must be a number of milliseconds above 0, received "10s"\./,
    ],
    'needs as a list': [
      () => make.plugin({ ...plugin, needs: [serviceToken('clock')] }),
      /"needs" must be a map of tokens, received a list\./,
    ],
    'a service by its name': [
      () => make.plugin({ ...plugin, needs: { clock: 'clock' } }),
      /"needs\.clock" must be a token, .* received "clock"\./,
    ],
    'a token that its module does not export': [
      () => make.source({ ...source, needs: { clock: undefined } }),
      /"needs\.clock" must be a token, .* Its module does not export what you import\./,
    ],
    'provides as text': [() => make.plugin({ ...plugin, provides: 'lamp' }), /"provides" must be a token/],
    'module as a path': [
      () => make.output({ ...output, module: 'index.js' }),
      /"module" must be import\.meta\.url/,
    ],
    'fields without records': [
      () => make.source({ ...source, fields: { load: 'gauge' } }),
      /"fields" must be a map of records/,
    ],
    'a flag as text': [() => make.output({ ...output, rates: 'yes' }), /"rates" must be true or false/],
    'options as a JSON schema': [
      withOptions({ type: 'object', properties: { url: { type: 'string' } } }),
      /"options" must be made with Type of waywiser, such as Type\.Object\(\{ … \}\)\./,
    ],
    'options as a plain map': [withOptions({ url: Type.String() }), /"options" must be made with Type/],
    'options that are no map': [withOptions(Type.String()), /"options" must be a Type\.Object/],
    'options as a record': [
      () => make.output({ ...output, options: Type.Record(Type.String(), Type.String()) }),
      /"options" must be a Type\.Object/,
    ],
    'an option of a kind that nothing checks': [
      withOptions(Type.Object({ url: Type.Unsafe({ [Kind]: 'Lamp' }) })),
      /"options\.url" has the kind Lamp, which nothing checks/,
    ],
    'one option as a JSON schema': [
      withOptions(Type.Object({ count: { type: 'integer' } as never })),
      /"options\.count" must be made with Type of waywiser, such as Type\.Integer\(\)\./,
    ],
    'an option deep inside': [
      withOptions(Type.Object({ list: Type.Array(Type.Object({ a: 'text' as never })) })),
      /"options\.list\.items\.a" must be made with Type/,
    ],
    'a type that is not called': [
      withOptions(Type.Object({ url: Type.String as never })),
      /"options\.url" is a function of Type that is not called: write \(\)\./,
    ],
    'an option of every output': [
      withOptions(Type.Object({ queue: Type.String() })),
      /"options\.queue" is taken: every output has/,
    ],
    'a default of the wrong type': [
      withOptions(Type.Object({ count: Type.Integer({ default: 'ten' }) })),
      /"options\.count" has a default that its own schema refuses: expected integer\./,
    ],
    'a default that is a function': [
      withOptions(Type.Object({ count: Type.Integer({ default: () => 1 }) })),
      /"options\.count" has a default that is no plain data\./,
    ],
  };
  for (const [title, [define, message]] of Object.entries(mistakes)) {
    it(title, () => assert.throws(define, { code: 'PLUGIN_DEFINITION_INVALID', message }));
  }

  it('and all mistakes at once', () => {
    assert.throws(() => make.plugin({ kind: 'lamp', summary: 1, begin() {} }), {
      message: /"begin" is not .*"name" is missing.*"kind" must be.*"summary" must be.*"start" is missing/,
    });
  });
});

describe('what a JavaScript author passes later', () => {
  it('an HttpProblem without a status is refused where it is made', () => {
    assert.throws(() => new HttpProblem('LAMP_OFF' as never, 409 as never, 'Off.'), /status from 400 to 599/);
    assert.throws(() => new HttpProblem(200, 'LAMP_OFF', 'Off.'), /status from 400 to 599/);
  });

  it('a function among the options is named, not "Unable to clone value"', () => {
    const { problems } = checkOptions(Type.Object({ on: Type.Any() }), { on: { row: () => {} } }, sources);
    assert.match(problems[0]!.message, /^"on\.row": must be plain data, as in a file, received a function\./);
  });
});

describe('format of an option', () => {
  const problemsOf = (format: string, value: string) =>
    checkOptions(Type.Object({ at: Type.String({ format }) }), { at: value }, sources).problems;

  for (const [format, good, bad] of [
    ['date-time', '2026-02-28T23:59:60Z', '2026-02-30T10:00:00Z'],
    ['date', '2024-02-29', '2025-02-29'],
    ['time', '10:00:00+02:00', '10:00'],
    ['duration', 'P1DT2H', 'P'],
    ['email', 'noc@example.net', 'noc@'],
    ['hostname', 'core-1.example.net', '-core'],
    ['ipv4', '192.0.2.1', '192.0.2.256'],
    ['ipv6', '2001:db8::1', '2001:db8::1%eth0'],
    ['uri', 'https://example.net/a?b=c', '/a'],
    ['uri-reference', '/a?b', 'a b'],
    ['uuid', '6a2f41a3-c54c-fce8-32d2-0324e1c32e22', '6a2f41a3'],
    ['json-pointer', '/a/~0b', 'a'],
    ['relative-json-pointer', '1/a', '/a'],
    ['regex', '^a+$', '('],
  ] as const) {
    it(`${format} accepts "${good}" and refuses "${bad}"`, () => {
      assert.deepEqual(problemsOf(format, good), []);
      assert.match(
        problemsOf(format, bad)[0]!.message,
        new RegExp(`must have the format ${format}, received`),
      );
    });
  }

  it('that nobody knows allows every text, as JSON Schema says', () => {
    assert.deepEqual(problemsOf('colour', 'green'), []);
  });
});
