import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { EventMap } from '../../../src/index.ts';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

/** A discovered device with these settings, and a function to poll it. */
async function startDevice(t: TestContext, settings: string, poller = {}) {
  const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t);
  folder.write(
    'devices/sw.yml',
    `sw: { ip: 127.0.0.1, port: ${agent.port}, version: 2c, communities: [public], device_groups: [plain], ${settings} }\n`,
  );
  const stack = await startPolling(t, folder, { poller });
  await stack.discovered();
  const summaries: (EventMap['poll.completed'] | EventMap['poll.failed'])[] = [];
  for (const name of ['poll.completed', 'poll.failed'] as const) {
    stack.collector.events.on(name, (summary) => void summaries.push(summary));
  }
  return {
    ...stack,
    agent,
    folder,
    /** Polls, and returns the number of requests and the duration. */
    async pollOnce() {
      const { requests } = agent.counters;
      await stack.poll('sw');
      return { requests: agent.counters.requests - requests, durationMs: summaries.at(-1)!.durationMs };
    },
  };
}

const user = {
  name: 'reader',
  authProtocol: 'sha256',
  privProtocol: 'aes',
  authPassphrase: 'first passphrase',
  privPassphrase: 'second passphrase',
} as const;
const credential = `{ username: reader, authentication_protocol: sha256, authentication_passphrase: first passphrase, privacy_protocol: aes, privacy_passphrase: second passphrase }`;

/** A device with two interfaces in the context `blue`, one in `red`, and those of a switch in the default context. */
async function startContexts(t: TestContext, settings: string) {
  const interfaces = (...names: readonly string[]) =>
    parseRecording(
      names
        .flatMap((name, i) => [
          `1.3.6.1.2.1.2.2.1.2.${i + 1}|4|${name}`,
          `1.3.6.1.2.1.2.2.1.10.${i + 1}|65|${100 * (i + 1)}`,
        ])
        .join('\n'),
    );
  const agent = await startReplayAgent({
    recording: 'test/recordings/switch.snmprec',
    contexts: { blue: interfaces('blue 1', 'blue 2'), red: interfaces('red 1') },
    users: [user],
  });
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t);
  const writeDevice = (more: string) =>
    folder.write(
      'devices/sw.yml',
      `sw: { ip: 127.0.0.1, port: ${agent.port}, version: 3, v3_credentials: [${credential}], timeout: 1000, device_groups: [switch], ${more} }\n`,
    );
  writeDevice(settings);
  const stack = await startPolling(t, folder);
  await stack.discovered();
  const shown = async () =>
    (await stack.poll('sw'))
      .filter(({ record }) => record === 'IF-MIB::ifEntry')
      .map(({ plan, tags, rows }) => [plan, tags, rows.count, rows.labels['netif.description']?.[0]]);
  return { ...stack, agent, writeDevice, shown };
}

describe('SNMPv3 contexts', () => {
  it('context: the device is discovered and polled in this context', async (t) => {
    const { shown } = await startContexts(t, 'context: red');
    assert.deepEqual(await shown(), [['every-60s', {}, 1, 'red 1']]);
  });

  it('contexts: each one is discovered and polled separately, and its records name it', async (t) => {
    const { shown, poller, device, writeDevice, definitions, discovered } = await startContexts(
      t,
      'contexts: ["", blue, red], tags: { site: north }',
    );
    assert.deepEqual(await shown(), [
      ['every-60s', { site: 'north', context: '' }, 25, 'GigabitEthernet 0/1'],
      ['every-60s blue', { site: 'north', context: 'blue' }, 2, 'blue 1'],
      ['every-60s red', { site: 'north', context: 'red' }, 1, 'red 1'],
    ]);
    assert.equal(poller.counters().slots, 3);
    assert.equal(poller.latest(device('sw')).length, 4);
    const { records, values } = await (await poller.requestPoll(device('sw'))).ended;
    assert.deepEqual(
      records.map(({ rows }) => rows),
      [25, 1, 2, 1],
      'a poll out of turn covers all of them',
    );
    assert.ok(values > 28);
    writeDevice('contexts: [blue]');
    await definitions.apply({ requestedBy: 'test' });
    await discovered();
    assert.deepEqual(await shown(), [['every-60s', {}, 2, 'blue 1']]);
    assert.equal(poller.counters().slots, 1);
  });
});

