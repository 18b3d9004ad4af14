import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { PacketPace } from '../../../plugins/snmp-discovery/service.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startDiscovery } from './discovery-stack.ts';

/** A pace whose turns the test gives. */
class ManualPace implements PacketPace {
  readonly waiting: (() => void)[] = [];
  turns = 0;
  charged = 0;
  isOpen = false;

  async take(): Promise<void> {
    if (!this.isOpen) await new Promise<void>((go) => this.waiting.push(go));
    this.turns++;
  }

  charge(packets: number): void {
    this.charged += packets;
  }

  open(): void {
    this.isOpen = true;
    for (const go of this.waiting) go();
  }
}

async function discoverOnce(t: TestContext, more = '') {
  const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t);
  folder.write(
    'devices/sw.yml',
    `sw: { ip: 127.0.0.1, port: ${agent.port}, version: 2c, communities: [public], device_groups: [switch]${more} }\n`,
  );
  const stack = await startDiscovery(t, folder);
  await stack.settle();
  return { agent, ...stack };
}

describe('a discovery that keeps a pace', () => {
  it('costs what it says, and the pace knows of each packet', async (t) => {
    const { agent, discovery, device, settle } = await discoverOnce(t);
    const [first] = discovery.runs;
    assert.ok(first!.packets! > 1);
    assert.equal(first!.packets, agent.counters.requests);
    const before = discovery.findInventory(device('sw'))!;
    const pace = new ManualPace();
    pace.isOpen = true;
    discovery.suggest(device('sw'), 'reset', pace);
    await settle();
    const [run] = discovery.runs;
    assert.equal(run!.cause, 'reset');
    assert.ok(run!.outcome?.ok);
    assert.equal(run!.packets, agent.counters.requests - first!.packets!);
    assert.equal(pace.turns + pace.charged, run!.packets);
    assert.ok(pace.turns > pace.charged, `${pace.turns} turns, ${pace.charged} packets beside them`);
    const after = discovery.findInventory(device('sw'))!;
    assert.equal(after.version, before.version + 1);
    assert.deepEqual([...after.objects], [...before.objects]);
  });

  it('counts retries of a device that does not answer', async (t) => {
    const { agent, discovery, device, settle } = await discoverOnce(t, ', timeout: 20, retries: 2');
    agent.set({ isSilent: true });
    const before = agent.counters.requests;
    const pace = new ManualPace();
    pace.isOpen = true;
    discovery.suggest(device('sw'), 'reset', pace);
    await settle();
    const [run] = discovery.runs;
    assert.equal(run!.outcome?.ok, false);
    assert.equal(run!.packets, agent.counters.requests - before);
    assert.equal(pace.turns + pace.charged, run!.packets);
    assert.ok(pace.charged >= 2);
  });

  it('waits for its turn, and no longer once a user waits for it', async (t) => {
    const { agent, discovery, device } = await discoverOnce(t);
    const before = agent.counters.requests;
    const pace = new ManualPace();
    discovery.suggest(device('sw'), 'reset', pace);
    await until(() => pace.waiting.length === 1);
    assert.equal(agent.counters.requests, before);
    pace.waiting.shift()!();
    await until(() => pace.waiting.length === 1);
    assert.equal(agent.counters.requests, before + 1);
    const { run, joined } = discovery.request(device('sw'), 'requested');
    assert.ok(joined);
    pace.waiting.shift()!();
    assert.ok((await run.ended).ok);
    assert.equal(pace.turns, 2);
  });

  it('is cancelled while it waits', async (t) => {
    const { collector, discovery, device } = await discoverOnce(t);
    const pace = new ManualPace();
    discovery.suggest(device('sw'), 'reset', pace);
    await until(() => pace.waiting.length === 1);
    const [run] = discovery.runs;
    await collector.stop();
    const outcome = await run!.ended;
    assert.equal(outcome.ok ? '' : outcome.code, 'DISCOVERY_GIVEN_UP');
  });
});
