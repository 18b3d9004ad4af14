import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CollectorProcess } from '../support/collector-process.ts';

/** `file` is a file, `folder` a directory, `loop` a link to itself. The configuration file-state.yml has `file` as state directory. */
const commands = [
  'start --config folder',
  'start --config loop',
  'start --config file/below',
  'start --config file-state.yml',
  'new output file',
  'new output file/below',
  'new output loop',
  'check file',
  'check loop',
  'show object X::y -d loop',
  'diff file loop',
  'token new ops --role read --config file-state.yml',
  'ctl status --token-file folder',
  'output read file/below',
];

describe('a path that cannot be used', { concurrency: 2 }, () => {
  it('is an error with a code and a reason, never the text of the system or a stack', async (t) => {
    for (const command of commands) {
      const collector = new CollectorProcess(t);
      collector.write('file', '');
      collector.write('file-state.yml', 'state_directory: ./file\n');
      mkdirSync(join(collector.folder, 'folder'));
      symlinkSync('loop', join(collector.folder, 'loop'));
      collector.run(command.split(' '));
      const code = await collector.exit;
      assert.ok(code === 1 || code === 2, `${command}: ${code}`);
      assert.match(collector.stderr, /error: .+\[[A-Z_]{6,}\]|[a-z-]+ {2}/, command);
      assert.doesNotMatch(collector.stderr, /\bE[A-Z]{4,}\b(?!_)|^ +at /m, `${command}: ${collector.stderr}`);
    }
  });
});
