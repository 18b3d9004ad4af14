import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isPassword } from '../../../plugins/http-api/security/credentials/stored-password.ts';
import { CollectorProcess } from '../support/collector-process.ts';

describe('waywiser password', () => {
  it('prints a new password once and stores only its hash', async (t) => {
    const cli = new CollectorProcess(t);
    cli.write('waywiser.yml', 'state_directory: ./kept\n');
    cli.run(['password', 'new', 'ann', '--role', 'operate']);
    assert.equal(await cli.exit, 0, cli.stderr);
    const password = cli.stdout.trim();
    assert.match(password, /^[\w-]{24}$/);
    const file = join(cli.folder, 'kept/http-api/passwords.json');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const [stored] = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual([stored.name, stored.role], ['ann', 'operate']);
    assert.ok(await isPassword(password, stored.scrypt));
  });

  it('takes one from standard input, and refuses a short one', async (t) => {
    const cli = new CollectorProcess(t);
    cli.write('waywiser.yml', '');
    cli.run(['password', 'new', 'ann', '--stdin'], {}, 'correct horse battery\n');
    assert.equal(await cli.exit, 0, cli.stderr);
    assert.equal(cli.stdout, '');
    cli.run(['password', 'new', 'bob', '--stdin'], {}, 'short\n');
    assert.notEqual(await cli.exit, 0);
    assert.match(cli.stderr, /5 characters/);
    assert.doesNotMatch(cli.stderr, /short/);
  });
});
