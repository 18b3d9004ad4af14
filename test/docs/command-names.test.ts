import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { createProgram } from '../../cli/program.ts';
import { readPages } from './support/page.ts';

const program = createProgram(async () => {});
const pages = readPages();
/** Every `waywiser …` that is written as code: in running text, tables and blocks. A comment may follow. */
const mentions = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/(?:`|^|^\$ |&& )(waywiser [^`\n#]+)|^#+ (waywiser [^\n]+)/gm)].map(
    ([, code, heading = '']) => ({ path, words: (code ?? heading).trim().split(/\s+/).slice(1) }),
  ),
);

describe('the commands that the documentation names', () => {
  it('exist, with the options that it names', () => {
    const faults = mentions.flatMap(({ path, words }) => {
      const [first = ''] = words;
      // `waywiser COMMAND` and `waywiser --help` mean all commands.
      if (/^[A-Z-]/.test(first)) return [];
      return first.split('\\|').flatMap((name) => findFaults([name, ...words.slice(1)], path));
    });
    assert.ok(mentions.length > 50);
    assert.deepEqual(faults, []);
  });

  it('include every command', () => {
    const found = mentions.map(({ words }) => words);
    const isNamed = (path: readonly string[]) =>
      found.some((words) => path.every((name, i) => words[i]?.split('\\|').includes(name)));
    const isNamedShort = ([group, name]: readonly string[]) =>
      pages.some(({ text }) => text.includes(`\`${group} ${name}`));
    assert.deepEqual(
      listPaths(program).filter((path) => !isNamed(path) && !isNamedShort(path)),
      [],
    );
  });
});

/** The parts of a command line that the program does not have. Words in brackets and capitals are placeholders. */
function findFaults(words: readonly string[], path: string): string[] {
  let command = program;
  let depth = 0;
  while (command.commands.length > 0 && depth < words.length) {
    const names = words[depth]!.split(/\\?\|/).filter((name) => /^[a-z]/.test(name));
    const found = names.map((name) => command.commands.find((each) => each.name() === name));
    const missing = names.filter((_, i) => found[i] === undefined);
    if (missing.length > 0) return missing.map((name) => `${path}: waywiser ${words.join(' ')}: no ${name}`);
    if (found[0] === undefined) break;
    command = found[0];
    depth++;
  }
  return words
    .map((word) => word.replace(/^\[|[\],.]+$/g, ''))
    .filter((word) => word.startsWith('--'))
    .filter((word) => !command.options.some(({ long }) => long === word))
    .map((word) => `${path}: waywiser ${words.join(' ')}: no option ${word}`);
}

/** Every command that does something, by its words. */
function listPaths(parent: Command, before: readonly string[] = []): string[][] {
  return parent.commands.flatMap((command) => {
    const path = [...before, command.name()];
    return command.commands.length === 0 ? [path] : listPaths(command, path);
  });
}
