import { deepEqual, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDefinitions } from '../../../plugins/definitions-loader/commands.ts';
import { definitionFileRules } from '../../../src/definitions/checking/file-rules.ts';
import { definitionRules } from '../../../src/definitions/definition-rules.ts';
import { documentSets } from './broken/document-sets.ts';
import { missingKeys, misspeltKeys, wrongHolders, wrongTypes } from './broken/generated-sets.ts';
import { schemaSets } from './broken/schema-sets.ts';
import { wholeSets } from './broken/whole-sets.ts';
import { baseSet } from './support/base-set.ts';
import { DefinitionDirectory } from './support/definition-directory.ts';

const sets = [
  ...misspeltKeys(),
  ...wrongTypes(),
  ...wrongHolders(),
  ...missingKeys(),
  ...schemaSets(),
  ...documentSets(),
  ...wholeSets(),
];

describe('checking definitions', () => {
  it('reports nothing for a correct set', () => {
    using directory = new DefinitionDirectory(baseSet);
    deepEqual(readDefinitions({ directories: [directory.path] }).problems, []);
  });

  it('is tested with at least three hundred broken sets', () => {
    ok(sets.length >= 300, `only ${sets.length}`);
  });

  it('documents every rule that it reports, and tests every rule for files', () => {
    const tried = new Set(sets.map(({ expected }) => expected.rule));
    const hardToBreak = new Set([
      'too-many-aliases',
      'too-large',
      'too-large-together',
      'too-many-files',
      'missing-directory',
      'unreadable',
      'not-a-file',
      'outside-directory',
      'invalid-utf8',
      'file-changing',
    ]);
    const documented = Object.keys({ ...definitionFileRules, ...definitionRules });
    deepEqual(
      [...tried].filter((rule) => !documented.includes(rule)),
      [],
    );
    const files = Object.keys(definitionFileRules).filter((rule) => !hardToBreak.has(rule));
    deepEqual(
      files.filter((rule) => !tried.has(rule)),
      [],
    );
  });

  for (const { title, files, expected } of sets) {
    it(`reports ${title}`, () => {
      using directory = new DefinitionDirectory(files);
      const { problems } = readDefinitions({ directories: [directory.path] });
      const found = problems.map(({ message: _, ...place }) => place);
      const isFound = found.some(
        (place) => JSON.stringify(sorted(place)) === JSON.stringify(sorted(expected)),
      );
      if (!isFound) deepEqual(found, [expected]);
    });
  }
});

function sorted(place: object): [string, unknown][] {
  return Object.entries(place).sort();
}
