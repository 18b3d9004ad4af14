import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deviceRegistryToken } from '../../../plugins/device-registry/service.ts';
import type { PacketPace } from '../../../plugins/snmp-discovery/service.ts';
import { pollerToken } from '../../../plugins/snmp-poller/service.ts';
import { AimedPolls, type AimParts } from '../../../plugins/snmp-traps/aim/aimed-polls.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { linkNotifications, startTraps } from './trap-stack.ts';

const ifIndex = (value: number) =>
  ({ oid: `1.3.6.1.2.1.2.2.1.1.${value}`, type: 'Integer32', value }) as const;

/** A clock that moves only when it is told to. */
class ManualClock {
  #nowMs = 0;
  #timers = new Set<{ readonly atMs: number; readonly run: () => void }>();
  now = () => this.#nowMs;
  setTimer = (run: () => void, afterMs: number) => {
    const timer = { atMs: this.#nowMs + afterMs, run };
    this.#timers.add(timer);
    return timer;
  };
  clearTimer = (timer: unknown) => void this.#timers.delete(timer as never);

  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      await new Promise((done) => setImmediate(done));
      const [next] = [...this.#timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#nowMs = next.atMs;
      next.run();
    }
    this.#nowMs = endMs;
  }
}

function startAims(more: Partial<AimParts['settings']> = {}) {
  const clock = new ManualClock();
  const polls: unknown[] = [];
  const rediscoveries: string[] = [];
  const asked: (readonly [string, number])[] = [];
  const parts: AimParts = {
    settings: {
      delayMs: 1_000,
      againMs: 10_000,
      devicePerMinute: 30,
      packetsPerSecond: 50,
      restartMs: 30_000,
      ...more,
    },
    clock,
    findTable: () => ({ table: 'T', instances: new Set(['7', '8']) }),
    poll: async ({ ref }, wanted) =>
      polls.push([clock.now(), ref.name, [...wanted].map(([id, rows]) => [id, rows && [...rows]])]),
    onAsked: (trapIds, { outcome }) => void asked.push([outcome, trapIds.length]),
    rediscover({ ref }, cause, pace) {
      rediscoveries.push(`${clock.now()} ${ref.name} ${cause}`);
      void discover(ref.port, pace);
    },
  };
  const packets: number[] = [];
  const ended: number[] = [];
  let running = 0;
  const waiting: (() => void)[] = [];
  /** Costs 12 packets, for port 500 200. As snmp-discovery does, it runs ten at once, and sends some packets ahead. */
  async function discover(port: number, pace: PacketPace): Promise<void> {
    if (running >= 10) await new Promise<void>((go) => waiting.push(go));
    running++;
    for (let left = port === 500 ? 200 : 12; left > 0; left--) {
      await pace.take();
      packets.push(clock.now());
      if (left % 4 !== 0) continue;
      packets.push(clock.now());
      pace.charge(1);
      left--;
    }
    running--;
    ended.push(port);
    waiting.shift()?.();
  }
  const aims = new AimedPolls(parts);
  let sent = 0;
  const send = (name: string, instances: readonly string[], port = 161) =>
    aims.add({
      summary: { name, trapId: String(++sent) },
      decoded: {
        definition: { aim: { poll: ['A::a'], rediscover: false } },
        pointed: [],
        named: instances.map((instance) => ({ object: 'A::a', table: 'T', instance })),
      },
      subject: { device: { ref: { name: `d${port}`, ip: '192.0.2.1', port } } },
    } as never);
  return { aims, asked, clock, ended, packets, polls, rediscoveries, send };
}

/** One packet may have been sent ahead at the end of the second: it is paid in the next one. */
const perSecond = 50 + 1;

/** The most in any second of these times, which are in order. */
function mostInASecond(times: readonly number[]): number {
  let most = 0;
  for (let from = 0, to = 0; from < times.length; from++) {
    while (to < times.length && times[to]! < times[from]! + 1_000) to++;
    most = Math.max(most, to - from);
  }
  return most;
}

