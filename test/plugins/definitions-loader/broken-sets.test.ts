import { deepEqual, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDefinitions } from '../../../plugins/definitions-loader/offline.ts';
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
  it('finds nothing wrong with a set that is right', () => {
    using directory = new DefinitionDirectory(baseSet);
    deepEqual(readDefinitions({ directories: [directory.path] }).problems, []);
  });

  it('is tried with three hundred broken sets or more', () => {
    ok(sets.length >= 300, `only ${sets.length}`);
  });

  for (const { title, files, expected } of sets) {
    it(`finds ${title}`, () => {
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
