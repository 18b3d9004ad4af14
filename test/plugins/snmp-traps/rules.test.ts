import { deepEqual, equal, match, throws } from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Device } from '../../../plugins/device-registry/service.ts';
import { startEngine } from '../../../plugins/snmp-traps/engine-file.ts';
import { FairQueue } from '../../../plugins/snmp-traps/receiving/fair-queue.ts';
import type { ReceivedNotification } from '../../../plugins/snmp-traps/receiving/wire-form.ts';
import { DeviceFinder } from '../../../plugins/snmp-traps/senders/device-finder.ts';
import { parseNetworks } from '../../../plugins/snmp-traps/senders/trap-rights.ts';
import { explainError, type Inventory } from '../../../src/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const device = (name: string, ip: string, port = 161) =>
  ({ ref: { name, ip, port }, settings: { tags: { site: name } } }) as unknown as Device;
const tables = (entries: Readonly<Record<string, readonly string[]>>) => ({
  objects: new Map(Object.entries(entries).map(([id, instances]) => [id, { instances }])),
});
/** Two devices have reported 192.0.2.99; sw1 has moved to the address that its inventory has. */
const inventories: Readonly<Record<string, object>> = {
  core: tables({
    'IP-MIB::ipAddrEntry': ['192.0.2.77', '192.0.2.99', '127.0.0.1'],
    'IP-MIB::ipAddressEntry': [`2.16.${[0x20, 0x01, 0x0d, 0xb8, ...Array(11).fill(0), 7].join('.')}`],
  }),
  edge: tables({ 'IP-MIB::ipAddressEntry': ['1.4.192.0.2.99', '1.4.192.0.2.78'] }),
  sw1: { ...tables({}), address: '192.0.2.31' },
};
const engineId = '80001f880473776974636831';
const sharedEngineId = '80001f8804aaaaaaaa';
const finder = new DeviceFinder({
  registry: {
    devices: () => [
      device('core', '192.0.2.1'),
      device('edge', '192.0.2.2'),
      device('edge-vrf', '192.0.2.2', 1161),
      device('sw1', '192.0.2.3'),
      device('six', '2001:db8::6'),
    ],
  },
  relays: parseNetworks(['198.51.100.0/24'], { plugin: 'snmp-traps', option: 'relays' }),
  findInventory: ({ ref }) => inventories[ref.name] as Inventory | undefined,
  listEngines: () =>
    [
      ['192.0.2.1:161', engineId],
      ['192.0.2.1:161', sharedEngineId],
      ['192.0.2.2:161', sharedEngineId],
    ].map(([address = '', id = '']) => ({ address, engineId: id, boots: 1, startedAtMs: 0 })),
});

interface Sender {
  readonly source: string;
  readonly engine?: string;
  readonly level?: ReceivedNotification['level'];
  readonly says?: string;
}

const senders: readonly (readonly [string, Sender, string])[] = [
  [
    'the engine of one polled device, when it has signed',
    { source: '203.0.113.5', engine: engineId },
    'core engine',
  ],
  [
    'no engine when it has not signed',
    { source: '203.0.113.5', engine: engineId, level: 'noAuthNoPriv' },
    '203.0.113.5 none',
  ],
  ['no engine that two devices have', { source: '192.0.2.2', engine: sharedEngineId }, 'edge address'],
  ['no engine at the address of another device', { source: '192.0.2.2', engine: engineId }, 'edge address'],
  [
    'no engine at the interface of another device',
    { source: '192.0.2.78', engine: engineId },
    'edge interface',
  ],
  ['the engine at an interface of its own', { source: '192.0.2.77', engine: engineId }, 'core engine'],
  ['the engine behind a relay', { source: '198.51.100.4', engine: engineId }, 'core engine'],
  ['the address that a relay names', { source: '198.51.100.4', says: '192.0.2.1' }, 'core relay'],
  ['an interface that a relay names', { source: '198.51.100.4', says: '192.0.2.77' }, 'core relay'],
  [
    'behind a relay, the unknown address that it names',
    { source: '198.51.100.4', says: '203.0.113.9' },
    '203.0.113.9 none',
  ],
  ['a relay that names nobody, by its own address', { source: '198.51.100.4' }, '198.51.100.4 none'],
  ['nobody whom a sender names that is no relay', { source: '192.0.2.2', says: '192.0.2.1' }, 'edge address'],
  ['the address of the registry, of several ports the one of 161', { source: '192.0.2.2' }, 'edge address'],
  ['the address at which the device was found', { source: '192.0.2.31' }, 'sw1 address'],
  ['not the one that it no longer has', { source: '192.0.2.3' }, '192.0.2.3 none'],
  ['IPv6 in its canonical form', { source: '2001:db8::6' }, 'six address'],
  ['an address that one device has reported', { source: '192.0.2.77' }, 'core interface'],
  ['the same of the newer table', { source: '192.0.2.78' }, 'edge interface'],
  ['the same of IPv6', { source: '2001:db8::7' }, 'core interface'],
  ['no address that two devices have reported', { source: '192.0.2.99' }, '192.0.2.99 none'],
  ['no loopback address', { source: '127.0.0.1' }, '127.0.0.1 none'],
];

