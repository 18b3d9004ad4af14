import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { runCommand } from '../../cli/program.ts';
import { writeFolder } from '../kernel/support/scratch-folder.ts';

describe('wrong usage of a command', () => {
  const folder = writeFolder({ 'objects/a.yml': '' });
  const gone = join(folder, 'gone');

  it('points to the help of the command', async (t) => {
    assert.deepEqual(await said(t, 'ctl', 'device'), [
      2,
      "error: missing required argument 'device'\n(see waywiser ctl device --help)",
    ]);
    assert.deepEqual(await said(t, 'strat'), [
      2,
      "error: unknown command 'strat'\n(Did you mean start?)\n(see waywiser --help)",
    ]);
  });

  it('prints an error with its code, and exits with 2', async (t) => {
    const wrong: readonly (readonly [code: string, ...words: string[]])[] = [
      ['NUMBER_OPTION_INVALID', 'ctl', 'devices', '--limit', 'few'],
      ['NUMBER_OPTION_INVALID', 'ctl', 'events', '--count', 'x'],
      ['FILE_KIND_UNKNOWN', 'schema', 'object'],
      ['SHOWN_KIND_UNKNOWN', 'show', 'objects', 'X'],
      ['EXPLAIN_WORDS_WRONG', 'ctl', 'explain', 'a', 'B'],
      ['INIT_TARGET_MISSING', 'init'],
      ['TARGET_INVALID', 'get', '127.0.0.1:0', '1.3.6.1'],
    ];
    for (const [code, ...words] of wrong) {
      const [exit, text] = await said(t, ...words);
      assert.match(text, new RegExp(`^error: .*\\. \\[${code}\\]$`), words.join(' '));
      assert.equal(exit, 2, words.join(' '));
    }
  });

  it('refuses options that contradict each other, whether a device is named or not', async (t) => {
    for (const words of [['poll'], ['poll', 'a'], ['ctl', 'poll'], ['ctl', 'poll', 'a']]) {
      const [exit, text] = await said(t, ...words, '--all', '--columns', 'x');
      assert.match(text, /^error: option '--all' cannot be used with option '--columns <names>'/);
      assert.equal(exit, 2);
    }
  });

  it('reports a missing directory instead of an empty one', async (t) => {
    for (const words of [
      ['diff', folder, gone],
      ['diff', gone, folder],
      ['check', gone],
      ['show', 'object', 'X', '-d', gone],
    ]) {
      const [exit, text] = await said(t, ...words);
      assert.match(text, /^error: There is no directory .*gone\. .* \[DEFINITIONS_DIRECTORY_MISSING\]$/);
      assert.equal(exit, 1);
    }
    assert.match((await said(t, 'show', 'object', 'X', '-d', folder))[1], /\[DEFINITION_NOT_THERE\]$/);
  });

  it('reports in one line that a path has nothing to read', async (t) => {
    const [exit, text] = await said(t, 'output', 'read', gone);
    assert.match(text, /^error: There is no file or directory .*gone\. .* \[STORED_PATH_MISSING\]$/m);
    assert.equal(exit, 1);
  });

  it('does not repeat why an API cannot be reached', async (t) => {
    const [exit, text] = await said(t, 'ctl', 'status', '--url', 'http://127.0.0.1:1');
    assert.match(text, /^error: The HTTP API at .* cannot be reached: .*\[API_UNREACHABLE\]$/);
    assert.equal(exit, 1);
  });

  it('reports that a server does not speak HTTPS, without the message of OpenSSL', async (t) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [, text] = await said(t, 'ctl', 'status', '--url', url);
    assert.match(text, /^error: .* cannot be reached: it does not speak HTTPS\. .*\[API_UNREACHABLE\]$/);
  });
});

/** The exit code of a command, and its text on standard error. */
async function said(t: TestContext, ...words: string[]): Promise<[exit: number, text: string]> {
  const lines: string[] = [];
  const error = t.mock.method(console, 'error', (text: string) => lines.push(text));
  const write = t.mock.method(process.stderr, 'write', (text: string) => lines.push(text.trimEnd()) > 0);
  try {
    const exit = await runCommand(words);
    return [exit, stripVTControlCharacters(lines.join('\n'))];
  } finally {
    error.mock.restore();
    write.mock.restore();
  }
}
