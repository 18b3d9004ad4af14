import assert from 'node:assert/strict';
import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { describe, it } from 'node:test';
import { missingTool } from '../support/needs.ts';
import { modulePath, nodeOptions } from '../support/own-module.ts';

describe('a start on a busy host', () => {
  it('is not over because other processes have the processor', {
    skip: missingTool('taskset'),
  }, async (t) => {
    const script = modulePath(new URL('./support/slow-start-process.ts', import.meta.url));
    const child = fork(script, { execArgv: [...nodeOptions] });
    t.after(() => child.kill());
    await once(child, 'message');
    // One processor for the start and for eight loops.
    execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', '0', String(child.pid)]);
    for (let i = 0; i < 8; i++) {
      const loop = spawn('taskset', ['--cpu-list', '0', execPath, '--eval', 'for (;;);'], {
        stdio: 'ignore',
      });
      t.after(() => loop.kill('SIGKILL'));
    }
    const answer = once(child, 'message');
    child.send('start');
    const [{ outcome, tookMs }] = await answer;
    assert.equal(outcome, 'started');
    t.diagnostic(`The start took ${Math.round(tookMs)} ms by the clock.`);
  });
});
