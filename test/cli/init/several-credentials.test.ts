import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { runCommand } from '../../../cli/program.ts';
import { splitCandidates } from '../../../cli/snmp/options/candidates.ts';
import { readDefinitions } from '../../../plugins/definitions-loader/commands.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { printed } from '../support/printed.ts';

const quick = ['-t', '0.3', '-r', '0', '--rate', '1000'];
const recording = 'test/recordings/router.snmprec';
const anna = { name: 'anna', authProtocol: 'sha256', authPassphrase: 'correct horse' } as const;
const bert = { ...anna, name: 'bert', authPassphrase: 'battery staple' };
const words = {
  anna: ['-u', 'anna', '-a', 'SHA-256', '-A', anna.authPassphrase],
  bert: ['-u', 'bert', '-a', 'SHA-256', '-A', bert.authPassphrase],
};

function init(t: TestContext, into: string, ...rest: string[]): Promise<string> {
  return printed(t, async () =>
    assert.equal(await runCommand(['init', ...quick, '--into', into, ...rest]), 0),
  );
}

describe('waywiser init with several credentials', () => {
  it('tries communities in order and writes those that a device answers', async (t) => {
    await using first = await startReplayAgent({ recording, community: 'lab' });
    const { port } = first;
    await using _second = await startReplayAgent({ recording, address: '127.0.0.3', port, community: 'old' });
    const into = join(temporaryFolder(t), 'new');
    const typed = ['-c', 'unused', '--community', 'old', '-c', 'lab'];
    const report = await init(t, into, ...typed, `127.0.0.1-3:${port}`);
    assert.match(report, /Left out, because no device needs it: community 1\./);
    assert.doesNotMatch(report, /unused|\blab\b/);

    const secrets = join(into, 'secrets');
    assert.equal(readFileSync(join(secrets, 'community'), 'utf8'), 'old');
    assert.equal(readFileSync(join(secrets, 'community-2'), 'utf8'), 'lab');
    assert.ok(!existsSync(join(secrets, 'community-3')));
    const defaults = readFileSync(join(into, 'definitions/defaults/device.yml'), 'utf8');
    assert.match(defaults, /communities: \["\$\{file:community\}", "\$\{file:community-2\}"\]/);
    const { problems, devices } = readDefinitions(
      { directories: ['definitions', join(into, 'definitions')] },
      secrets,
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      [...devices.values()].map(({ settings }) => settings.ip),
      ['127.0.0.1', '127.0.0.3'],
    );
  });

  it('tries users and communities in one run', async (t) => {
    await using first = await startReplayAgent({ recording, community: 'lab' });
    const { port } = first;
    await using _second = await startReplayAgent({ recording, address: '127.0.0.3', port, users: [bert] });
    const into = join(temporaryFolder(t), 'new');
    const report = await init(t, into, ...words.anna, ...words.bert, '-c', 'lab', `127.0.0.1-3:${port}`);
    assert.match(report, /no device needs it: user anna\./);
    const secrets = join(into, 'secrets');
    assert.equal(readFileSync(join(secrets, 'authentication'), 'utf8'), bert.authPassphrase);
    const { problems, devices } = readDefinitions(
      { directories: ['definitions', join(into, 'definitions')] },
      secrets,
    );
    assert.deepEqual(problems, []);
    const versions = [...devices.values()].map(({ settings }) => [settings.ip, settings.version]);
    assert.deepEqual(versions, [
      ['127.0.0.1', '2c'],
      ['127.0.0.3', '3'],
    ]);
    const [, { settings } = assert.fail()] = [...devices.values()];
    assert.deepEqual(
      settings.v3_credentials?.map(({ username }) => username),
      ['bert'],
    );
  });

  it('gives the letters after each -u to that user', () => {
    assert.deepEqual(
      splitCandidates(
        [
          ['a', 'SHA'],
          ['u', 'anna'],
          ['A', 'x'],
          ['c', 'lab'],
          ['u', 'bert'],
          ['X', 'y'],
        ],
        { n: 'vrf' },
      ),
      [{ a: 'SHA', u: 'anna', A: 'x', n: 'vrf' }, { c: 'lab' }, { u: 'bert', X: 'y', n: 'vrf' }],
    );
    assert.deepEqual(
      splitCandidates(
        [
          ['c', 'lab'],
          ['u', 'anna'],
        ],
        { v: '1' },
      ),
      [{ c: 'lab', v: '1' }],
    );
    assert.deepEqual(
      splitCandidates(
        [
          ['c', 'lab'],
          ['u', 'anna'],
        ],
        { v: '3' },
      ),
      [{ u: 'anna', v: '3' }],
    );
    assert.deepEqual(
      splitCandidates(
        [
          ['c', 'lab'],
          ['A', 'x'],
        ],
        {},
      ),
      [{ c: 'lab' }, { A: 'x' }],
    );
    assert.deepEqual(splitCandidates([], {}), [{}]);
  });
});
