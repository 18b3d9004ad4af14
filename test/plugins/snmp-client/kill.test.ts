import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';

const recording = parseRecording('1.3.6.1.2.1.1.5.0|4|core');
const user = {
  name: 'alice',
  authProtocol: 'sha256',
  authPassphrase: 'maplesyrup',
  privProtocol: 'aes',
  privPassphrase: 'maplesyrup',
} as const;

async function startClient(folder: string, port: number) {
  const path = modulePath(new URL('./client-child.ts', import.meta.url));
  const child = fork(path, [folder, String(port), JSON.stringify(user)], { execArgv: [...nodeOptions] });
  const exited = once(child, 'exit');
  await Promise.race([
    once(child, 'message'),
    exited.then(() => assert.fail('the client ended before it had asked')),
  ]);
  return {
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

describe('learned device limits', () => {
  it('survive SIGKILL without a new discovery, and are written only when they change', async () => {
    await using agent = await startReplayAgent({ recording, users: [user] });
    const folder = mkdtempSync(join(tmpdir(), 'waywiser-'));
    const path = join(folder, 'learned.journal');
    try {
      const first = await startClient(folder, agent.port);
      assert.equal(agent.counters.replies, 2, 'a Report of its engine id, and the answer');
      while (!/"engine .*"learned |"learned .*"engine /s.test(readFileSync(path, 'latin1'))) await sleep(10);
      const { size } = statSync(path);
      await sleep(200);
      assert.equal(statSync(path).size, size, 'ten turns later');
      await first.kill();
      const second = await startClient(folder, agent.port);
      await second.kill();
      assert.equal(agent.counters.replies, 3, 'the answer alone: no Report');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
