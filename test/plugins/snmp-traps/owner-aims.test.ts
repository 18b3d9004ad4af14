import { deepEqual, equal, ok } from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import type { AimingTrap } from '../../../plugins/snmp-traps/aim/aimed-polls.ts';
import { OwnerAims, type OwnerAimsParts, passedAims } from '../../../plugins/snmp-traps/aim/owner-aims.ts';
import { shardOf } from '../../../src/sharding/index.ts';
import { Value } from '../../../src/typebox.ts';

const idOf = (number: number) => `01KB${String(number).padStart(22, '0')}`;
const deviceOf = (port: number) => ({ ref: { name: `d${port}`, ip: '192.0.2.1', port } });
const ownPort = 1;

/** A member that owns the device of port 1. All others are of the member `there`. */
function startOwners(t: TestContext, { status = 200, owner = 'there' } = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const bodies: { readonly aims: readonly { readonly trapId: string; readonly port: number }[] }[] = [];
  const told: string[] = [];
  const added: string[] = [];
  const ask = async (_: unknown, { body = '' }: { readonly body?: string }) => {
    bodies.push(JSON.parse(body));
    ok(Buffer.byteLength(body) <= 262_144, 'a member accepts so many octets');
    ok(Value.Check(passedAims, bodies.at(-1)), 'a member accepts what is in it');
    return { status, body: Readable.from([]) };
  };
  const parts = {
    shards: {
      owns: (shard: number) => shard === shardOf(deviceOf(ownPort).ref),
      fleet: { ownerOf: () => owner || undefined, members: new Map([['there', {}]]), requests: { ask } },
    },
    aimed: {
      add: ({ summary }: AimingTrap) => void added.push(summary.trapId),
      skip: (trapIds: readonly string[]) => void told.push(`skipped ${trapIds.length}`),
    },
    findDevice: ({ port }: { readonly port: number }) => (port < 100 ? deviceOf(port) : undefined),
    onPassed: (trapIds: readonly string[]) => void told.push(`passed ${trapIds.length}`),
    log: { warn: () => {} },
  };
  const owners = new OwnerAims(parts as unknown as OwnerAimsParts);
  let sent = 0;
  const add = (port: number, instances: readonly string[] = ['7']) =>
    owners.add({
      summary: { name: 'X::down', trapId: idOf(++sent) },
      decoded: {
        definition: { aim: { poll: ['A::a'], rediscover: false } },
        named: instances.map((instance) => ({ object: 'A::a', table: 'T', instance })),
        pointed: [],
      },
      subject: { device: deviceOf(port) },
    } as never);
  const advance = async (ms: number) => {
    t.mock.timers.tick(ms);
    for (let turn = 0; turn < 10; turn++) await new Promise((done) => setImmediate(done));
  };
  const portsOf = (at: number) => bodies[at]?.aims.map(({ port }) => port);
  return { add, added, advance, bodies, owners, portsOf, told };
}

describe('what a notification names, for the owner of its device', () => {
  it('stays here when this process owns the device', async (t) => {
    const { add, added, advance, bodies } = startOwners(t);
    add(ownPort);
    await advance(1_000);
    deepEqual([added, bodies], [[idOf(1)], []]);
  });

  it('goes to the owner once for all notifications that ask for the same, at most once a second', async (t) => {
    const { add, advance, bodies, portsOf, told } = startOwners(t);
    for (let flap = 0; flap < 500; flap++) add(2);
    add(3);
    await advance(100);
    deepEqual(portsOf(0), [2, 3]);
    equal(bodies[0]!.aims[0]!.trapId, idOf(1));
    deepEqual(told, ['passed 500', 'passed 1']);
    add(2);
    await advance(999);
    equal(bodies.length, 1);
    await advance(1);
    deepEqual(portsOf(1), [2]);
  });

  it('is skipped when nobody owns the device, or the owner does not take it', async (t) => {
    const nobody = startOwners(t, { owner: '' });
    nobody.add(2);
    deepEqual(nobody.told, ['skipped 1']);
    t.mock.timers.reset();
    const refused = startOwners(t, { status: 503 });
    refused.add(2);
    await refused.advance(100);
    deepEqual(refused.told, ['skipped 1']);
    t.mock.timers.reset();
    const gone = startOwners(t, { owner: 'gone' });
    gone.add(2);
    await gone.advance(100);
    deepEqual(gone.told, ['skipped 1']);
  });

  it('fits into bodies that the owner accepts, whatever devices send', async (t) => {
    const { add, advance, bodies, told } = startOwners(t);
    // The longest index that an OID has room for, and more rows than any notification has.
    const long = Array.from({ length: 110 }, () => 4_294_967_295).join('.');
    for (let port = 2; port < 5; port++)
      add(
        port,
        Array.from({ length: 4_000 }, (_, row) => `${long}.${row}`),
      );
    add(5);
    for (let second = 0; second < 4; second++) await advance(1_000);
    deepEqual(
      bodies.flatMap(({ aims }) => aims.map(({ port }) => port)),
      [2, 3, 4, 5],
    );
    deepEqual(told, ['passed 1', 'passed 1', 'passed 1', 'passed 1']);
  });

  it('is bounded while the owner takes nothing, and is forgotten at the end', async (t) => {
    const { add, added, advance, bodies, owners, told } = startOwners(t);
    for (let port = 2; port < 6_002; port++) add(port);
    equal(told.length + added.length, 1_000, 'a few devices are in a shard of this process');
    owners.close();
    add(6_002);
    await advance(10_000);
    deepEqual(bodies, []);
  });

  it('is not passed on again by a process that does not own the device', async (t) => {
    const { added, advance, bodies, owners, told } = startOwners(t);
    const aim = { ip: '192.0.2.1', name: 'X::down', poll: [], rediscover: false, named: [], pointed: [] };
    for (const port of [2, 100, ownPort]) owners.take({ ...aim, port, trapId: idOf(port) });
    await advance(2_000);
    deepEqual([added, bodies, told], [[idOf(ownPort)], [], ['skipped 1', 'skipped 1']]);
  });
});
