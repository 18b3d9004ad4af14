import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { gapReasons } from '../../../src/index.ts';
import { type ReplayAgent, startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const ifHCInOctets = '1.3.6.1.2.1.31.1.1.1.6';

async function startWith(t: TestContext, agent: ReplayAgent, engine = 'waywiser') {
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t);
  const groups = 'device_groups: [switch], poll_interval: 86400';
  folder.writeDevices([{ name: 'sw', port: agent.port, groups }]);
  return startPolling(t, folder, { client: { engine } });
}

describe('a device that answers, but not for one of its objects', () => {
  for (const engine of ['waywiser', 'net-snmp'])
    it(`loses only that column, does not wait for it again, and explain says why it is missing: ${engine}`, async (t) => {
      const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
      const { poll, poller, device, discovered } = await startWith(t, agent, engine);
      await discovered();
      const values = (batches: Awaited<ReturnType<typeof poll>>) =>
        batches.flatMap(({ record, columns }) =>
          columns.flatMap(({ field, gaps }) =>
            Array.from(
              { length: 3 },
              (_, row) => `${record} ${field} ${row} ${gapReasons[gaps?.[row] ?? 0] ?? ''}`,
            ),
          ),
        );
      const healthy = values(await poll('sw'));
      agent.set({ silentUnder: [ifHCInOctets] });
      const explained = () =>
        poller.explain(device('sw'), {
          object: 'IF-MIB::ifXEntry',
          instance: '3',
          attribute: 'ifHCInOctets',
        });
      for (let polls = 0; polls < 2; polls++) {
        const before = agent.counters.refused.silent;
        const lost = values(await poll('sw')).filter((value) => !healthy.includes(value));
        assert.ok(lost.length > 0 && lost.length <= 9, lost.join('\n'));
        assert.ok(
          lost.every((value) => /timeout$/.test(value)),
          lost.join('\n'),
        );
        assert.equal(agent.counters.refused.silent > before, polls === 0, 'only the first poll asks');
      }
      const { verdict, reading } = explained();
      assert.equal(reading?.gap, 'timeout');
      assert.match(
        verdict,
        /timeout\. The device answers other requests, but not those for 1\.3\.6\.1\.2\.1\.31\.1\.1\.1\.6: /,
      );
      assert.match(verdict, /left out until \d{4}-\d\d-\d\dT/);
    });

  it('loses one value when it does not answer for one instance, and explain names the instance', async (t) => {
    const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const { poll, poller, device, discovered } = await startWith(t, agent);
    await discovered();
    const silent = `${ifHCInOctets}.3`;
    agent.set({ silentUnder: [silent] });
    const columns = (await poll('sw')).flatMap((batch) => batch.columns);
    const octets = columns.find(({ field }) => field === 'netif.bytes.in')!;
    assert.equal([...octets.gaps!].filter((gap) => gap !== 0).length, 1);
    const question = { object: 'IF-MIB::ifXEntry', instance: '3', attribute: 'ifHCInOctets' };
    const { verdict } = poller.explain(device('sw'), question);
    assert.ok(verdict.includes(`but not those for ${silent}: they are left out until`), verdict);
  });

  it('is discovered without the tables that it does not answer for', async (t) => {
    const agent = await startReplayAgent({
      recording: 'test/recordings/switch.snmprec',
      knobs: { silentUnder: ['1.3.6.1.2.1.2.2', '1.3.6.1.2.1.31.1.1'] },
    });
    const { discovery, discovered, device } = await startWith(t, agent);
    await discovered();
    const found = discovery.findInventory(device('sw'))!;
    assert.ok(found !== undefined, 'the discovery ends with an inventory');
    const silent = [...found.objects].filter(([, { partial }]) => partial !== undefined);
    assert.deepEqual(
      silent.map(([id]) => id),
      ['IF-MIB::ifEntry', 'IF-MIB::ifXEntry'],
    );
    assert.ok([...found.objects].some(([, { instances }]) => instances.length > 0));
  });
});
