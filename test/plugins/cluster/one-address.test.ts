import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import history from '../../../plugins/history/index.ts';
import { EventParser, type ParsedEvent } from '../../../src/client/internal.ts';
import { pipelineToken } from '../../../src/index.ts';
import { shardOf } from '../../../src/sharding/index.ts';
import { createTestBatch } from '../../../src/testing/index.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { noEtcd } from './support/etcd-server.ts';
import { allOwned, Ending, type FleetMember, memberToken, TestFleet } from './support/start-fleet.ts';

const count = 16;

/** The devices answer it, and nothing asks for it. */
const onRequest = `VENDOR-MIB::serial:
  mib: VENDOR-MIB
  object: serial
  collect: on_request
  attributes:
    serialNumber: { oid: .1.3.6.1.4.1.64000.1, name: vendor.serial, syntax: Integer32 }
`;

interface HistoryAnswer {
  readonly times: readonly number[];
  readonly series: readonly {
    readonly values: readonly (number | null)[];
    readonly gaps: readonly object[];
  }[];
  readonly silentMembers?: readonly object[];
}

const moved = { name: 'moved', ip: '192.0.2.77', port: 161 };

interface DeviceList {
  readonly devices: readonly {
    readonly name: string;
    readonly state: string;
    readonly since: string;
    readonly port: number;
  }[];
  readonly total: number;
  readonly next?: string;
  readonly silentMembers?: readonly { readonly name: string; readonly reason: string }[];
}

