import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as kit from '../../src/output-kit/index.ts';
import { repositoryRoot } from '../house/support/source-file.ts';

const maxValues = 30;

describe('waywiser/output-kit', () => {
  it(`exports at most ${maxValues} values`, () => {
    assert.ok(Object.keys(kit).length <= maxValues, `${Object.keys(kit).length} values`);
  });

  it('has every exported value in the guide for authors', () => {
    const guide = readFileSync(join(repositoryRoot, 'docs/writing-an-output.md'), 'utf8');
    const missing = Object.keys(kit).filter((name) => !new RegExp(`\\b${name}\\b`).test(guide));
    assert.deepEqual(missing, []);
  });
});
