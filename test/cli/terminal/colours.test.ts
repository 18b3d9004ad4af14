import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CollectorProcess } from '../support/collector-process.ts';

describe('the colours of a command', () => {
  for (const [title, env, isColoured] of [
    ['are not in a pipe, also in CI', { CI: '1', NO_COLOR: '', FORCE_COLOR: '' }, false],
    ['are in a pipe when they are forced', { NO_COLOR: '', FORCE_COLOR: '1' }, true],
    ['are left out for NO_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ] as const) {
    it(title, async (t) => {
      const command = new CollectorProcess(t);
      command.run(['plugins'], env);
      assert.equal(await command.exit, 0, command.stderr);
      assert.equal(command.stdout.includes('\u001b['), isColoured);
    });
  }
});
