import assert from 'node:assert/strict';
import { env } from 'node:process';
import { describe, it } from 'node:test';
import type { ClientSession } from '../../../plugins/snmp-client/service.ts';
import { CurrentSession } from '../../../plugins/snmp-poller/device/current-session.ts';
import type { Target } from '../../../src/snmp/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const target: Target = { address: '127.0.0.1', version: '2c', community: 'a' };

/** A device's current session, and the openings and closings of all its sessions. */
function build() {
  const heard: string[] = [];
  const sessions = new CurrentSession(async (asked) => {
    const name = asked.version === '3' ? asked.user.name : `${asked.community} ${asked.timeoutMs}`;
    if (name.startsWith('broken')) throw new Error('It cannot be opened.');
    heard.push(`open ${name}`);
    return { name, close: () => void heard.push(`close ${name}`) } as ClientSession;
  });
  return { heard, sessions };
}

describe('the sessions of a polled device', () => {
  it('are replaced when the target changes, and polls under way end in their own session', async () => {
    const { heard, sessions } = build();
    let failPoll = () => {};
    const poll = new Promise<void>((_, reject) => {
      failPoll = () => reject(new Error('The poll failed.'));
    });
    sessions.use({ ...target, timeoutMs: 1 }, []);
    await sessions.get();
    sessions.use({ ...target, timeoutMs: 1 }, [poll]);
    assert.equal(await sessions.get(), await sessions.get());
    sessions.use({ ...target, timeoutMs: 2 }, [poll]);
    await sessions.get();
    assert.deepEqual(heard, ['open a 1', 'open a 2']);
    failPoll();
    await new Promise(setImmediate);
    assert.deepEqual(heard, ['open a 1', 'open a 2', 'close a 1']);
  });

  it('are all closed by cut, including sessions that polls under way still use', async () => {
    const { heard, sessions } = build();
    sessions.use({ ...target, timeoutMs: 1 }, []);
    await sessions.get();
    sessions.use({ ...target, timeoutMs: 2 }, [new Promise(() => {})]);
    await sessions.get();
    sessions.cut();
    await new Promise(setImmediate);
    assert.deepEqual(heard.toSorted(), ['close a 1', 'close a 2', 'open a 1', 'open a 2']);
  });

  it('are opened again after one failed to open', async () => {
    const { heard, sessions } = build();
    sessions.use({ ...target, community: 'broken' }, []);
    await assert.rejects(sessions.get());
    sessions.retire([]);
    sessions.use({ ...target, timeoutMs: 1 }, []);
    await sessions.get();
    sessions.cut();
    await new Promise(setImmediate);
    assert.deepEqual(heard, ['open a 1', 'close a 1']);
  });
});

describe('a new list of credentials', () => {
  it('keeps the credential that answered in use until the next discovery has run', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t);
    const put = (communities: string) =>
      folder.write(
        'devices/sw.yml',
        `sw: { ip: 127.0.0.1, port: ${agent.port}, version: 2c, communities: [${communities}], timeout: 200, retries: 0, device_groups: [plain] }\n`,
      );
    put('public');
    const stack = await startPolling(t, folder, { discovery: { starts_per_second: 0.1 } });
    await stack.discovered();
    assert.equal((await stack.poll('sw')).length, 1);
    put('next, other, public');
    await stack.definitions.apply({ requestedBy: 'test' });
    assert.equal((await stack.poll('sw')).length, 1);
    assert.equal(agent.counters.refused.community, 0);
    assert.equal(stack.discovery.runs[0]?.state, 'waiting');
    put('next, other');
    await stack.definitions.apply({ requestedBy: 'test' });
    assert.equal(
      (await stack.poll('sw')).length,
      0,
      'credentials that are no longer configured are not used',
    );
  });
});

describe('a rotated secret', () => {
  it('is used for a silent device, although no definition changed', async (t) => {
    env['WAYWISER_TEST_ROTATED'] = 'public';
    const recording = 'test/recordings/switch.snmprec';
    const before = await startReplayAgent({ recording });
    const { port } = before;
    const folder = new DefinitionFolder(t);
    folder.write(
      'devices/sw.yml',
      `sw: { ip: 127.0.0.1, port: ${port}, version: 2c, communities: ["\${env:WAYWISER_TEST_ROTATED}"], timeout: 100, retries: 0, device_groups: [plain], poll_interval: 1 }\n`,
    );
    const stack = await startPolling(t, folder);
    await stack.next('poll.completed');
    await before.close();
    await using _after = await startReplayAgent({ recording, port, community: 'rotated' });
    env['WAYWISER_TEST_ROTATED'] = 'rotated';
    await stack.next('poll.failed');
    await stack.next('poll.completed');
  });
});
