import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SlotAllocator } from '../../../../plugins/snmp-poller/plan/slot-allocator.ts';
import type { CompiledAttribute } from '../../../../src/definitions/index.ts';
import type { CompiledRequest } from '../../../../src/snmp/index.ts';

const column = '1.3.6.1.4.1.1.2';
const prefix = Array.from({ length: 100 }, (_, i) => 0x0fffffff + i).join('.');

function compile(instances: readonly string[]): { requests: CompiledRequest[]; steps: number } {
  const allocator = new SlotAllocator({ dialect: { version: '2c', community: 'public' } });
  const attribute = { column, fields: [], syntax: 'Unsigned32' } as unknown as CompiledAttribute;
  allocator.request(attribute, instances, false);
  allocator.allocate();
  const work = allocator.compileRequests(false);
  for (let steps = 0; ; steps++) {
    const step = work.next();
    if (step.done) return { requests: step.value, steps };
  }
}

it('requests for indexes of 100 arcs are compiled in steps as short as those for short indexes', () => {
  const rows = 10_000;
  const short = compile(Array.from({ length: rows }, (_, row) => String(row + 1)));
  const long = compile(Array.from({ length: rows }, (_, row) => `${prefix}.${row + 1}`));
  for (const { requests } of [short, long]) {
    const slots = requests.flatMap((request) => [...request.slots]);
    assert.equal(new Set(slots).size, slots.length);
    assert.ok(slots.length >= rows);
    for (const { expected } of requests) assert.ok(expected.length <= 150_000, `${expected.length} octets`);
  }
  assert.ok(short.steps <= 5, `${short.steps} steps`);
});