describe('the rules of receiving, of the plugin', () => {
  for (const [says, { source, engine = '', level = 'authPriv', says: agentAddress }, expected] of senders) {
    it(`2.11: the device is found by ${says}`, () => {
      const security = { userKey: 'ops', user: 'ops', engineId: engine, contextEngineId: '', context: '' };
      const { ref, identity, tags } = finder.find({
        source,
        level,
        security,
        agentAddress,
      } as ReceivedNotification);
      equal(`${ref.name} ${identity}`, expected);
      if (identity === 'none') deepEqual([ref.ip, ref.port, tags], [ref.name, 0, {}]);
      else equal(tags['site'], ref.name);
    });
  }

  it('2.6: the engine of the state directory is kept, and its boots increase before anything else', (test) => {
    const folder = temporaryFolder(test);
    const first = startEngine(folder, '', Date.now());
    match(first.id.toString('hex'), /^80007ed905[0-9a-f]{16}$/);
    equal(first.boots, 1);
    for (const boots of [2, 3]) {
      deepEqual(startEngine(folder, '', Date.now()), { id: first.id, boots });
      equal(JSON.parse(readFileSync(join(folder, 'snmp-traps', 'engine.json'), 'utf8')).boots, boots);
    }
  });

  it('2.6: the boots of a configured engine never fall, also when the state directory is lost', (test) => {
    const id = '80007ed90501';
    const [before, after] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1, 1)];
    const kept = temporaryFolder(test);
    const { boots } = startEngine(kept, id, before);
    equal(boots, (before - Date.UTC(2020, 0, 1)) / 60_000);
    equal(startEngine(kept, id.toUpperCase(), after).boots, boots + 1);
    equal(startEngine(temporaryFolder(test), id, after).boots, boots + 60);
    equal(startEngine(kept, '80007ed90502', after).boots, boots + 60);
  });

  it('2.6: boots stay at their last number', (test) => {
    const folder = temporaryFolder(test);
    mkdirSync(join(folder, 'snmp-traps'));
    const state = JSON.stringify({ engineId: '80007ed90501', boots: 0x7fff_fffe });
    writeFileSync(join(folder, 'snmp-traps', 'engine.json'), state);
    for (let start = 0; start < 3; start++) equal(startEngine(folder, '', 0).boots, 0x7fff_ffff);
  });

  it('2.6: a damaged file ends the start', (test) => {
    for (const text of [
      '',
      '{',
      '[]',
      'null',
      '{"engineId":"80","boots":1}',
      '{"engineId":"80007ed90501","boots":0}',
      '{"engineId":"80007ed90501","boots":1.5}',
    ]) {
      const folder = temporaryFolder(test);
      mkdirSync(join(folder, 'snmp-traps'));
      const path = join(folder, 'snmp-traps', 'engine.json');
      writeFileSync(path, text);
      throws(
        () => startEngine(folder, '', 0),
        (error) => explainError(error).includes('its content is damaged'),
        text,
      );
      equal(readFileSync(path, 'utf8'), text);
    }
  });

  it('4.3: the source with most waiting gives way, with its oldest ones', () => {
    const queue = new FairQueue<string>(10);
    const dropped: string[] = [];
    for (let item = 0; item < 100; item++) {
      dropped.push(...[queue.add('loud', `loud ${item}`) ?? []].flat());
      if (item % 25 === 0) dropped.push(...[queue.add('quiet', `quiet ${item}`) ?? []].flat());
    }
    equal(queue.size, 10);
    equal(dropped.length, 94);
    deepEqual(
      dropped,
      Array.from({ length: 94 }, (_, item) => `loud ${item}`),
    );
    const taken = Array.from({ length: 11 }, () => queue.take());
    deepEqual(taken, [
      ...['loud 94', 'quiet 0', 'loud 95', 'quiet 25', 'loud 96', 'quiet 50', 'loud 97', 'quiet 75'],
      ...['loud 98', 'loud 99', undefined],
    ]);
    equal(queue.size, 0);
  });

  it('4.3: of any sources that come and go, one with most gives way', () => {
    const step = fc.oneof(
      fc.record({ source: fc.constantFrom('a', 'b', 'c', 'd') }),
      fc.constant({ source: undefined }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const queue = new FairQueue<readonly [source: string, item: number]>(6);
        const waiting: (readonly [source: string, item: number])[] = [];
        const sizeOf = (source: string) => waiting.filter(([each]) => each === source).length;
        const remove = ([source, item]: readonly [string, number]) => {
          const oldest = waiting.findIndex(([each]) => each === source);
          deepEqual(waiting.splice(oldest, 1), [[source, item]]);
        };
        for (const [item, { source }] of steps.entries()) {
          if (source === undefined) {
            const taken = queue.take();
            equal(taken === undefined, waiting.length === 0);
            if (taken !== undefined) remove(taken);
            continue;
          }
          waiting.push([source, item]);
          const dropped = queue.add(source, [source, item]);
          equal(dropped !== undefined, waiting.length > 6);
          if (dropped === undefined) continue;
          equal(sizeOf(dropped[0]), Math.max(...['a', 'b', 'c', 'd'].map(sizeOf)));
          remove(dropped);
        }
        equal(queue.size, waiting.length);
      }),
    );
  });

  it('4.3: sources are served in turn, also after thousands have waited', () => {
    const queue = new FairQueue<number>(100_000);
    for (let item = 0; item < 5_000; item++) queue.add('first', item);
    const taken: (number | undefined)[] = [];
    for (let item = 0; item < 4_000; item++) {
      queue.add('second', -item);
      taken.push(queue.take(), queue.take());
    }
    deepEqual(
      taken.filter((item) => item! > 0),
      Array.from({ length: 3_999 }, (_, item) => item + 1),
    );
    equal(queue.size, 1_000);
  });
});
