import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import snmpClient from '../../../plugins/snmp-client/index.ts';
import { SavedState } from '../../../plugins/snmp-client/saved-state.ts';
import { snmpClientToken } from '../../../plugins/snmp-client/service.ts';
import { SharedClient } from '../../../plugins/snmp-client/shared-client.ts';
import { createManager } from '../../../src/snmp/index.ts';
import { Journal } from '../../../src/storage/index.ts';
import {
  checkPlugin,
  parseRecording,
  startReplayAgent,
  startTestCollector,
} from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const lines = Array.from({ length: 200 }, (_, i) => `1.3.6.1.2.1.2.2.1.1.${i + 1}|2|${i}`);
const recording = parseRecording(['1.3.6.1.2.1.1.5.0|4|core', ...lines].join('\n'));
const user = {
  name: 'alice',
  authProtocol: 'sha256',
  authPassphrase: 'maplesyrup',
  privProtocol: 'aes',
  privPassphrase: 'maplesyrup',
} as const;
const name = '1.3.6.1.2.1.1.5.0';

const failLoudly = (error: unknown) => assert.fail(String(error));

describe('snmp-client', () => {
  it('fulfills the contract of a plugin', () => checkPlugin(snmpClient, {}));

  it('opens sessions of both engines; only the built-in engine has `poll`', async () => {
    await using agent = await startReplayAgent({ recording });
    const collector = await startTestCollector({ plugins: [{ plugin: snmpClient }] });
    try {
      const client = collector.getService(snmpClientToken);
      const target = { address: '127.0.0.1', port: agent.port, version: '2c', community: 'public' } as const;
      const [ours, theirs] = [await client.open(target), await client.open(target, 'net-snmp')];
      for (const session of [ours, theirs])
        assert.equal(String((await session.get([name]))[0]?.value), 'core');
      assert.equal(typeof ours.poll, 'function');
      assert.equal(theirs.poll, undefined);
      assert.equal(client.counters().accepted, 1);
      await assert.rejects(client.open({ ...target, address: 'switch.example' }), {
        code: 'SNMP_BAD_TARGET',
      });
    } finally {
      await collector.stop();
    }
  });

  it('returns the learned limits of a device, also after a restart', async (t) => {
    await using agent = await startReplayAgent({ recording, knobs: { maxReplyBytes: 600 } });
    const stateDirectory = temporaryFolder(t);
    const live = () => startTestCollector({ plugins: [{ plugin: snmpClient }], stateDirectory });
    const subject = { address: '127.0.0.1', port: agent.port };
    const first = await live();
    t.after(() => first.stop());
    const client = first.getService(snmpClientToken);
    assert.equal(client.findLearned(subject), undefined);
    const session = await client.open({ ...subject, version: '2c', community: 'public' });
    const answer = await session.get(Array.from({ length: 60 }, (_, i) => `1.3.6.1.2.1.2.2.1.1.${i + 1}`));
    assert.equal(answer.length, 60);
    const learned = client.findLearned(subject)!;
    assert.ok(learned.srttMs! > 0 && learned.maxOids! < 60 && learned.window! >= 1);
    assert.equal(client.findLearned({ ...subject, context: 'other' }), undefined);
    await first.stop();
    const second = await live();
    t.after(() => second.stop());
    assert.deepEqual(second.getService(snmpClientToken).findLearned(subject), {
      ...learned,
      window: undefined,
    });
  });

  it('uses the learned limits after a restart: no discovery, the same sizes', async (t) => {
    await using agent = await startReplayAgent({ recording, users: [user] });
    const folder = temporaryFolder(t);
    const live = async () => {
      const opened = Journal.open(join(folder, 'learned.journal'), { groupMs: 10, onError: failLoudly });
      const manager = createManager();
      const client = new SharedClient(
        manager,
        new SavedState(opened.journal, opened.content.values),
        'waywiser',
      );
      const session = await client.open({ address: '127.0.0.1', port: agent.port, version: '3', user });
      const learned = session.poll === undefined ? undefined : session.exportLearned().tables.length;
      for await (const _ of session.walk('1.3.6.1.2.1.2.2.1.1')) {
      }
      const { sent } = client.counters();
      await client.close();
      opened.journal.close();
      return { learned, sent };
    };
    const first = await live();
    const second = await live();
    assert.deepEqual([first.learned, second.learned], [0, 1]);
    assert.ok(second.sent < first.sent, 'no discovery, and larger requests immediately');
  });

  it('saves what one of several sessions to a device learns, not alternately', async (t) => {
    await using agent = await startReplayAgent({ recording });
    const folder = temporaryFolder(t);
    const path = join(folder, 'learned.journal');
    const { journal, content } = Journal.open(path, { groupMs: 10, onError: failLoudly });
    const client = new SharedClient(createManager(), new SavedState(journal, content.values), 'waywiser');
    try {
      const target = { address: '127.0.0.1', port: agent.port, version: '2c', community: 'public' } as const;
      const sessions = [await client.open(target), await client.open(target)];
      for (const column of ['1.3.6.1.2.1.2.2.1.1', '1.3.6.1.2.1.31.1.1.1.1']) {
        for (const session of sessions) for await (const _ of session.walk(column));
      }
      client.saveNext(1);
      const lines = () =>
        readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => line.includes('learned'));
      journal.flush();
      assert.equal(lines().length, 1);
      sessions[0]!.close();
      client.saveNext(1);
      journal.flush();
      assert.ok(lines().length <= 2);
      assert.notEqual(lines().length, 0);
    } finally {
      await client.close();
      journal.close();
    }
  });

  it('saves nothing of an address that never answered', async () => {
    await using agent = await startReplayAgent({ recording, community: 'other' });
    const kept: string[] = [];
    const journal = {
      set: (key: string) => kept.push(key),
      compactIfWasteful: () => {},
    } as unknown as Journal;
    const client = new SharedClient(createManager(), new SavedState(journal, new Map()), 'waywiser');
    const target = {
      address: '127.0.0.1',
      port: agent.port,
      version: '2c',
      timeoutMs: 20,
      retries: 0,
    } as const;
    const session = await client.open({ ...target, community: 'wrong' });
    await assert.rejects(session.get([name]), { code: 'SNMP_TIMEOUT' });
    session.close();
    assert.deepEqual(kept, []);
    assert.equal(client.findLearned({ address: '127.0.0.1', port: agent.port }), undefined);
    await client.close();
  });

  it('forgets a removed device, also on disk, even if its last session receives replies', async () => {
    await using agent = await startReplayAgent({ recording, users: [user] });
    const kept = new Map<string, unknown>();
    const journal: Pick<Journal, 'set' | 'delete' | 'compactIfWasteful'> = {
      set: (key, value) => void kept.set(key, value),
      delete: (key) => void kept.delete(key),
      compactIfWasteful: () => {},
    };
    const client = new SharedClient(
      createManager(),
      new SavedState(journal as Journal, new Map()),
      'waywiser',
    );
    const subject = { address: '127.0.0.1', port: agent.port };
    const open = (context?: string) => client.open({ ...subject, version: '3', user, context });
    const sessions = [await open(), await open('blue')];
    for (const session of sessions) for await (const _ of session.walk('1.3.6.1.2.1.2.2.1.1'));
    client.saveNext(1);
    const target = `127.0.0.1:${agent.port}`;
    assert.deepEqual(
      [...kept.keys()].sort(),
      [`engine ${target}`, `learned ${target}`, `learned ${target} blue`].sort(),
    );
    client.forget(subject.address, subject.port);
    assert.deepEqual([...kept.keys()], []);
    for (const session of sessions) {
      await session.get([name]);
      client.saveNext(1);
      session.close();
    }
    assert.deepEqual([...kept.keys()], []);
    assert.equal(client.findLearned(subject), undefined);
    const again = await open();
    await again.get([name]);
    client.saveNext(1);
    assert.deepEqual([...kept.keys()].sort(), [`engine ${target}`, `learned ${target}`]);
    client.forget(subject.address, subject.port);
    await client.close();
    assert.deepEqual([...kept.keys()], []);
  });

  it('starts with any content of its state file', (t) => {
    const folder = temporaryFolder(t);
    const path = join(folder, 'learned.journal');
    const { journal } = Journal.open(path, { groupMs: 10, onError: failLoudly });
    for (const [key, value] of [
      ['learned 127.0.0.1:161', { tables: 'x' }],
      ['learned 127.0.0.2:161', 5],
      ['engine 127.0.0.1:161', { address: 1 }],
      ['other', null],
    ] as const) {
      journal.set(key, value);
    }
    journal.close();
    const again = Journal.open(path, { groupMs: 10, onError: failLoudly });
    const kept = new SavedState(again.journal, again.content.values);
    assert.deepEqual(kept.engines, []);
    const manager = createManager();
    const session = manager.open({ address: '127.0.0.1', version: '2c', community: 'public' });
    session.restoreLearned(kept.findLearned('127.0.0.1:161'));
    session.restoreLearned(kept.findLearned('127.0.0.2:161'));
    assert.deepEqual(session.exportLearned().tables, []);
    manager.close();
    again.journal.close();
  });
});
