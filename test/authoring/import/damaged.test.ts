import { deepEqual, match, rejects } from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { importConfiguration } from '../../../cli/import/import-configuration.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { imported } from './support/imported.ts';

const metric =
  'modules: { fans: { metrics: [{ name: fanTotal, oid: 1.3.6.1.4.1.63000.7.9, type: gauge }] } }\n';

/** What an import of one file fails with. Nothing is written then. */
async function failureOf(test: TestContext, format: string, text: string): Promise<string> {
  const folder = temporaryFolder(test);
  const file = join(folder, 'source.conf');
  writeFileSync(file, text);
  let message = '';
  await rejects(
    importConfiguration(format, file, { out: join(folder, 'out') }),
    (error: Error & { code?: string }) => {
      message = `${error.code} ${error.message.replaceAll(folder, '')}`;
      return true;
    },
  );
  deepEqual(readdirSync(folder), ['source.conf']);
  return message;
}

describe('import of a damaged file', () => {
  for (const [title, text, expected] of [
    ['YAML that ends in a list', 'modules: [', /IMPORT_SYNTAX .source\.conf:\d+:\d+: This is not YAML/],
    ['a list at the top', '- modules', /IMPORT_SYNTAX .source\.conf:1:1: The file holds a list/],
    ['two documents', 'a: 1\n---\nb: 2\n', /IMPORT_SYNTAX .source\.conf:\d+:\d+: The file holds several/],
    ['a custom tag', 'modules: !!js/function x\n', /IMPORT_SYNTAX .source\.conf:1:10: The tag/],
    ['nesting without end', `modules: ${'['.repeat(5_000)}`, /IMPORT_SYNTAX .*Nested more than 64/],
    ['a NUL', 'modules:\0', /IMPORT_SYNTAX .source\.conf:1:9/],
    ['no modules', 'modules: {}\n', /IMPORT_EMPTY/],
    ['text instead of modules', 'modules: { fans: 1 }\n', /IMPORT_EMPTY/],
    [
      'lists instead of texts',
      'modules: { fans: { metrics: [{ name: [], oid: {}, type: [] }, 1, null, [[]]] } }',
      /IMPORT_EMPTY/,
    ],
  ] as const) {
    it(`of snmp_exporter with ${title} fails with its place`, async (test) => {
      match(await failureOf(test, 'snmp-exporter', text), expected);
    });
  }

  it('refuses aliases that multiply', async (test) => {
    const lines = Array.from(
      { length: 9 },
      (_, at) =>
        `a${at}: &a${at} [${Array(9)
          .fill(at === 0 ? 'x' : `*a${at - 1}`)
          .join(', ')}]`,
    );
    match(await failureOf(test, 'kentik', `${lines.join('\n')}\n`), /IMPORT_SYNTAX .*aliases/);
  });

  it('refuses a file of more than 16 MiB', async (test) => {
    match(await failureOf(test, 'datadog', `# ${'x'.repeat(17 * 1024 * 1024)}`), /IMPORT_TOO_LARGE/);
  });

  it('of Telegraf fails with its place', async (test) => {
    match(
      await failureOf(test, 'telegraf', '[[inputs.snmp]]\nname = ]\n'),
      /IMPORT_SYNTAX .source\.conf:2:\d+: This is not TOML/,
    );
    match(await failureOf(test, 'telegraf', 'a = 1\na = 2\n'), /IMPORT_SYNTAX .source\.conf:2:\d+/);
    match(
      await failureOf(test, 'telegraf', `a = ${'['.repeat(100_000)}`),
      /IMPORT_SYNTAX .source\.conf:1:\d+: Nested/,
    );
    match(await failureOf(test, 'telegraf', 'inputs = 3\n'), /IMPORT_EMPTY/);
    match(await failureOf(test, 'telegraf', '[inputs]\nsnmp = [1, [2], "x"]\n'), /IMPORT_EMPTY/);
  });

  it('names a path that does not exist', async (test) => {
    const path = join(temporaryFolder(test), 'missing.yml');
    await rejects(importConfiguration('kentik', path, { out: 'unused' }), { code: 'IMPORT_UNREADABLE' });
  });

  it('of several files lists the damaged one and imports the others', async (test) => {
    const { unreadable, counts } = await imported(test, 'snmp-exporter', {
      'a.yml': 'x: [',
      'b.yml': metric,
    });
    deepEqual(
      unreadable.map(({ file, line }) => [file.replace(/.*\//, ''), line]),
      [['a.yml', 2]].map(([file]) => [file, unreadable[0]!.line]),
    );
    deepEqual(counts['objects'], 1);
  });

  it('never lets a name out of its place', async (test) => {
    const names = ['__proto__', 'constructor', '../../up', 'a: b', 'x\\n- y', '# no', '<<'];
    const metrics = names.map(
      (name) => `{ name: ${JSON.stringify(name)}, oid: 1.3.6.1.4.1.63000.7.9, type: gauge }`,
    );
    const hostile = `modules: { "../evil": { metrics: [${metrics.join(', ')}, { name: ok, oid: 1.3.6.1.4.1.63000.7.8, type: gauge, help: "a\\nb: c # d" }] } }\n`;
    const { written, counts } = await imported(test, 'snmp-exporter', { 'snmp.yml': hostile });
    deepEqual(written, [
      'device_groups/snmp-exporter.yml',
      'object_groups/snmp-exporter.yml',
      'objects/evil.yml',
    ]);
    deepEqual(counts['attributes'], 1);
  });

  it('does not overwrite files without --force', async (test) => {
    const folder = temporaryFolder(test);
    const out = join(folder, 'out');
    mkdirSync(join(out, 'objects'), { recursive: true });
    writeFileSync(join(out, 'objects/fans.yml'), 'mine: {}\n');
    const file = join(folder, 'snmp.yml');
    writeFileSync(file, metric);
    await rejects(importConfiguration('snmp-exporter', file, { out }), { code: 'DRAFT_WOULD_OVERWRITE' });
    test.mock.method(console, 'log', () => {});
    await importConfiguration('snmp-exporter', file, { out, force: true });
    deepEqual(readdirSync(join(out, 'objects')), ['fans.yml']);
  });
});
