import assert from 'node:assert/strict';
import { readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CollectorProcess } from '../support/collector-process.ts';

describe('waywiser token', { concurrency: 2 }, () => {
  async function run(cli: CollectorProcess, ...args: string[]) {
    cli.stdout = '';
    cli.stderr = '';
    cli.run(['token', ...args]);
    return { exit: await cli.exit, stdout: cli.stdout, stderr: cli.stderr };
  }

  it('prints a new token once and stores only its hash', async (t) => {
    const cli = new CollectorProcess(t);
    cli.write('waywiser.yml', 'state_directory: ./kept\n');
    const { exit, stdout } = await run(cli, 'new', 'ci', '--role', 'operate', '--days', '30');
    assert.equal(exit, 0, cli.stderr);
    assert.match(stdout, /^wwt_[\w-]{43}\n$/);
    const file = join(cli.folder, 'kept/http-api/tokens.json');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const text = readFileSync(file, 'utf8');
    assert.ok(!text.includes(stdout.trim()));
    assert.deepEqual(
      JSON.parse(text).map(({ name, role }: { name: string; role: string }) => [name, role]),
      [['ci', 'operate']],
    );
    const list = await run(cli, 'list');
    assert.match(list.stdout, /ci +operate +20\d\d-/);
    assert.equal((await run(cli, 'remove', 'ci')).exit, 0);
    assert.equal(readFileSync(file, 'utf8'), '[]\n');
  });

  it('prints no token that could not be stored', async (t) => {
    const cli = new CollectorProcess(t);
    cli.write('waywiser.yml', 'state_directory: ./kept\n');
    symlinkSync('missing/folder', join(cli.folder, 'kept'));
    const { exit, stdout, stderr } = await run(cli, 'new', 'ci');
    assert.equal(exit, 1);
    assert.match(stderr, /FILE_UNUSABLE/);
    assert.equal(stdout, '');
  });

  it('refuses invalid, taken and unknown names, and unknown roles', async (t) => {
    const cli = new CollectorProcess(t);
    cli.write('waywiser.yml', '');
    assert.equal((await run(cli, 'new', 'ci')).exit, 0, cli.stderr);
    assert.match((await run(cli, 'new', 'ci')).stderr, /already/);
    assert.match((await run(cli, 'new', 'a b')).stderr, /cannot be named/);
    assert.match((await run(cli, 'remove', 'cj')).stderr, /no token named "cj".*"ci"/s);
    assert.equal((await run(cli, 'new', 'x', '--role', 'root')).exit, 2);
    assert.equal((await run(cli, 'new', 'x', '--days', '0')).exit, 2);
  });
});
