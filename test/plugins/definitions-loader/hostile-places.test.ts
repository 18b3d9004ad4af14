import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs, { Dir, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { env } from 'node:process';
import { describe, it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { readDefinitions } from '../../../plugins/definitions-loader/commands.ts';
import { SettledFileReader } from '../../../plugins/definitions-loader/reading/read-settled-file.ts';
import { DefinitionEngine } from '../../../plugins/definitions-loader/worker/definition-engine.ts';
import { readingLimits } from '../../../src/definitions/checking/reading-limits.ts';
import { isLong } from '../../support/long-run.ts';
import { baseSet } from './support/base-set.ts';
import { DefinitionDirectory } from './support/definition-directory.ts';

describe('hostile places', () => {
  it('refuses a FIFO without waiting for its writer', () => {
    using directory = new DefinitionDirectory(baseSet);
    execFileSync('mkfifo', [join(directory.path, 'objects/pipe.yml')]);
    deepEqual(rulesIn(directory), ['objects/pipe.yml not-a-file']);
  });

  it('refuses a socket', async () => {
    using directory = new DefinitionDirectory(baseSet);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(directory.path, 'objects/socket.yml'), resolve));
    deepEqual(rulesIn(directory), ['objects/socket.yml unreadable']);
    await new Promise((resolve) => server.close(resolve));
  });

  it('refuses links that lead out of the directory, to files, folders and devices', () => {
    using directory = new DefinitionDirectory(baseSet);
    using outside = new DefinitionDirectory({ 'secret.yml': 'a: 1\n' });
    symlinkSync(join(outside.path, 'secret.yml'), join(directory.path, 'objects/a.yml'));
    symlinkSync(outside.path, join(directory.path, 'objects/b'));
    symlinkSync('/dev/zero', join(directory.path, 'objects/c.yml'));
    symlinkSync('../devices/core.yml', join(directory.path, 'objects/d.yml'));
    deepEqual(rulesIn(directory), [
      'objects/a.yml outside-directory',
      'objects/b outside-directory',
      'objects/c.yml outside-directory',
      'objects/d.yml outside-directory',
    ]);
  });

  it('follows each link inside the directory once, also in circles', () => {
    using directory = new DefinitionDirectory(baseSet);
    mkdirSync(join(directory.path, 'objects/..data'));
    writeFileSync(join(directory.path, 'objects/..data/x.yml'), 'X::x: { attributes: {} }\n');
    symlinkSync('..data/x.yml', join(directory.path, 'objects/x.yml'));
    symlinkSync('.', join(directory.path, 'objects/again'));
    deepEqual(rulesIn(directory), []);
  });

  it('reports a new file that cannot be read when no other file changed', () => {
    using directory = new DefinitionDirectory(baseSet);
    using state = new DefinitionDirectory();
    const engine = new DefinitionEngine(env);
    const sources = { directories: [directory.path] };
    engine.read(sources, undefined);
    engine.accept(1, join(state.path, 'snapshot'));
    const rules = () => engine.read(sources, undefined).problems.map(({ file, rule }) => `${file} ${rule}`);
    symlinkSync('/dev/zero', join(directory.path, 'objects/a.yml'));
    directory.write({ 'objects/b.yml': '#'.repeat(1_048_577) });
    deepEqual(rules(), ['objects/a.yml outside-directory', 'objects/b.yml too-large']);
    rmSync(join(directory.path, 'objects'), { recursive: true });
    directory.write(baseSet);
    deepEqual(rules(), []);
  });

  it('reports a link to a missing file and a link to itself', () => {
    using directory = new DefinitionDirectory(baseSet);
    symlinkSync('nowhere.yml', join(directory.path, 'objects/a.yml'));
    symlinkSync('b.yml', join(directory.path, 'objects/b.yml'));
    deepEqual(rulesIn(directory), ['objects/a.yml unreadable', 'objects/b.yml unreadable']);
  });

  it('refuses folders that are nested too deep', () => {
    using directory = new DefinitionDirectory(baseSet);
    directory.write({ [`objects/${'d/'.repeat(40)}x.yml`]: 'a: 1\n' });
    deepEqual(rulesIn(directory), [`objects/${'d/'.repeat(16)}d too-deep`]);
  });

  it('refuses a folder of too many files before it looks at any of them', { timeout: 120_000 }, (t) => {
    using directory = new DefinitionDirectory(baseSet);
    const count = isLong ? 100_000 : 10_050;
    for (let i = 0; i < count; i++) writeFileSync(join(directory.path, `objects/f${i}.yml`), '');
    const listed = t.mock.method(Dir.prototype, 'readSync');
    const looks = watchCalls(t, 'lstatSync');
    equal(rulesIn(directory)[0], 'objects too-many-files');
    ok(
      listed.mock.callCount() < readingLimits.maxFiles + 100,
      `${listed.mock.callCount()} names were listed`,
    );
    deepEqual(
      looks().filter((path) => path.includes('/objects/')),
      [],
    );
    ok(looks().length > 0, 'a call would have been seen');
  });

  it('refuses a directory of more than 64 MiB before it reads any of it', (t) => {
    using directory = new DefinitionDirectory();
    for (let i = 0; i < 66; i++) {
      const path = join(directory.path, `objects/f${i}.yml`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '');
      truncateSync(path, 1_048_576);
    }
    const opened = watchCalls(t, 'openSync');
    deepEqual(
      rulesIn(directory).map((text) => text.split(' ')[1]),
      ['too-large-together'],
    );
    deepEqual(opened(), []);
    using other = new DefinitionDirectory(baseSet);
    rulesIn(other);
    ok(opened().length > 0, 'a call would have been seen');
  });

  it('reads a file that changes meanwhile completely, or refuses it', async () => {
    using directory = new DefinitionDirectory(baseSet);
    const path = join(directory.path, 'objects/changing.yml');
    const writer = new Worker(changingWriter, { eval: true, workerData: path });
    await new Promise((resolve) => writer.once('message', resolve));
    const seen = new Set<string>();
    const rounds = isLong ? 300 : 60;
    for (let i = 0; i < rounds; i++) {
      for (const problem of rulesIn(directory)) seen.add(problem);
    }
    await writer.terminate();
    seen.delete('objects/changing.yml file-changing');
    deepEqual([...seen], []);
  });

  it('waits for the content of a file that was emptied before it is written', async () => {
    using directory = new DefinitionDirectory(baseSet);
    const path = join(directory.path, 'objects/slow.yml');
    writeFileSync(path, 'X::x: { attributes: {} }\n');
    const writer = new Worker(slowWriter, { eval: true, workerData: path });
    await new Promise((resolve) => writer.once('message', resolve));
    const reader = new SettledFileReader(10_000, Date.now);
    try {
      for (let i = 0; i < 20; i++) ok(readUnlessChanging(reader, path) !== '', `at reading ${i}`);
    } finally {
      await writer.terminate();
    }
  });

  it('reads a file that stays empty as empty', () => {
    using directory = new DefinitionDirectory({ 'x.yml': '' });
    const path = join(directory.path, 'x.yml');
    equal(new SettledFileReader(20, Date.now).read(path).length, 0);
    const ofYesterday = new SettledFileReader(600_000, () => Date.now() + 86_400_000);
    equal(ofYesterday.read(path).length, 0);
  });
});

