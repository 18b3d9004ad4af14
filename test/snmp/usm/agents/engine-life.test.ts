import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManager, type Manager, type Session } from '../../../../src/snmp/index.ts';
import type { UserSettings } from '../../../../src/snmp/usm/user/user-settings.ts';
import { parseRecording, startReplayAgent } from '../../../../src/testing/index.ts';
import { missingTool } from '../../../support/needs.ts';
import { startSnmpd } from '../../../support/snmpd.ts';

const user: UserSettings = {
  name: 'operator',
  authProtocol: 'sha256',
  authPassphrase: 'maplesyrup-auth',
  privProtocol: 'aes',
  privPassphrase: 'maplesyrup-priv',
};
const account = ['createUser operator SHA-256 maplesyrup-auth AES maplesyrup-priv', 'rouser operator priv'];
const sysName = '1.3.6.1.2.1.1.5.0';
const engineBoots = '1.3.6.1.6.3.10.2.1.2.0';
const recording = parseRecording(`${sysName}|4|replayed\n`);

describe('a real snmpd', { skip: missingTool('snmpd') }, () => {
  it('is polled again after a restart, with one more packet', async () => {
    await using agent = await startSnmpd([...account, 'exactEngineID 0x80001f8804726573746172']);
    await withManager(async (manager) => {
      const session = openAt(manager, agent.port);
      assert.equal(await textAt(session, engineBoots), '1');
      await agent.restart();
      const { sent } = manager.counters();
      assert.equal(await textAt(session, engineBoots), '2');
      assert.equal(manager.counters().sent - sent, 2);
      assert.equal(await textAt(session, engineBoots), '2');
      assert.equal(manager.counters().sent - sent, 3);
      assert.deepEqual(manager.engineFindings(), []);
    });
  });

  it('is polled again after it lost its boots, and a finding reports it', async () => {
    const lines = [...account, 'exactEngineID 0x80001f8804666f72676574'];
    await using agent = await startSnmpd(lines);
    await withManager(async (manager) => {
      const session = openAt(manager, agent.port);
      await agent.restart();
      assert.equal(await textAt(session, engineBoots), '2');
      await agent.forget();
      await agent.restart();
      assert.equal(await textAt(session, engineBoots), '1');
      assert.deepEqual(codesOf(manager), ['engine-boots-decreased']);
    });
  });

  it('is polled again when it restarts with another engine ID', async () => {
    await using agent = await startSnmpd([...account, 'exactEngineID 0x80001f88046f6e65']);
    await withManager(async (manager) => {
      const session = openAt(manager, agent.port);
      assert.equal(await textAt(session, engineBoots), '1');
      await agent.forget();
      await agent.restart([...account, 'exactEngineID 0x80001f880474776f']);
      assert.equal(await textAt(session, engineBoots), '1');
      assert.deepEqual(codesOf(manager), []);
    });
  });

  it('needs no discovery after a restart of the manager', async () => {
    await using agent = await startSnmpd(account);
    let state = '';
    await withManager(async (manager) => {
      await textAt(openAt(manager, agent.port), engineBoots);
      state = JSON.stringify(manager.exportEngines());
    });
    await withManager(async (manager) => {
      manager.restoreEngines(JSON.parse(state));
      assert.equal(await textAt(openAt(manager, agent.port), engineBoots), '1');
      assert.equal(manager.counters().sent, 1);
    });
  });

  it('is kept apart from another with the same engine id, which is a finding', async () => {
    const lines = [...account, 'exactEngineID 0x80001f88047477696e'];
    await using older = await startSnmpd(lines);
    await older.restart();
    await using younger = await startSnmpd(lines);
    await withManager(async (manager) => {
      const sessions = [openAt(manager, older.port), openAt(manager, younger.port)];
      for (let round = 0; round < 5; round++) {
        assert.deepEqual(await Promise.all(sessions.map((session) => textAt(session, engineBoots))), [
          '2',
          '1',
        ]);
      }
      assert.equal(manager.counters().ignored.timeWindow, 0);
      assert.deepEqual(codesOf(manager), ['engine-id-shared']);
    });
  });
});

describe('an agent with boots stuck at zero', () => {
  it('is polled again after a restart, and a finding reports it', async () => {
    let nowMs = 1_000_000;
    await using agent = await startReplayAgent({
      recording,
      users: [user],
      clock: () => nowMs,
      knobs: { hasBootsStuckAtZero: true },
    });
    await withManager(async (manager) => {
      const session = openAt(manager, agent.port);
      assert.equal(await textAt(session, sysName), 'replayed');
      nowMs += 1_000_000;
      assert.equal(await textAt(session, sysName), 'replayed');
      agent.reboot();
      for (let round = 0; round < 3; round++) assert.equal(await textAt(session, sysName), 'replayed');
      assert.deepEqual(codesOf(manager), ['engine-boots-stuck']);
    });
  });
});

async function withManager(use: (manager: Manager) => Promise<void>): Promise<void> {
  const manager = createManager();
  try {
    await use(manager);
  } finally {
    manager.close();
  }
}

function openAt(manager: Manager, port: number): Session {
  return manager.open({ address: '127.0.0.1', port, version: '3', user, timeoutMs: 2000, retries: 0 });
}

async function textAt(session: Session, oid: string): Promise<string> {
  const [varbind] = await session.get([oid]);
  return String(varbind?.value);
}

function codesOf(manager: Manager): string[] {
  return manager.engineFindings().map((finding) => finding.code);
}