describe('a cluster behind one address', { skip: noEtcd }, () => {
  const ending = new Ending();
  let fleet: TestFleet;
  let folder: DefinitionFolder;
  let one: FleetMember;
  let two: FleetMember;
  let portOfTwo: number;

  before(async () => {
    fleet = await TestFleet.start(ending, count);
    folder = new DefinitionFolder(ending as never, {
      'devices/all.yml': fleet.devices.toYaml('auto'),
      'device_groups/auto.yml': 'auto: { objects: auto }\n',
      'objects/vendor.yml': onRequest,
    });
    one = await fleet.add('one', { folder, more: [{ plugin: history }] });
    await until(() => one.owned() === 1024);
    two = await fleet.add('two', { folder, more: [{ plugin: history }] });
    await allOwned([one, two]);
    portOfTwo = fleet.devices.ports.find((port) => two.owns(port))!;
    await until(() =>
      fleet.devices.ports.every((port) =>
        [one, two].some(({ owns, registry }) => {
          return owns(port) && registry.findDevice('127.0.0.1', port)!.status.state === 'up';
        }),
      ),
    );
  });
  after(() => ending.end());

  const deviceAt = (port: number) => ({
    name: `d${fleet.devices.ports.indexOf(port)}`,
    ip: '127.0.0.1',
    port,
  });
  const has =
    (text: string) =>
    ({ data }: ParsedEvent): boolean =>
      data.includes(text);

  /** The events of a stream, as they arrive. */
  function follow(member: FleetMember, query: string, lastId?: string): ParsedEvent[] & { end(): void } {
    const abort = new AbortController();
    ending.after(() => abort.abort());
    const events: ParsedEvent[] = [];
    const read = async () => {
      const headers = lastId === undefined ? {} : { 'last-event-id': lastId };
      const { body } = await member.ask(`/events${query}`, { headers, signal: abort.signal });
      const parser = new EventParser();
      for await (const text of body!.pipeThrough(new TextDecoderStream())) events.push(...parser.push(text));
    };
    read().catch(() => {});
    return Object.assign(events, { end: () => abort.abort() });
  }

  it('answers about a device with what its owner knows', async () => {
    const path = `/snmp/devices/127.0.0.1/${portOfTwo}`;
    const answer = await one.ask(path);
    assert.deepEqual([answer.status, answer.headers.get('waywiser-member')], [200, 'two']);
    assert.equal(((await answer.json()) as { state: string }).state, 'up');
    const alone = await one.ask(`${path}?scope=member`);
    assert.equal(alone.headers.get('waywiser-member'), null);
    assert.notEqual(((await alone.json()) as { state: string }).state, 'up');
  });

  it('draws one graph of what every member has polled of a device, as JSON and as CSV', async () => {
    const fromMs = Math.floor(Date.now() / 60_000) * 60_000 - 1_200_000;
    const record = 'TEST-MIB::testEntry';
    for (const [i, { collector }] of [one, two, one].entries()) {
      for (let minute = 4 * i; minute < 4 * i + 4; minute++) {
        const timeMs = fromMs + minute * 60_000;
        const rows = [{ key: 'a', values: { level: minute } }];
        const times = { timeMs, slotMs: timeMs, intervalMs: 60_000 };
        collector.getService(pipelineToken).push(createTestBatch({ device: moved, record, ...times, rows }));
      }
    }
    const path = `/history?device=moved&record=${record}&from=${fromMs}`;
    const values = Array.from({ length: 12 }, (_, i) => i);
    for (const member of [one, two]) {
      const ask = () => member.read<HistoryAnswer>(path);
      await until(async () => (await ask()).times.length === values.length);
      const { series, silentMembers } = await ask();
      assert.deepEqual([series[0]!.values, series[0]!.gaps, silentMembers], [values, [], undefined]);
      const csv = await (await member.ask(`${path}&format=csv`)).text();
      assert.deepEqual(
        csv
          .split('\r\n')
          .slice(1, -1)
          .map((line) => line.replace(/^.*,level,/, '')),
        values.map((value) => `${value},`),
      );
    }
    const [ownOfOne, ownOfTwo] = await Promise.all(
      [one, two].map(
        async ({ read }) => (await read<HistoryAnswer>(`${path}&scope=member`)).series[0]!.values.length,
      ),
    );
    // Of the four minutes without polls, one place says so.
    assert.deepEqual([ownOfOne, ownOfTwo], [9, 4]);
    // The lines of a list are asked for together.
    for (const [i, { collector }] of [one, two].entries()) {
      const device = { ...moved, name: `alone-${i}` };
      const rows = [{ key: 'a', values: { level: i } }];
      collector.getService(pipelineToken).push(createTestBatch({ device, record, timeMs: fromMs, rows }));
    }
    const both = `/history?device=alone-0&device=alone-1&record=${record}&from=${fromMs}`;
    await until(async () => (await one.read<HistoryAnswer>(both)).series.length === 2);
  });

  it('lets the owner rediscover a device', async () => {
    const asked = await one.post('/snmp/rediscover-device?wait=true', { ip: '127.0.0.1', port: portOfTwo });
    const { discovery } = (await asked.json()) as { discovery: { id: string; state: string } };
    assert.equal(discovery.state, 'completed');
    assert.ok(two.discovery.findRun(discovery.id) && !one.discovery.findRun(discovery.id));
  });

  it('lists every device once, with the state that its owner knows, on whichever member is asked', async () => {
    const names = Array.from({ length: count }, (_, i) => `d${i}`).sort();
    for (const member of [one, two]) {
      const list = await member.read<DeviceList>('/snmp/devices');
      assert.deepEqual(
        list.devices.map(({ name }) => name),
        names,
      );
      assert.ok(list.devices.every(({ state }) => state === 'up'));
      assert.deepEqual([list.total, list.next, list.silentMembers], [count, undefined, undefined]);
    }
  });

  it('reads a list page by page over all members', async () => {
    const names: string[] = [];
    let cursor = '';
    for (let pages = 1; ; pages++) {
      const page = await one.read<DeviceList>(`/snmp/devices?state=up&limit=5${cursor}`);
      names.push(...page.devices.map(({ name }) => name));
      assert.equal(page.total, count);
      if (page.next === undefined) {
        assert.equal(pages, 4);
        break;
      }
      cursor = `&cursor=${page.next}`;
    }
    assert.deepEqual(names, Array.from({ length: count }, (_, i) => `d${i}`).sort());
  });

  it('sorts a list over all members, page by page', async () => {
    for (const [sort, isDescending] of [
      ['name', false],
      ['-name', true],
      ['-since', true],
    ] as const) {
      const read = async (limit: number) => {
        const found: DeviceList['devices'][number][] = [];
        for (let cursor = ''; ; ) {
          const page = await one.read<DeviceList>(`/snmp/devices?sort=${sort}&limit=${limit}${cursor}`);
          found.push(...page.devices);
          if (page.next === undefined) return found;
          cursor = `&cursor=${page.next}`;
        }
      };
      const inPages = await read(3);
      assert.equal(new Set(inPages.map(({ port }) => port)).size, count, sort);
      assert.deepEqual(inPages, await read(100), sort);
      // Numbers in names count by their size: d2 comes before d10.
      const key = ({ name, since }: (typeof inPages)[number]) =>
        sort.endsWith('name') ? Number(name.slice(1)) : Date.parse(since);
      const keys = inPages.map(key);
      assert.deepEqual(
        keys,
        keys.toSorted((a, b) => (isDescending ? b - a : a - b)),
        sort,
      );
      // Which member owns a port is chance, so both have devices, but perhaps not among the first.
      const owners = new Set(inPages.map(({ port }) => one.owns(port)));
      assert.equal(owners.size, 2, 'both members have devices');
    }
  });

  it('lists the devices of one member with ?scope=member', async () => {
    const lists = await Promise.all(
      [one, two].map(({ read }) => read<DeviceList>('/snmp/devices?scope=member')),
    );
    for (const [i, { devices }] of lists.entries()) {
      assert.ok(devices.length > 0);
      assert.ok(devices.every(({ port }) => [one, two][i]!.owns(port)));
    }
    assert.equal(lists[0]!.total + lists[1]!.total, count);
  });

  it('adds and joins what the members counted', async () => {
    const paths = ['/snmp/polling', '/snmp/discoveries', '/snmp/slowest?limit=1000', '/snmp/uncollected'];
    for (const path of paths) assert.equal((await one.ask(path)).status, 200, path);
    // A device has something to poll after its first discovery.
    await until(async () => (await one.read<{ devices: number }>('/snmp/polling')).devices === count);
    const slowest = '/snmp/slowest?limit=1000';
    await until(async () => {
      const { devices } = await two.read<{ devices: { device: { name: string } }[] }>(slowest);
      return new Set(devices.map(({ device }) => device.name)).size === count;
    });
    const own = await one.read<{ total: number }>('/snmp/discoveries?scope=member');
    const all = await one.read<{ total: number }>('/snmp/discoveries');
    assert.ok(own.total < all.total);
  });

  it('adds why something is not collected, by root and reason', async () => {
    interface Uncollected {
      readonly devices: number;
      readonly roots: readonly {
        readonly root: string;
        readonly devices: number;
        readonly why: readonly { readonly reason: string; readonly devices: number }[];
        readonly examples: readonly object[];
      }[];
    }
    const all = await one.read<Uncollected>('/snmp/uncollected');
    assert.deepEqual(
      { ...all, roots: all.roots.map((root) => ({ ...root, examples: root.examples.length })) },
      {
        devices: count,
        roots: [
          {
            root: '1.3.6.1.4.1.64000',
            devices: count,
            why: [{ reason: 'on_request', devices: count }],
            examples: 5,
          },
        ],
      },
    );
    const own = await Promise.all(
      [one, two].map(({ read }) => read<Uncollected>('/snmp/uncollected?scope=member')),
    );
    assert.ok(own.every(({ roots }) => roots[0]!.devices > 0));
    assert.equal(
      own.reduce((sum, { roots }) => sum + roots[0]!.why[0]!.devices, 0),
      count,
    );
  });

  it('says who owns what', async () => {
    const { members } = await one.read<{ members: { name: string; devices: number }[] }>('/cluster');
    assert.deepEqual(
      members.map(({ name }) => name),
      ['one', 'two'],
    );
    assert.equal(members[0]!.devices + members[1]!.devices, count);
    const headers = { authorization: `Bearer ${memberToken}` };
    assert.match(await (await fetch(`${one.url}/metrics`, { headers })).text(), /waywiser_cluster_members 2/);
  });

  it('sends the events of all members, and names the member of each', async () => {
    const heard = follow(one, '');
    const ofPoll = follow(one, '?name=output.stalled');
    const alone = follow(one, '?scope=member');
    const emit = (member: FleetMember, why: string) =>
      member.collector.events.emit('device.state', {
        device: deviceAt(portOfTwo),
        from: 'up',
        to: 'suspect',
        why,
      });
    // The streams of the members are open when an event of each arrives.
    await until(() => {
      emit(one, 'by one');
      emit(two, 'by two');
      return heard.some(has('by one')) && heard.some(has('by two'));
    });
    assert.ok(heard.filter(has('by two')).every(({ member }) => member === 'two'));
    assert.ok(heard.filter(has('by one')).every(({ member }) => member === 'one'));
    await until(() => alone.some(has('by one')));
    assert.ok(!alone.some(has('by two')));
    assert.equal(ofPoll.length, 0);
  });

  it('tells once what every member tells', async () => {
    const heard = follow(one, '?name=device.removed,device.state');
    for (const { collector } of [one, two])
      collector.events.emit('device.removed', { device: deviceAt(portOfTwo), cause: 'a test' });
    await until(() => {
      two.collector.events.emit('device.state', {
        device: deviceAt(portOfTwo),
        from: 'up',
        to: 'down',
        why: 'end',
      });
      return heard.some(has('end'));
    });
    const removals = heard.filter(({ name }) => name === 'device.removed');
    assert.deepEqual(
      removals.map(({ member }) => member),
      ['two'],
    );
  });

  it('repeats the events of all members to a client that comes back', async () => {
    const state = (why: string) => ({ device: deviceAt(portOfTwo), from: 'up', to: 'suspect', why }) as const;
    const name = deviceAt(portOfTwo).name;
    const first = follow(one, `?device=${name}`);
    await until(() => {
      two.collector.events.emit('device.state', state('seen'));
      return first.some(has('seen'));
    });
    const { id } = first.at(-1)!;
    first.end();
    two.collector.events.emit('device.state', state('missed'));
    const second = follow(one, `?device=${name}`, id);
    await until(() => second.some(has('missed')));
    assert.ok(second.every(({ id: later }) => Number(later) > Number(id)));
  });

  it('refuses a stranger', async () => {
    const headers = { authorization: 'Bearer another' };
    assert.equal((await fetch(`${one.url}/api/v1/cluster`, { headers })).status, 401);
  });

  it('keeps a cursor valid while devices move, and names a member that does not answer', async () => {
    const first = await one.read<DeviceList>('/snmp/devices?limit=6');
    const three = await fleet.add('three', { folder, token: 'another-token-of-members-01234' });
    await allOwned([one, two, three]);
    const rest = await one.read<DeviceList>(`/snmp/devices?cursor=${first.next}`);
    const silent = rest.silentMembers ?? [];
    assert.deepEqual(
      silent.map(({ name }) => name),
      ['three'],
    );
    assert.match(silent[0]!.reason, /401/);
    const expected = fleet.devices.ports
      .map((port, i) => ({ name: `d${i}`, isKnown: !three.owns(port) }))
      .filter(({ name, isKnown }) => isKnown && name > first.devices.at(-1)!.name)
      .map(({ name }) => name)
      .sort();
    assert.deepEqual(
      rest.devices.map(({ name }) => name),
      expected,
    );
    const port = fleet.devices.ports.find((each) => three.owns(each));
    if (port !== undefined) assert.equal((await one.ask(`/snmp/devices/127.0.0.1/${port}`)).status, 401);
    await three.collector.stop();
    await allOwned([one, two]);
    assert.equal(one.fleet.ownerOf(shardOf({ ip: '127.0.0.1', port: portOfTwo })), 'two');
    assert.equal((await one.read<DeviceList>('/snmp/devices')).total, count);
  });
});
