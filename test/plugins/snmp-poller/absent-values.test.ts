import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AbsentValues, askAgainEvery } from '../../../plugins/snmp-poller/device/absent-values.ts';
import { type Batch, gapReasons } from '../../../src/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

/** Three columns of another table, and two that no row has. */
const definitions = `T::ports:
  mib: T
  object: ports
  index: [{ type: Integer, oid: .1.3.6.1.2.1.2.2.1.1, name: netif, syntax: InterfaceIndex }]
  discovery_attribute: descr
  attributes:
    descr: { oid: .1.3.6.1.2.1.2.2.1.2, name: t.description, syntax: DisplayString, tag: true }
    mtu: { oid: .1.3.6.1.2.1.2.2.1.4, name: t.mtu, syntax: Unsigned32, metric: gauge }
    in: { oid: .1.3.6.1.2.1.31.1.1.1.6, name: t.in, syntax: BytesB, metric: gauge }
    out: { oid: .1.3.6.1.2.1.31.1.1.1.10, name: t.out, syntax: BytesB, metric: gauge }
    a: { oid: .1.3.6.1.2.1.31.1.1.1.7, name: t.a, syntax: Unsigned32, metric: gauge }
    b: { oid: .1.3.6.1.2.1.2.2.1.77, name: t.b, syntax: Unsigned32, metric: gauge }
    c: { oid: .1.3.6.1.2.1.2.2.1.78, name: t.c, syntax: Unsigned32, metric: gauge }
`;

/** What outputs get, except the numbers. */
function shapeOf(batches: readonly Batch[]): string[] {
  return batches.flatMap(({ record, rows, columns }) =>
    columns.map(({ field, gaps }) => {
      const reasons = rows.keys.map((_, row) => gapReasons[gaps?.[row] ?? 0] ?? 'none');
      return `${record} ${field} ${reasons.join()}`;
    }),
  );
}

async function start(t: TestContext, engine: string) {
  let hasRow = false;
  const row = { table: '1.3.6.1.2.1.31.1.1.1', index: '3', isPresent: () => hasRow };
  const agent = await startReplayAgent({
    recording: 'test/recordings/switch.snmprec',
    knobs: { rows: [row] },
  });
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t, {
    'objects/ports.yml': definitions,
    'object_groups/ports.yml': 'ports: { objects: [T::ports] }\n',
    'device_groups/ports.yml': 'ports: { object_groups: [ports] }\n',
  });
  const groups = 'device_groups: [ports], poll_interval: 86400';
  folder.writeDevices([{ name: 'sw', port: agent.port, groups }]);
  const { poll, poller, device, discovered, next } = await startPolling(t, folder, { client: { engine } });
  await discovered();
  const varbindsOf = () => poller.deviceCounters(device('sw'))!.varbinds;
  return {
    agent,
    next,
    explain: (attribute: string, instance: string) =>
      poller.explain(device('sw'), { object: 'T::ports', instance, attribute }).verdict,
    bringRow: () => {
      hasRow = true;
    },
    pollOnce: async () => {
      const [varbinds, requests] = [varbindsOf(), agent.counters.requests];
      const shape = shapeOf(await poll('sw'));
      return { shape, varbinds: varbindsOf() - varbinds, requests: agent.counters.requests - requests };
    },
  };
}

describe('values that a device has never had', () => {
  for (const engine of ['waywiser', 'net-snmp'])
    it(`are left out of polls, stay gaps, and come back: ${engine}`, async (t) => {
      const { pollOnce, explain, bringRow } = await start(t, engine);
      const first = await pollOnce();
      for (let polls = 1; polls < 3; polls++) assert.deepEqual((await pollOnce()).shape, first.shape);
      const polls = [];
      for (let i = 0; i < askAgainEvery; i++) polls.push(await pollOnce());
      for (const { shape } of polls) assert.deepEqual(shape, first.shape, 'outputs get the same');
      const fewer = polls.filter(({ varbinds }) => varbinds < first.varbinds);
      assert.equal(fewer.length, askAgainEvery - 1, 'one poll asks for everything again');
      assert.ok(
        fewer.every(({ varbinds }) => varbinds === first.varbinds - 53),
        'without two columns of 25 rows, and 3 values',
      );
      assert.ok(fewer.every(({ requests }) => requests <= first.requests));
      t.diagnostic(
        `${first.varbinds} OIDs in ${first.requests} packets, then ${fewer[0]!.varbinds} in ${fewer[0]!.requests}`,
      );
      const told = /The device has never had it since the last discovery\. Polls leave it out/;
      for (const [attribute, instance] of [
        ['b', '1'],
        ['in', '3'],
      ] as const)
        assert.match(explain(attribute, instance), told);
      assert.doesNotMatch(explain('in', '4'), told);
      bringRow();
      for (let i = 0; i < askAgainEvery; i++) await pollOnce();
      const last = await pollOnce();
      const missing = (shape: readonly string[]) => shape.join().split(/noSuch\w+/).length - 1;
      assert.equal(missing(last.shape), missing(first.shape) - 3);
      assert.doesNotMatch(explain('in', '3'), told);
    });
  it('leave the reason of a poll without a reply as it is', async (t) => {
    const { pollOnce, agent, next } = await start(t, 'waywiser');
    for (let polls = 0; polls < 4; polls++) await pollOnce();
    agent.set({ isSilent: true });
    const failed = next('poll.failed');
    assert.deepEqual((await pollOnce()).shape, []);
    const { reason, gaps } = await failed;
    assert.equal(reason, 'timeout');
    assert.deepEqual(Object.keys(gaps), ['timeout'], 'also for what the poll left out');
  });

  for (const everyS of [60, 170, 300, 1_700, 3_600, 86_400])
    it(`are asked for again within an hour, or at the next poll: every ${everyS} s`, () => {
      const reduced = { name: 'reduced' };
      const whole = { name: 'whole', leaveOut: () => [reduced] };
      const absent = new AbsentValues({ requests: [whole], reads: [], watches: [] } as never);
      const columns = { status: Uint8Array.of(67, 2, 0x81, 4), words: new Uint32Array(8), texts: [] };
      const asked: number[] = [];
      for (let poll = 0; poll < 200; poll++) {
        const requests = absent.begin('sw', 1_000 * poll * everyS);
        absent.end(columns, { replies: 1, failure: undefined });
        if (requests[0] === (whole as never)) asked.push(poll * everyS);
      }
      const gaps = asked.slice(1).map((at, i) => at - asked[i]!);
      assert.ok(Math.max(...gaps) <= Math.max(everyS, 3_600), `${gaps}`);
      assert.ok(asked.length > 200 / askAgainEvery);
      if (everyS < 1_800) assert.ok(asked.length < 150, 'most polls leave them out');
    });
});
