import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importOptional } from '../../src/connection/optional-package.ts';

describe('importOptional', () => {
  it('reports a missing package with the command that installs it', async () => {
    const name: string = '@waywiser/not-there';
    await assert.rejects(
      importOptional(`${name}@2`, () => import(name)),
      {
        code: 'PACKAGE_NOT_INSTALLED',
        message: /@waywiser\/not-there is not installed.* npm install @waywiser\/not-there@2$/,
      },
    );
  });

  it('passes on the error of a package that is broken or lacks a dependency', async () => {
    const name: string = '@waywiser/not-there';
    await assert.rejects(
      importOptional('pg@8', () => import(name)),
      { code: 'ERR_MODULE_NOT_FOUND' },
    );
    await assert.rejects(
      importOptional('pg@8', () => Promise.reject(new SyntaxError('broken'))),
      SyntaxError,
    );
  });
});
