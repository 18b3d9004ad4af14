import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { Journal } from '../../../src/storage/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { isLong } from '../../support/long-run.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const kills = isLong ? 30 : 1;
const journals = ['device-registry/devices', 'snmp-discovery/inventories', 'snmp-client/learned'];

async function startDevice(t: TestContext) {
  const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t);
  folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [switch]' }]);
  const state = temporaryFolder(t);
  return { folder, state };
}

function startChild(state: string, definitions: string): ChildProcess {
  const script = modulePath(new URL('./support/stateful-child.ts', import.meta.url));
  return fork(script, [state, definitions], { execArgv: [...nodeOptions] });
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function isWritten(state: string, journal: string): boolean {
  const path = join(state, `${journal}.journal`);
  return existsSync(path) && statSync(path).size > 0;
}

/** The contents of all journals in the state directory, read from a copy. At most the last line may be incomplete. */
function readState(t: TestContext, state: string): Map<string, unknown> {
  const copy = temporaryFolder(t);
  cpSync(state, copy, { recursive: true });
  const values = new Map<string, unknown>();
  for (const name of journals.filter((each) => existsSync(join(copy, `${each}.journal`)))) {
    const path = join(copy, `${name}.journal`);
    const { journal, content } = Journal.open(path, { groupMs: 0, onError: assert.ifError });
    journal.close();
    assert.ok(content.damagedLines <= 1, `${name} has ${content.damagedLines} damaged lines`);
    for (const [key, value] of content.values) values.set(`${name} ${key}`, value);
  }
  return values;
}

describe('a collector that is killed', () => {
  it('leaves a readable state at any moment, and continues from it', {
    timeout: 1_000_000,
  }, async (t) => {
    const { folder, state } = await startDevice(t);
    let before = 0;
    for (let turn = 0; turn < kills; turn++) {
      const child = startChild(state, folder.path);
      if (turn % 3 === 2) await sleep(200 + ((turn * 137) % 1500));
      else {
        await once(child, 'message');
        if (turn === 0) await until(() => journals.every((name) => isWritten(state, name)));
        await sleep(300 + ((turn * 71) % 400));
      }
      await kill(child);
      const values = readState(t, state);
      assert.ok(values.size >= before, 'no stored entry is lost');
      before = values.size;
    }
    assert.ok(before >= 2);
    const child = startChild(state, folder.path);
    const [{ known, runs }] = (await once(child, 'message')) as [{ known: string[]; runs: number }];
    await kill(child);
    assert.deepEqual([known, runs], [['sw'], 0], 'its inventory is known, and no discovery runs');
  });
});

const line = (entry: unknown) => {
  const json = JSON.stringify(entry);
  return `\n${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
};

const broken: Readonly<Record<string, string | Buffer>> = {
  'half a line': line(['127.0.0.1 161', { name: 'x', settings: { ip: '127.0.0.1' } }]).slice(0, 40),
  'zeros, as a power failure leaves them': Buffer.alloc(4096),
  'another file': '<html>\n<body>\nnot here\n',
  'whole lines of another meaning': [
    5,
    null,
    'text',
    { name: 5, settings: {} },
    { name: 'x', settings: { ip: 7 } },
    { version: 1, objects: [['a', { hash: 'h', instances: [7], overriding: {} }]], deviceGroups: [] },
    { version: 1, objects: [], deviceGroups: [null], address: 'x', credential: 0 },
  ]
    .map((value, i) => line([`127.0.0.1 ${i}`, value]) + line([`learned 127.0.0.1:${i}`, value]))
    .join(''),
};

describe('a start with a damaged state', () => {
  for (const [name, content] of Object.entries(broken)) {
    it(`continues without the damaged file, and keeps a copy of it: ${name}`, async (t) => {
      const { folder, state } = await startDevice(t);
      for (const journal of journals) {
        mkdirSync(dirname(join(state, journal)), { recursive: true });
        writeFileSync(join(state, `${journal}.journal`), content);
      }
      const { collector, discovered, poll } = await startPolling(t, folder, { stateDirectory: state });
      await discovered();
      assert.equal((await poll('sw')).length, 2);
      await collector.stop();
      const isTorn = !name.startsWith('whole');
      for (const journal of journals) {
        const files = readdirSync(dirname(join(state, journal)));
        assert.equal(
          files.some((file) => file.endsWith('.damaged')),
          isTorn,
          journal,
        );
      }
      if (isTorn) assert.ok(collector.logLines.some((logged) => /are damaged/.test(JSON.stringify(logged))));
      const values = readState(t, state);
      assert.ok([...values.keys()].some((key) => key.startsWith('snmp-discovery/inventories 127.0.0.1 ')));
    });
  }
});
