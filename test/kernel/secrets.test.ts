import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isSecretReference, resolveSecret } from '../../src/kernel/secrets.ts';
import { writeFolder } from './support/scratch-folder.ts';

describe('secret references', () => {
  const directory = writeFolder({
    'secrets/token': 'hunter2\n',
    'secrets/windows': 'hunter2\r\n',
    'secrets/spaced': ' two words \n\n',
    'secrets/empty': '\n',
    'secrets/large': 'x'.repeat(65_537),
    'secrets/folder/inner': 'x',
    outside: 'outside',
  });
  const sources = { env: { TOKEN: 'abc', EMPTY: '' }, directory: join(directory, 'secrets') };
  symlinkSync(join(directory, 'secrets/large'), join(directory, 'secrets/link-to-large'));
  symlinkSync(join(directory, 'secrets/token'), join(directory, 'secrets/link'));
  symlinkSync('/dev/zero', join(directory, 'secrets/endless'));

  const reveal = (reference: string) => resolveSecret(reference, sources).reveal();

  it('reads variables and files, without a line break at the end', () => {
    assert.equal(reveal('${env:TOKEN}'), 'abc');
    assert.equal(reveal('${file:token}'), 'hunter2');
    assert.equal(reveal('${file:windows}'), 'hunter2');
    assert.equal(reveal('${file:spaced}'), ' two words \n');
    assert.equal(reveal('${file:link}'), 'hunter2');
  });

  it('rejects paths that leave the directory', () => {
    for (const name of [
      '../outside',
      '..',
      '.',
      '/etc/passwd',
      'folder/inner',
      '..\\outside',
      'a/../../outside',
      '',
    ]) {
      assert.equal(isSecretReference(`\${file:${name}}`), false, name);
      assert.throws(() => reveal(`\${file:${name}}`), { code: 'SECRET_UNRESOLVED' }, name);
    }
  });

  it('rejects a file that is missing, empty, too large or not a regular file, with the reason', () => {
    const reasons = {
      '${env:NOPE}': /NOPE is not set/,
      '${env:EMPTY}': /EMPTY is not set/,
      '${env:toString}': /cannot be resolved/,
      '${file:nope}': /nope cannot be read: there is no such file or directory/,
      '${file:empty}': /is empty/,
      '${file:large}': /larger than/,
      '${file:link-to-large}': /larger than/,
      '${file:folder}': /is not a file/,
      '${file:endless}': /is not a file/,
    };
    for (const [reference, message] of Object.entries(reasons)) {
      assert.throws(() => reveal(reference), { code: 'SECRET_UNRESOLVED', message }, reference);
    }
  });

  it('reports that no directory is configured', () => {
    assert.throws(
      () => resolveSecret('${file:token}', { env: {}, directory: undefined }),
      /no secrets_directory/,
    );
  });

  it('never prints a text that is not a reference', () => {
    assert.throws(
      () => reveal('hunter2'),
      (error: Error) => !error.message.includes('hunter2'),
    );
  });
});
