import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type LockSettings, lockDirectory } from '../../src/storage/directory-lock.ts';
import { identifyThisProcess, type ProcessIdentity } from '../../src/storage/process-identity.ts';
import { modulePath, nodeOptions } from '../support/own-module.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const childPath = modulePath(new URL('./support/lock-child.ts', import.meta.url));
const here = identifyThisProcess();
/** As in another container: the same pid and host name, and process numbers that mean something else. */
const elsewhere = { ...here, scope: 'another scope' };
const onLinux = { skip: platform() === 'linux' ? false : 'start times are read from /proc' };

const settings = (given: Partial<LockSettings> = {}): LockSettings => ({
  onLost() {},
  onWatch() {},
  signal: new AbortController().signal,
  watchMs: 200,
  ...given,
});

async function lock(t: TestContext, directory: string, given?: Partial<LockSettings>) {
  const held = await lockDirectory(directory, settings(given));
  t.after(() => held.release());
  return held;
}

/** A lock as a process leaves it that was killed. */
function leaveLock(directory: string, holder: ProcessIdentity): void {
  mkdirSync(join(directory, 'lock'), { recursive: true });
  writeFileSync(join(directory, 'lock', '000001'), JSON.stringify({ holder, beats: 3 }));
}

async function startChild(t: TestContext): Promise<ChildProcess> {
  const child = fork(childPath, { execArgv: [...nodeOptions] });
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

async function tryLock(child: ChildProcess, directory: string): Promise<string> {
  const answer = once(child, 'message');
  child.send(directory);
  return (await answer)[0];
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('the lock of a directory', () => {
  it('is refused to a second collector in the same process, which names the holder', async (t) => {
    const directory = temporaryFolder(t);
    await lock(t, directory);
    await assert.rejects(lockDirectory(directory, settings()), (error: Error & { code: string }) => {
      assert.equal(error.code, 'DIRECTORY_IN_USE');
      const holder = `process ${process.pid} on ${here.host}, started at ${here.startedAt}`;
      return error.message.includes(directory) && error.message.includes(holder);
    });
  });

  it('is free after its release, and leaves one file', async (t) => {
    const directory = temporaryFolder(t);
    for (let round = 0; round < 3; round++) (await lockDirectory(directory, settings())).release();
    await lock(t, directory);
    assert.equal(readdirSync(join(directory, 'lock')).length, 1);
  });

  it('goes to exactly one of several processes that start at the same moment', async (t) => {
    const parent = temporaryFolder(t);
    const killed = await startChild(t);
    await tryLock(killed, join(parent, 'dead'));
    await kill(killed);
    const children = await Promise.all(Array.from({ length: 4 }, () => startChild(t)));
    for (let round = 0; round < 30; round++) {
      const directory = join(parent, String(round));
      if (round % 3 === 1) cpSync(join(parent, 'dead'), directory, { recursive: true });
      if (round % 3 === 2) (await lockDirectory(directory, settings())).release();
      const outcomes = await Promise.all(children.map((child) => tryLock(child, directory)));
      assert.deepEqual(
        outcomes.toSorted(),
        ['DIRECTORY_IN_USE', 'DIRECTORY_IN_USE', 'DIRECTORY_IN_USE', 'locked'],
        `round ${round}`,
      );
    }
  });

  it('of a killed process is taken over immediately', async (t) => {
    const directory = temporaryFolder(t);
    const child = await startChild(t);
    await tryLock(child, directory);
    await kill(child);
    await lock(t, directory);
  });

  it('of a process that has ended and waits for its parent is taken over immediately', onLinux, async (t) => {
    const directory = temporaryFolder(t);
    // The child ends when its parent has become `sleep`, which never asks for the end of a child.
    const child = 'until grep -q sleep /proc/$PPID/comm; do :; done';
    const shell = spawn('sh', ['-c', `sh -c '${child}' & echo $!; exec sleep 600`]);
    t.after(() => shell.kill('SIGKILL'));
    const pid = Number(String((await once(shell.stdout, 'data'))[0]));
    const statOf = () => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
    await until(() => statOf()[0] === 'Z');
    leaveLock(directory, { ...here, pid, startTicks: statOf()[19] });
    await lock(t, directory, { onWatch: () => assert.fail('it was watched') });
  });

  it('of a process whose number another program has now is taken over immediately', onLinux, async (t) => {
    const directory = temporaryFolder(t);
    leaveLock(directory, { ...here, startTicks: '1' });
    await lock(t, directory, { onWatch: () => assert.fail('it was watched') });
  });

  it('of another host or container is refused while its holder gives signs of life', async (t) => {
    const directory = temporaryFolder(t);
    await lock(t, directory, { own: elsewhere, beatEveryMs: 10 });
    await assert.rejects(lockDirectory(directory, settings({ watchMs: 60_000 })), {
      code: 'DIRECTORY_IN_USE',
    });
  });

  it('of another host or container is taken over when its holder gives no sign of life', async (t) => {
    const directory = temporaryFolder(t);
    leaveLock(directory, elsewhere);
    const watched: string[] = [];
    await lock(t, directory, { onWatch: (holder) => void watched.push(holder) });
    assert.equal(watched.length, 1);
    assert.match(watched[0]!, new RegExp(`process ${here.pid} on `));
  });

  it('is taken over when its file is empty or damaged and stays so', async (t) => {
    for (const text of ['', '{"holder":{"pi', '[]']) {
      const directory = temporaryFolder(t);
      leaveLock(directory, elsewhere);
      writeFileSync(join(directory, 'lock', '000001'), text);
      await lock(t, directory);
    }
  });

  it('ends a watch when the stop is requested', async (t) => {
    const directory = temporaryFolder(t);
    leaveLock(directory, elsewhere);
    const stopping = new AbortController();
    const onWatch = () => stopping.abort();
    const watch = lockDirectory(directory, settings({ watchMs: 600_000, onWatch, signal: stopping.signal }));
    await assert.rejects(watch, { name: 'AbortError' });
  });

  it('tells a holder that was suspended that it has lost the directory', async (t) => {
    const directory = temporaryFolder(t);
    const lost: string[] = [];
    const onLost = (error: Error & { code: string }) => void lost.push(`${error.code} ${error.message}`);
    t.mock.timers.enable({ apis: ['setInterval'] });
    await lock(t, directory, { own: elsewhere, onLost });
    await lock(t, directory, { own: { ...here, pid: 4711 } });
    t.mock.timers.tick(20_000);
    assert.equal(lost.length, 1);
    assert.match(lost[0]!, /^DIRECTORY_TAKEN_OVER .*process 4711 on /);
  });

  it('comes back when somebody removes the directory', async (t) => {
    const directory = temporaryFolder(t);
    await lock(t, directory, { beatEveryMs: 10 });
    rmSync(directory, { recursive: true });
    await until(() => existsSync(join(directory, 'lock', '000001')));
    await assert.rejects(lockDirectory(directory, settings()), { code: 'DIRECTORY_IN_USE' });
  });

  it('names the directory that cannot have one', async (t) => {
    const file = join(temporaryFolder(t), 'file');
    writeFileSync(file, '');
    await assert.rejects(lockDirectory(file, settings()), {
      code: 'DIRECTORY_NOT_LOCKED',
      message: /a part of its path is not a directory/,
    });
  });
});
