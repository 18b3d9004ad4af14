import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { missingSetpriv, withoutRootRights } from '../../support/without-root-rights.ts';
import { CollectorProcess } from '../support/collector-process.ts';
import { type CommandResult, CommandRunner } from '../support/command-runner.ts';

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

/** `locked` is a file without permissions, `closed` a directory without; the configurations name them. AGENT answers. */
const refused = [
  'start --config locked',
  'start --config outputs.yml',
  'check --config outputs.yml',
  'check --config tls.yml',
  'check closed/definitions',
  'init AGENT -v 2c -c public --into closed/new',
  'record AGENT closed/new.snmprec 1.3.6.1.2.1.1',
  'output read locked',
  'ctl status --token-file locked',
];
const refusing = {
  'outputs.yml': `state_directory: ./state
plugins:
  definitions-loader: { shipped: false }
  ndjson: { file: ./closed/all.ndjson }
  batch-files: { directory: ./closed/batches }
  influx: { url: 'https://127.0.0.1:9', database: a, tls: { ca: ./locked } }
`,
  'tls.yml': `state_directory: ./closed/state
plugins:
  definitions-loader: { shipped: false }
  http-api: { port: 0, tls: { certificate: ./locked, key: ./locked } }
`,
};

/** `start` ends its process, so it has one of its own. */
async function run(
  command: string,
  runner: CommandRunner,
  collector: CollectorProcess,
  launcher: readonly string[] = [],
): Promise<CommandResult> {
  const words = command.split(' ');
  if (words[0] !== 'start') return runner.run(words, { folder: collector.folder });
  collector.run(words, {}, '', launcher);
  const code = await collector.exit;
  return { code, stdout: collector.stdout, stderr: collector.stderr };
}

function assertExplained(command: string, { code, stdout, stderr }: CommandResult): void {
  assert.ok(code === 1 || code === 2, `${command}: ${code} ${stderr}`);
  const text = `${stdout}${stderr}`;
  assert.match(text, /error: .+\[[A-Z_]{6,}\]|[a-z-]+ {2}|error {2}/, command);
  assert.doesNotMatch(text, /\bE[A-Z]{4,}\b(?!_)|^ +at /m, `${command}: ${text}`);
}

describe('a path that cannot be used', { concurrency: 2 }, () => {
  it('is an error with a code and a reason, never the text of the system or a stack', async (t) => {
    const runner = new CommandRunner();
    t.after(() => runner.close());
    for (const command of commands) {
      const collector = new CollectorProcess(t);
      collector.write('file', '');
      collector.write('file-state.yml', 'state_directory: ./file\n');
      mkdirSync(join(collector.folder, 'folder'));
      symlinkSync('loop', join(collector.folder, 'loop'));
      assertExplained(command, await run(command, runner, collector));
    }
  });

  it('is explained when the user lacks the permission', { skip: missingSetpriv }, async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const runner = new CommandRunner(withoutRootRights);
    t.after(() => runner.close());
    for (const command of refused) {
      const collector = new CollectorProcess(t);
      for (const [name, text] of Object.entries(refusing)) collector.write(name, text);
      collector.write('locked', '');
      mkdirSync(join(collector.folder, 'closed/definitions'), { recursive: true });
      for (const path of ['locked', 'closed']) chmodSync(join(collector.folder, path), 0);
      const line = command.replace('AGENT', `127.0.0.1:${agent.port}`);
      const result = await run(line, runner, collector, withoutRootRights);
      chmodSync(join(collector.folder, 'closed'), 0o700);
      assertExplained(command, result);
      assert.match(`${result.stdout}${result.stderr}`, /permission is denied/, command);
    }
  });
});
