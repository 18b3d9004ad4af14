import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { definePlugin } from '../../../src/index.ts';
import { shardCount, shardsToken } from '../../../src/sharding/index.ts';
import type { ShardPart } from '../../../src/sharding/shards.ts';
import { systemClock } from '../../../src/timing/index.ts';
import { AskedDevices } from '../cluster/support/asked-devices.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const everyMs = 1_000;
const all = new Set(Array(shardCount).keys());

/** Shards that a test takes away and gives back. */
function createShards() {
  const parts: ShardPart[] = [];
  let isOwned = true;
  const plugin = definePlugin({
    name: 'test-shards',
    kind: 'service',
    summary: 'Owns every device, or none.',
    provides: shardsToken,
    start: () => ({
      owns: () => isOwned,
      maySend: () => isOwned,
      epochOf: () => 1,
      join(part) {
        parts.push(part);
        return () => {};
      },
      leave: async () => {},
      fleet: undefined,
    }),
  });
  return {
    plugin,
    hold() {
      isOwned = false;
    },
    lose: (ownedUntilMs: number) => Promise.all(parts.map((part) => part.lose?.(all, ownedUntilMs))),
    gain(isAgain: boolean) {
      isOwned = true;
      for (const part of parts) part.gain?.(all, isAgain);
    },
  };
}

describe('slots that pass while a collector is not sure of its devices', () => {
  it('are each counted once: up to the end of its trust at once, and the others when it has the devices again', async (t) => {
    const shards = createShards();
    const devices = await AskedDevices.start(t, 20);
    const folder = new DefinitionFolder(t, { 'devices/all.yml': devices.toYaml('plain', { everyMs }) });
    const { poller } = await startPolling(t, folder, {
      discovery: { starts_per_second: 1_000 },
      more: [{ plugin: shards.plugin }],
    });
    const firstAfter = (port: number, atMs: number) => devices.pollsOf(port).find((poll) => poll.atMs > atMs);
    const arePolled = async (sinceMs: number) => {
      while (!devices.ports.every((port) => firstAfter(port, sinceMs))) await sleep(10);
    };
    await arePolled(0);
    const fromMs = systemClock.now();
    const before = devices.ports.map((port) => devices.pollsOf(port).at(-1)!.atMs);
    shards.hold();
    await sleep(1.3 * everyMs);
    assert.equal(poller.counters().skippedSlots, 0, 'another collector may have polled them');
    await shards.lose(fromMs + everyMs / 2);
    const counted = poller.counters().skippedSlots;
    shards.gain(true);
    await arePolled(fromMs);
    const passed = devices.ports.map((port, i) =>
      Math.round((firstAfter(port, fromMs)!.atMs - before[i]!) / everyMs),
    );
    const missed = passed.reduce((sum, slots) => sum + slots - 1, 0);
    t.diagnostic(`${counted} of ${missed} before it has the devices again`);
    assert.ok(missed > 0);
    assert.equal(poller.counters().skippedSlots, missed);
  });
});