/** The paths that a function of node:fs is called with from now on. */
function watchCalls(t: TestContext, name: 'lstatSync' | 'openSync'): () => string[] {
  const watched = t.mock.method(fs, name);
  // What imported the function by its name gets the watched one too.
  syncBuiltinESMExports();
  t.after(() => {
    watched.mock.restore();
    syncBuiltinESMExports();
  });
  return () => watched.mock.calls.map(({ arguments: [path] }) => String(path));
}

/** Writes a file as most programs do: first it is empty, then it is there. */
const slowWriter = `
  const { closeSync, openSync, writeSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  parentPort.postMessage('ready');
  for (;;) {
    const file = openSync(workerData, 'w');
    pause(10);
    writeSync(file, 'X::x: { attributes: {} }\\n');
    closeSync(file);
    pause(3);
  }
`;

/** Rewrites a file again and again, longer and shorter. */
const changingWriter = `
  const { writeFileSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const version = (n) => Array.from({ length: n }, (_, i) => 'X' + i + '::x:\\n  attributes:\\n    a: { oid: .1.3.6.1.' + i + ', name: x' + i + ', syntax: Integer }\\n').join('');
  const { renameSync } = require('node:fs');
  const write = (n) => { writeFileSync(workerData + '.new', version(n)); renameSync(workerData + '.new', workerData); };
  write(10);
  parentPort.postMessage('ready');
  for (let n = 0; ; n = (n + 37) % 200) write(n);
`;

function readUnlessChanging(reader: SettledFileReader, path: string): string | undefined {
  try {
    return reader.read(path).toString();
  } catch (error) {
    equal((error as { rule?: unknown }).rule, 'file-changing');
    return undefined;
  }
}

function rulesIn(directory: DefinitionDirectory): string[] {
  const { problems } = readDefinitions({ directories: [directory.path] });
  return problems.filter(({ level }) => level === 'error').map(({ file, rule }) => `${file} ${rule}`);
}
