import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventMap } from '../../../src/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder, smallDefinitions } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

/** A switch that is polled every second, and the number of values of a complete poll. */
async function startSwitch(t: TestContext, timeoutMs = 100, retries = 0) {
  const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  t.after(() => agent.close());
  agent.set({ hasMovingUptime: true });
  const folder = new DefinitionFolder(t);
  folder.write(
    'devices/all.yml',
    `sw: { ip: 127.0.0.1, port: ${agent.port}, version: 2c, communities: [public], timeout: ${timeoutMs}, retries: ${retries}, device_groups: [switch], poll_interval: 1 }\n`,
  );
  const stack = await startPolling(t, folder);
  const states: string[] = [];
  stack.collector.events.on('device.state', ({ to }) => void states.push(to));
  const { values } = await stack.next('poll.completed');
  states.length = 0;
  return { ...stack, agent, states, expected: values };
}

describe('a device that stops answering', () => {
  it('becomes suspect, gets one probe per slot, is down after three, and is identified again when it answers', async (t) => {
    const { agent, states, next, poller, device, output, discovery, expected } = await startSwitch(t);
    agent.set({ isSilent: true });
    const failed = await next('poll.failed');
    assert.equal(failed.reason, 'timeout');
    assert.equal(failed.packets, 0);
    assert.deepEqual(failed.gaps, { timeout: expected });
    const { requests } = agent.counters;
    const batches = output.batches.length;
    await next('device.state', ({ to }) => to === 'down');
    assert.deepEqual(states, ['suspect', 'down']);
    assert.equal(agent.counters.requests - requests, 3, 'one packet per probe');
    assert.equal(output.batches.length, batches);
    assert.ok(poller.deviceCounters(device('sw'))!.gaps.down! > 0);

    agent.set({ isSilent: false });
    agent.reboot();
    await next('device.state', ({ to }) => to === 'recovering');
    assert.equal(discovery.runs[0]?.cause, 'reset');
    await next('poll.completed');
    assert.deepEqual(states, ['suspect', 'down', 'recovering', 'up']);
  });

  it('becomes suspect once when polls of several intervals fail together', async (t) => {
    const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    t.after(() => agent.close());
    const system = smallDefinitions['objects/system.yml']!.replace(
      'object: system',
      'object: system\n  type: slow',
    );
    const files = {
      'objects/system.yml': system,
      'defaults/object_types.yml': 'slow: { poll_interval: 300 }\n',
    };
    const folder = new DefinitionFolder(t, files);
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: 'device_groups: [switch]' }]);
    const { discovered, poll, poller, device } = await startPolling(t, folder);
    await discovered();
    assert.equal(poller.upcoming(device('sw')).length, 2);
    agent.set({ isSilent: true });
    await poll('sw');
    assert.deepEqual([device('sw').status.state, device('sw').status.silences], ['suspect', 1]);
  });

  it('is discovered again when another device answers at its address', async (t) => {
    const { agent, next, discovery } = await startSwitch(t);
    agent.set({ isSilent: true });
    await next('poll.failed');
    const completed = next('discovery.completed');
    agent.set({
      isSilent: false,
      values: [{ under: '1.3.6.1.2.1.1.2.0', at: () => Buffer.from([0x2b, 6, 1, 4, 1, 9, 9]) }],
    });
    const { cause, device } = await completed;
    assert.deepEqual([cause, device.name], ['changed', 'sw']);
    const polled = discovery.runs.length;
    await next('poll.completed');
    assert.equal(discovery.runs.length, polled);
  });
});

describe('a device that answers late', () => {
  it('has its poll ended at 80 % of the interval, and never has two polls at the same time', async (t) => {
    const { agent, next, poller, device } = await startSwitch(t, 3000, 5);
    agent.set({ delayMs: 2_500 });
    const failed = await next('poll.failed');
    assert.ok(failed.durationMs >= 700, String(failed.durationMs));
    assert.equal(failed.reason, 'budget');
    assert.equal(poller.deviceCounters(device('sw'))!.overruns, 0);
    agent.set({ delayMs: 0 });
    await next('poll.completed');
  });
});

describe('a path that loses packets', () => {
  it('causes gaps but no failed poll', async (t) => {
    const { agent, next, expected } = await startSwitch(t, 100);
    agent.set({ loss: 0.1, duplicates: 0.2, reordering: 0.2 });
    const summaries: EventMap['poll.completed'][] = [];
    while (summaries.length < 3) summaries.push(await next('poll.completed'));
    for (const { values, gaps } of summaries) {
      const missing = Object.values(gaps).reduce((sum, count) => sum + count, 0);
      assert.ok(values > 0 && Object.keys(gaps).every((reason) => reason === 'timeout'));
      assert.equal(values + missing, expected, 'every expected value is there or has a reason');
    }
  });
});

describe('a device that is removed', () => {
  it('gets no more requests, and its session is closed', async (t) => {
    const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    t.after(() => agent.close());
    const folder = new DefinitionFolder(t);
    const device = { name: 'sw', port: agent.port, groups: 'device_groups: [switch], poll_interval: 1' };
    folder.writeDevices([device]);
    const { next, definitions, poller } = await startPolling(t, folder);
    await next('poll.completed');
    folder.writeDevices([]);
    await definitions.apply({ requestedBy: 'test' });
    await until(() => poller.counters().underWay === 0);
    const { requests } = agent.counters;
    assert.equal(poller.counters().slots, 0);
    await sleep(1_200);
    assert.equal(agent.counters.requests, requests);
    assert.equal(poller.counters().plans, 0);
  });
});
