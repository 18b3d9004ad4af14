import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type NetworkCredential, probeAddress } from '../../../plugins/network-discovery/probe-address.ts';
import { createManager, type Target } from '../../../src/snmp/index.ts';
import { parseRecording, type ReplayAgentOptions, startReplayAgent } from '../../../src/testing/index.ts';
import { SendPace } from '../../../src/timing/pace.ts';

const recording = parseRecording('1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.99999.1\n1.3.6.1.2.1.1.5.0|4|core\n');
const user = { name: 'reader', authProtocol: 'sha256', authPassphrase: 'correct horse' } as const;

/** An agent and a probe of it; `elapsedMs` is how long the pace would have held packets back. */
async function open(test: TestContext, options: Partial<ReplayAgentOptions>, retries = 0) {
  const agent = await startReplayAgent({ recording, ...options });
  const manager = createManager();
  test.after(async () => {
    manager.close();
    await agent.close();
  });
  const abort = new AbortController();
  let nowMs = 0;
  const pace = new SendPace(1000, {
    now: () => nowMs,
    wait: async (ms) => {
      nowMs += ms;
    },
  });
  const probe = (...targets: readonly Partial<Target>[]) => {
    const credentials = targets.map((target, position) => ({
      network: 'office',
      position,
      target: { address: '0.0.0.0', timeoutMs: 300, ...target } as Target,
    })) satisfies NetworkCredential[];
    const candidate = { ip: agent.address, port: agent.port, networks: ['office'] };
    return probeAddress(candidate, credentials, {
      pace,
      retries,
      signal: abort.signal,
      isWanted: () => true,
      open: async (target) => manager.open(target),
    });
  };
  return { agent, probe, abort, elapsedMs: () => nowMs };
}

describe('probing an address', { concurrency: 4 }, () => {
  it('tries one credential after the other until one is answered', async (t) => {
    const { agent, probe, elapsedMs } = await open(t, { community: 'second' });
    const result = await probe(
      { version: '2c', community: 'first' },
      { version: '2c', community: 'second' },
      { version: '2c', community: 'third' },
    );
    assert.ok(result.answered);
    assert.deepEqual(
      [result.credential.position, result.identity.name, result.identity.sysObjectId],
      [1, 'core', '1.3.6.1.4.1.99999.1'],
    );
    assert.equal(agent.counters.requests, 2);
    assert.ok(elapsedMs() < 2000, 'two packets');
  });

  it('finds an SNMPv1 agent that lacks some of the requested objects', async (t) => {
    const { probe } = await open(t, {});
    const result = await probe({ version: '1', community: 'public' });
    assert.ok(result.answered && result.identity.name === 'core');
  });

  it('reports an SNMPv3 agent that accepts none of the users, and counts the packets of each attempt', async (t) => {
    const { probe, elapsedMs } = await open(t, { users: [user] }, 3);
    const wrong = { ...user, authPassphrase: 'wrong horse' };
    const result = await probe({ version: '3', user: wrong }, { version: '3', user: { name: 'nobody' } });
    assert.deepEqual(result, { answered: false, refused: true, asked: true });
    assert.ok(elapsedMs() > 1900, 'the second try waits for two packets of the first');
    assert.ok((await probe({ version: '3', user })).answered);
  });

  it('retries a request without an answer, as often as configured', async (t) => {
    const { agent, probe } = await open(t, {}, 2);
    agent.set({ isSilent: true });
    const result = await probe({ version: '2c', community: 'public' });
    assert.deepEqual(result, { answered: false, refused: false, asked: true });
    assert.equal(agent.counters.requests, 3);
  });

  it('ends immediately when the scan ends', async (t) => {
    const { agent, probe, abort } = await open(t, {});
    agent.set({ isSilent: true });
    const asked = probe({ version: '2c', community: 'public', timeoutMs: 60_000 });
    while (agent.counters.requests === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    abort.abort(new Error('enough'));
    await assert.rejects(asked, /enough/);
  });
});
