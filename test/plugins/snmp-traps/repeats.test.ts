import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RepeatWindows } from '../../../plugins/snmp-traps/record/repeat-windows.ts';
import { countsOf, startTraps, trapRows } from './trap-stack.ts';

const env = { C: 'public' };
const traps = {
  repeats: { within_s: 3_600 },
  senders: [{ name: 'all', from: ['127.0.0.0/8'], versions: ['1', '2c'], communities: ['${env:C}'] }],
};
const [down, up] = ['1.3.6.1.6.3.1.1.5.3', '1.3.6.1.6.3.1.1.5.4'];
const ifIndex = (value: number) =>
  ({ oid: `1.3.6.1.2.1.2.2.1.1.${value}`, type: 'Integer32', value }) as const;

describe('notifications that repeat', () => {
  it('are one record at once, and one at the end that counts them', async (test) => {
    const { collector, output, send } = await startTraps(test, { traps, env });
    for (let uptime = 1; uptime <= 100; uptime++)
      await send({ oid: '1.3.6.1.4.1.32473.0.2', uptime, varbinds: [ifIndex(7)] });
    const counts = await countsOf(collector, ({ accepted, collapsed }) => accepted! + collapsed! === 100);
    deepEqual([counts.accepted, counts['collapsed repeat']], [1, 99]);
    const [first, ...more] = trapRows(output.batches);
    deepEqual(more, []);
    equal(first!.values['trap.uptime'], 10);
    equal(first!.values['trap.repeats'], undefined);
    await collector.stop();
    const [, last] = trapRows(output.batches);
    deepEqual([last!.values['trap.repeats'], last!.values['trap.uptime']], [99, 1_000]);
    ok(last!.key > first!.key);
  });

  it('are no repeats when their values differ, or when the state has changed in between', async (test) => {
    const { collector, output, send } = await startTraps(test, { traps, env });
    for (const [oid, index] of [
      [down, 7],
      [down, 8],
      [down, 7],
      [up, 7],
      [down, 7],
      [up, 7],
    ] as const)
      await send({ oid, varbinds: [ifIndex(index)] });
    const rows = trapRows(await output.waitFor((batches) => trapRows(batches).length === 6));
    deepEqual(
      rows.map(({ record, labels, values }) => [
        record.slice(8),
        labels['netif.index'],
        values['trap.repeats'],
      ]),
      [
        ['linkDown', '7', undefined],
        ['linkDown', '8', undefined],
        ['linkDown', '7', 1],
        ['linkUp', '7', undefined],
        ['linkDown', '7', undefined],
        ['linkUp', '7', undefined],
      ],
    );
    deepEqual([...rows.map(({ values }) => values['trap.clears'])].filter(Boolean), [
      rows[2]!.key,
      rows[4]!.key,
    ]);
    await collector.stop();
    equal(trapRows(output.batches).length, 6);
  });
});

describe('the windows of repeats', () => {
  it('end by their time, by other content, and when there are too many', () => {
    const ended: string[] = [];
    const windows = new RepeatWindows<string>(
      1_000,
      (last, repeats) => void ended.push(`${last} ${repeats}`),
    );
    const see = (about: string, content: string, nowMs: number) =>
      windows.isRepeat(about, content, `${about}${nowMs}`, nowMs);
    deepEqual(
      [see('a', 'x', 0), see('a', 'x', 10), see('b', 'x', 20), see('a', 'y', 30)],
      [false, true, false, false],
    );
    deepEqual(ended, ['a10 1']);
    see('b', 'x', 900);
    windows.endOld(1_020);
    deepEqual(ended, ['a10 1', 'b900 1']);
    see('c', 'x', 2_000);
    see('c', 'x', 2_000);
    for (let other = 0; other < 10_000; other++) see(`d${other}`, 'x', 2_000);
    deepEqual(ended.slice(2), ['c2000 1']);
  });
});
