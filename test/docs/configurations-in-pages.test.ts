import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { env, execPath } from 'node:process';
import { describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { findStartProblems } from '../../cli/definitions/dry-start.ts';
import { copyPackage, installOurselves } from '../support/package-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Page, readPages } from './support/page.ts';

const tsc = resolve('node_modules/typescript/bin/tsc');

interface Configuration {
  readonly page: Page;
  readonly at: string;
  readonly value: { readonly plugins: Readonly<Record<string, unknown>> };
}

const configurations: readonly Configuration[] = readPages().flatMap((page) =>
  page.blocks
    .filter(({ language }) => language === 'yaml')
    .flatMap(({ text, line }) => parseAllDocuments(text).map((document) => ({ document, line })))
    .filter(({ document }) => document.errors.length === 0)
    .map(({ document, line }) => ({ page, at: `${page.path}:${line}`, value: document.toJS() }))
    .filter(({ value }) => typeof value === 'object' && value !== null && 'plugins' in value),
);

describe('the configurations in the pages', () => {
  it('pass waywiser check, once the reader has the secrets, packages and files that they name', async (t) => {
    const folder = temporaryFolder(t);
    const before = { ...env };
    t.after(() => {
      for (const name of Object.keys(env)) if (!(name in before)) delete env[name];
    });
    const faults: string[] = [];
    for (const [index, { page, at, value }] of configurations.entries()) {
      const place = join(folder, String(index));
      mkdirSync(join(place, 'secrets'), { recursive: true });
      giveSecrets(JSON.stringify(value), join(place, 'secrets'));
      for (const name of Object.keys(value.plugins)) givePlugin(name, place, page);
      const file = join(place, 'waywiser.yml');
      writeFileSync(file, JSON.stringify({ ...value, secrets_directory: './secrets' }));
      for (const { level, rule, message } of await findStartProblems(file)) {
        // The page tells how to make the token that such an address needs.
        if (rule === 'HTTP_UNPROTECTED' && page.text.includes('token new')) continue;
        // The error names the certificate or key of the reader.
        if (/^The file \S+\.pem for .* cannot be read\. Correct tls\./.test(message)) continue;
        if (level === 'error') faults.push(`${at}: ${message}`);
      }
    }
    assert.deepEqual(faults, []);
    assert.ok(configurations.length >= 50, `${configurations.length} configurations`);
  });

  it('say in the text or by ${env:…} and ${file:…} which secrets they need', () => {
    const plain = configurations.filter(({ value }) =>
      /"(password|token|api_key)":"(?!\$\{)/.test(JSON.stringify(value.plugins)),
    );
    assert.deepEqual(
      plain.map(({ at }) => at),
      [],
    );
  });
});

/** Sets the variables and writes the files that the references of a configuration name. */
function giveSecrets(text: string, folder: string): void {
  for (const [, source, name = ''] of text.matchAll(/\$\{(env|file):([\w.-]+)\}/g)) {
    if (source === 'env') env[name] ??= 'a-long-secret';
    else writeFileSync(join(folder, name), 'a-long-secret');
  }
}

/** What the page says to install: an example of the repository, or what `waywiser new output` writes. */
function givePlugin(name: string, folder: string, page: Page): void {
  const install = (example: string, place: string) => {
    copyPackage(example, place);
    installOurselves(place);
    // As the README of an example in TypeScript says.
    if (existsSync(join(place, 'tsconfig.json')))
      execFileSync(execPath, [tsc, '--noCheck', '--types', ''], { cwd: place });
  };
  const [, example = ''] = /^(?:\.\/)?([\w-]+)/.exec(name) ?? [];
  if (page.path.startsWith(`examples/${example}/`)) {
    install(example, join(folder, name.startsWith('./') ? example : join('node_modules', example)));
  }
  if (name === './my-output/index.js' && page.text.includes('waywiser new output')) {
    install('third-party-output', join(folder, 'my-output'));
  }
}
