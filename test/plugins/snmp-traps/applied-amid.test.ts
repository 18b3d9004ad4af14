import { deepEqual, equal, ok } from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { definitionsToken } from '../../../plugins/definitions-loader/service.ts';
import { type Batch, defineOutput, rowsOf } from '../../../src/index.ts';
import { linkDown, v2c } from '../../snmp/notifications/support/notification-lab.ts';
import { isLong } from '../../support/long-run.ts';
import { until } from '../../support/until.ts';
import { startTraps } from './trap-stack.ts';

/** In the long run 5,000 per second for 10 s. */
const count = isLong ? 50_000 : 3_000;
const perTick = 25;
const tickMs = 5;
/** Fewer than the receive buffer holds: the system loses none. */
const maxUnderWay = 2_000;
const portEntry = '1.3.6.1.4.1.32473.5.1';
const applies = isLong ? 30 : 6;

/** Two sets of definitions in which everything about a linkDown has other names. */
function filesOf(set: 'old' | 'new') {
  return {
    'notifications/all.yml': `${set.toUpperCase()}-MIB::down:
  oid: .${linkDown}
  severity: ${set === 'old' ? 'error' : 'alert'}
  message: "${set}: {${set}.index} {${set}.status.name}"
  identity: [${set}.index]
`,
    'objects/all.yml': `TEST-MIB::portEntry:
  mib: TEST-MIB
  object: portEntry
  index: [{ type: Integer, oid: .${portEntry}.1, name: ${set}, syntax: InterfaceIndex }]
  discovery_attribute: portStatus
  attributes:
    portStatus: { oid: .${portEntry}.2, name: ${set}.status, syntax: EnumInteger }
`,
    'enums/integer/all.yml': `.${portEntry}.2: { 2: ${set}-down }\n`,
  };
}

it('loses no notification while definitions are applied, and decodes none half by the old and half by the new ones', async (test) => {
  const batches: Batch[] = [];
  const keeping = defineOutput({
    name: 'keeping',
    summary: 'Keeps what it gets.',
    open: () => ({ write: (given) => void batches.push(...given) }),
  });
  const { collector, folder, port } = await startTraps(test, {
    files: filesOf('old'),
    env: { C: 'public' },
    traps: {
      threads: 1,
      senders: [{ name: 'all', from: ['127.0.0.0/8'], versions: ['2c'], communities: ['${env:C}'] }],
      limits: { source_per_second: 1_000_000, source_burst: 1_000_000 },
      count_every_s: 0,
    },
    more: [{ plugin: keeping, options: { delivery: { max_queued_batches: 1_000_000 } } }],
  });
  const definitions = collector.getService(definitionsToken);
  const setOf = new Map([[definitions.current.number, 'old']]);
  const socket = createSocket('udp4');
  test.after(() => socket.close());
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');

  let sent = 0;
  const varbinds = (uptime: number) => [
    { oid: '1.3.6.1.2.1.1.3.0', type: 'TimeTicks', value: uptime } as const,
    { oid: '1.3.6.1.6.3.1.1.4.1.0', type: 'ObjectIdentifier', value: linkDown } as const,
    { oid: `${portEntry}.2.7`, type: 'Integer32', value: 2 } as const,
  ];
  const sendAll = async () => {
    while (sent < count) {
      for (let i = 0; i < perTick && sent < count && sent - batches.length < maxUnderWay; i++)
        socket.send(v2c('TrapV2', ++sent, 'public', varbinds(sent)));
      await sleep(tickMs);
    }
  };
  const applyAll = async () => {
    for (let applied = 1; applied <= applies; applied++) {
      // Notifications come before, between and after them.
      await until(() => sent >= (applied * count) / (applies + 1));
      const set = applied % 2 === 0 ? 'old' : 'new';
      for (const [path, text] of Object.entries(filesOf(set))) folder.write(path, text);
      const { accepted } = await definitions.apply({ requestedBy: 'test' });
      ok(accepted);
      setOf.set(definitions.current.number, set);
    }
  };
  await Promise.all([sendAll(), applyAll()]);
  await until(() => batches.length >= count);

  equal(new Set(batches.map((batch) => [...rowsOf(batch)][0]!.values['trap.uptime'])).size, count);
  const seen = new Set<string>();
  const mixed: unknown[] = [];
  for (const batch of batches) {
    const [row] = rowsOf(batch);
    const { labels, values } = row!;
    const set = setOf.get(batch.generation)!;
    seen.add(`${set} ${batch.generation}`);
    const own = [
      batch.record,
      labels['trap.severity'],
      labels[`${set}.index`],
      values['trap.message'],
      values[`${set}.status.name`],
    ];
    const expected = [
      `${set.toUpperCase()}-MIB::down`,
      set === 'old' ? 'error' : 'alert',
      '7',
      `${set}: 7 ${set}-down`,
      `${set}-down`,
    ];
    if (own.join() !== expected.join()) mixed.push({ generation: batch.generation, own, expected });
  }
  deepEqual(mixed, []);
  ok(seen.size > applies / 2, `notifications were decoded by ${seen.size} generations`);
});