describe('polls of what notifications name', () => {
  it('are one for all notifications within the delay, and one more later', async () => {
    const { asked, clock, polls, send } = startAims();
    for (let flap = 0; flap < 50; flap++) send('X::down', [flap % 2 === 0 ? '7' : '8']);
    await clock.advance(60_000);
    deepEqual(polls, [
      [1_000, 'd161', [['A::a', ['7', '8']]]],
      [11_000, 'd161', [['A::a', ['7', '8']]]],
    ]);
    deepEqual(asked, [
      ['polled', 50],
      ['polled', 50],
    ]);
  });

  it('are few when an interface flaps for ten seconds', async () => {
    const { aims, clock, polls, send } = startAims();
    for (let flap = 0; flap < 500; flap++) {
      send('X::down', ['7']);
      await clock.advance(20);
    }
    await clock.advance(60_000);
    ok(polls.length <= 3, `${polls.length} polls`);
    equal(aims.skipped, 0);
  });

  it('stay within the limit of a device', async () => {
    const { aims, clock, polls, send } = startAims({ devicePerMinute: 3, againMs: 0 });
    for (let second = 0; second < 58; second++) {
      send('X::down', ['7']);
      await clock.advance(1_000);
    }
    equal(polls.length, 3);
    ok(aims.skipped > 0);
  });

  it('leave at an even pace when 1,000 devices report something at once', async () => {
    const { aims, asked, clock, polls, send } = startAims({ againMs: 0 });
    for (let port = 1; port <= 1_000; port++) send('X::down', ['7'], port);
    await clock.advance(6_000);
    ok(polls.length <= 50 * 5 + 1, `${polls.length} polls within five seconds`);
    ok(polls.length >= 200);
    await clock.advance(60_000);
    equal(aims.polled + aims.skipped, 1_000);
    ok(aims.skipped >= 490, 'what would come more than ten seconds later is skipped');
    equal(asked.filter(([outcome]) => outcome === 'skipped').length, aims.skipped);
  });

  it('send at most 50 packets per second for 1,000 devices that have started at once, one of them large', async () => {
    const { clock, ended, packets, rediscoveries, send } = startAims();
    for (let port = 1; port <= 1_000; port++) send('SNMPv2-MIB::coldStart', [], port);
    await clock.advance(330_000);
    const times = rediscoveries.map((each) => Number(each.split(' ')[0]));
    equal(new Set(rediscoveries).size, 1_000);
    ok(Math.min(...times) >= 30_000 && Math.max(...times) <= 60_000);
    equal(new Set(ended).size, 1_000, 'no start is skipped');
    equal(packets.length, 999 * 12 + 200);
    ok(mostInASecond(packets) <= perSecond);
    ok(packets.at(-1)! - packets[0]! >= (packets.length / 50 - 1) * 1_000);
  });

  it('and discoveries share the packets', async () => {
    const { clock, ended, packets, polls, send } = startAims({ againMs: 0 });
    for (let port = 1; port <= 100; port++) send('X::down', ['99'], port);
    for (let port = 101; port <= 150; port++) send('X::down', ['7'], port);
    await clock.advance(40_000);
    equal(ended.length, 100);
    equal(polls.length, 50);
    const all = [...packets, ...polls.map((poll) => (poll as [number])[0])].sort((a, b) => a - b);
    ok(mostInASecond(all) <= perSecond);
  });

  it('become a discovery for an unknown row, and a late one after a start', async () => {
    const { clock, polls, rediscoveries, send } = startAims();
    send('X::down', ['99']);
    for (let again = 0; again < 3; again++) send('SNMPv2-MIB::coldStart', []);
    await clock.advance(61_000);
    deepEqual(polls, []);
    equal(rediscoveries.length, 2);
    equal(rediscoveries[0], '0 d161 changed');
    const [at, name, cause] = rediscoveries[1]!.split(' ');
    ok(Number(at) >= 30_000 && Number(at) <= 60_000);
    deepEqual([name, cause], ['d161', 'reset']);
  });

  it('ask the row of a linkDown and no other', async (test) => {
    const agent = await startReplayAgent({
      recording: new URL('../../recordings/switch.snmprec', import.meta.url).pathname,
    });
    test.after(() => agent.close());
    const notifications = linkNotifications.replace(
      '  varbinds: [ifIndex]\n',
      '  varbinds: [ifIndex]\n  aim: { poll: [IF-MIB::ifEntry, IF-MIB::ifXEntry] }\n',
    );
    const { output, send, collector, discovered } = await startTraps(test, {
      devices: [{ name: 'sw1', port: agent.port, groups: 'device_groups: [switch]' }],
      files: { 'notifications/all.yml': notifications },
      traps: { aim: { delay_ms: 10, again_s: 0 } },
    });
    await discovered;
    const device = collector.getService(deviceRegistryToken).findDeviceNamed('sw1')!;
    const [first] = (await collector.getService(pollerToken).pollNow(device)).filter(
      ({ record }) => record === 'IF-MIB::ifEntry',
    );
    const index = first!.rows.labels['netif.index']![1]!;
    const before = output.batches.filter(({ record }) => record === 'IF-MIB::ifEntry').length;
    await send({ oid: '1.3.6.1.6.3.1.1.5.3', varbinds: [ifIndex(Number(index))] });
    const isAimed = (batches: typeof output.batches) =>
      batches.filter(({ record, rows }) => record === 'IF-MIB::ifEntry' && rows.count === 1);
    const batches = await output.waitFor((all) => isAimed(all).length > 0);
    const [aimed] = isAimed(batches);
    ok(first!.rows.count > 1 && before > 0);
    deepEqual(aimed!.rows.labels['netif.index'], [index]);
    deepEqual(aimed!.rows.labels['netif.name'], [first!.rows.labels['netif.name']![1]]);
  });
});
