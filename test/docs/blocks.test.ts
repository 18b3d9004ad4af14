import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { createPluginFinder } from '../../src/collector/built-in-plugins.ts';
import { collectorSchema } from '../../src/kernel/config-file.ts';
import { checkOptions } from '../../src/kernel/plugin-options.ts';
import { repositoryRoot } from '../house/support/source-file.ts';
import { readPages } from './support/page.ts';

const blocks = readPages().flatMap((page) =>
  page.blocks.map((block) => ({ ...block, at: `${page.path}:${block.line}` })),
);

describe('the code blocks of the documentation', () => {
  it('marked as JSON are JSON', () => {
    const faults = blocks
      .filter(({ language }) => language === 'json')
      .flatMap(({ text, at }) =>
        documentsIn(text)
          .filter((document) => !isJson(document))
          .map(() => at),
      );
    assert.deepEqual(faults, []);
  });

  it('marked as YAML are YAML', () => {
    assert.deepEqual(
      yamlBlocks().flatMap(({ at, errors }) => errors.map(({ message }) => `${at}: ${message}`)),
      [],
    );
  });

  it('with plugins are configurations that the built-in plugins accept', async () => {
    const finder = createPluginFinder(repositoryRoot);
    const sources = { baseDirectory: repositoryRoot, secrets: { env: {}, directory: undefined } };
    const faults: string[] = [];
    let checked = 0;
    for (const { value, at } of yamlBlocks()) {
      if (!isConfiguration(value)) continue;
      const report = (
        where: string,
        problems: readonly { readonly rule: string; readonly message: string }[],
      ) =>
        faults.push(
          // The secrets are files or variables of the reader.
          ...problems
            .filter(({ rule }) => rule !== 'secret')
            .map(({ message }) => `${at} ${where}: ${message}`),
        );
      report('', checkOptions(collectorSchema, value, sources).problems);
      for (const [key, options] of Object.entries(value.plugins)) {
        const [name = ''] = key.split('/');
        if (finder.builtInNames.includes(name)) {
          const { plugin } = await finder.find(key);
          report(key, checkOptions(plugin.options, options ?? {}, sources).problems);
          checked++;
        } else if (!key.startsWith('./') && !existsSync(join(repositoryRoot, 'examples', key))) {
          faults.push(`${at}: there is no plugin "${key}"`);
        }
      }
    }
    assert.deepEqual(faults, []);
    assert.ok(checked > 40, `only ${checked} plugins were found`);
  });
});

function yamlBlocks() {
  return blocks
    .filter(({ language }) => language === 'yaml')
    .flatMap(({ text, at }) =>
      parseAllDocuments(text).map((document) => ({
        at,
        errors: document.errors,
        value: document.errors.length === 0 ? document.toJS() : undefined,
      })),
    );
}

function isConfiguration(value: unknown): value is { readonly plugins: Readonly<Record<string, unknown>> } {
  return typeof value === 'object' && value !== null && 'plugins' in value;
}

/** One document, without the console request in front of it, or one document per line. */
function documentsIn(text: string): string[] {
  const body = text.replace(/^(GET|PUT|POST) \S+\n/, '');
  return isJson(body) ? [body] : text.startsWith('{"') ? text.split('\n') : [body];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