describe('explain, for a device with contexts', () => {
  it('explains the value in the given context, or in the first one that has the instance', async (t) => {
    const { poller, device, shown } = await startContexts(t, 'contexts: [red, blue, ""]');
    await shown();
    const explain = (instance: string, context?: string) => {
      const question = { object: 'IF-MIB::ifEntry', attribute: 'ifDescr', instance, context };
      const told = poller.explain(device('sw'), question);
      const value = Buffer.from(told.reading?.raw?.value ?? '', 'hex').toString();
      return [told.context, told.inventory?.instances, value, told.reading?.plan];
    };
    assert.deepEqual(explain('1'), ['red', 1, 'red 1', 'every-60s']);
    assert.deepEqual(explain('1', 'blue'), ['blue', 2, 'blue 1', 'every-60s blue']);
    assert.deepEqual(explain('2'), ['blue', 2, 'blue 2', 'every-60s blue']);
    assert.equal(explain('3')[0], '');
    assert.deepEqual(explain('2', 'red'), ['red', 1, '', undefined]);
    assert.throws(() => explain('1', 'green'), {
      code: 'POLL_CONTEXT_UNKNOWN',
      message: /"green"\. Its contexts are "red", "blue", ""\./,
    });
  });
});

describe('counters of a device with contexts', () => {
  it('count all contexts', async (t) => {
    const { poller, device, shown } = await startContexts(t, 'contexts: ["", blue]');
    await shown();
    const { polls, values } = poller.deviceCounters(device('sw'))!;
    assert.deepEqual([polls, values], [2, poller.counters().values]);
    const plans = poller.upcoming(device('sw')).map(({ plan }) => plan);
    assert.deepEqual(plans, ['every-60s', 'every-60s blue']);
  });
});

describe('the request settings of a device', () => {
  it('timeout, retries and exponential_timeout apply to polls and discoveries', async (t) => {
    const { agent, pollOnce, discovery, device } = await startDevice(
      t,
      'timeout: 40, retries: 3, exponential_timeout: true',
    );
    agent.set({ isSilent: true });
    const poll = await pollOnce();
    assert.equal(poll.requests, 4);
    assert.ok(poll.durationMs >= 40 + 80 + 160 + 320 - 5, String(poll.durationMs));
    const { requests } = agent.counters;
    const run = await discovery.request(device('sw'), 'requested').run.ended;
    assert.ok(!run.ok && run.code === 'SNMP_TIMEOUT');
    assert.equal(agent.counters.requests - requests, 6, 'and one packet for each of the two OIDs');
    assert.ok(run.durationMs >= 595, String(run.durationMs));
  });

  it('does not let many retries delay a stop, even for a device that was just removed', {
    timeout: 25_000,
  }, async (t) => {
    const settings = 'timeout: 30000, retries: 9';
    const { agent, folder, definitions, collector, poll, next } = await startDevice(t, settings, {
      finish_within_ms: 50,
    });
    agent.set({ isSilent: true });
    const polled = poll('sw');
    const isRemoved = next('device.removed');
    folder.write('devices/sw.yml', '{}\n');
    await definitions.apply({ requestedBy: 'test' });
    await isRemoved;
    const { requests } = agent.counters;
    await collector.stop();
    assert.deepEqual(await polled, [], 'the poll ended without values');
    assert.equal(agent.counters.requests, requests, 'nothing was sent again');
  });

  it('retries: 0 sends one packet and waits for one timeout', async (t) => {
    const { agent, pollOnce, poller, device } = await startDevice(t, 'timeout: 50, retries: 0');
    agent.set({ isSilent: true });
    const poll = await pollOnce();
    assert.equal(poll.requests, 1);
    assert.ok(poll.durationMs >= 45, String(poll.durationMs));
    assert.equal(poller.deviceCounters(device('sw'))!.retries, 0);
  });

  it('max_oids limits each request, and max_concurrent_polls limits the requests under way', async (t) => {
    const usual = await startDevice(t, 'timeout: 3000');
    assert.equal((await usual.pollOnce()).requests, 1);
    const { agent, pollOnce } = await startDevice(t, 'timeout: 3000, max_oids: 1, max_concurrent_polls: 1');
    agent.set({ delayMs: 60 });
    const poll = await pollOnce();
    assert.equal(poll.requests, 3, 'one request each for sysUpTime, snmpEngineBoots and sysDescr');
    assert.ok(poll.durationMs >= 175, `one after the other, not in ${poll.durationMs} ms`);
  });
});
