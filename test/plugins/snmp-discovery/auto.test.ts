import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startDiscovery } from './discovery-stack.ts';

/** Tables below one vendor or below many, and the recording of a device that has every tenth of the first 300. */
function manyObjects(count: number, columnOf: (object: number) => string) {
  const texts: string[] = [];
  const lines = ['1.3.6.1.2.1.1.1.0|4|a device', '1.3.6.1.2.1.1.3.0|67|100'];
  for (let object = 1; object <= count; object++) {
    const entry = columnOf(object);
    const columns = [2, 3, 4].map(
      (column) => `    c${column}: { oid: ${entry}.${column}, name: t${object}.c${column}, syntax: Gauge32 }`,
    );
    texts.push(
      `T-MIB::t${object}:\n  index: [{ type: Integer, name: t${object}, syntax: IntegerAsID }]\n  discovery_attribute: c2\n  attributes:\n${columns.join('\n')}\n`,
    );
    if (object > 300 || object % 10 !== 0) continue;
    for (const column of [2, 3, 4])
      for (const row of [1, 2]) lines.push(`${entry}.${column}.${row}|66|${row}`);
  }
  const compare = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });
  return { texts, recording: parseRecording(`${lines.sort(compare).join('\n')}\n`) };
}

const answered = [
  'SNMPv2-MIB::system',
  ...Array.from({ length: 30 }, (_, position) => `T-MIB::t${10 * (position + 1)}`),
];

/** How many packets the discovery of 30 objects takes: named in a list, and found by `auto`. */
async function countRequests(test: TestContext, { texts, recording }: ReturnType<typeof manyObjects>) {
  const half = texts.length / 2;
  const folder = new DefinitionFolder(test, {
    'objects/many-1.yml': texts.slice(0, half).join(''),
    'objects/many-2.yml': texts.slice(half).join(''),
    'object_groups/groups.yml': `thirty: { objects: [${answered.join(', ')}] }\n`,
    'device_groups/groups.yml': 'auto: { objects: auto }\nlist: { object_groups: [thirty] }\n',
  });
  const names = ['list', 'auto'];
  const agents = await Promise.all(names.map(() => startReplayAgent({ recording })));
  test.after(() => Promise.all(agents.map((agent) => agent.close())));
  folder.writeDevices(
    names.map((name, at) => ({ name, port: agents[at]!.port, groups: `device_groups: [${name}]` })),
  );
  const { discovery, device, settle } = await startDiscovery(test, folder);
  await settle();
  for (const name of names) {
    const inventory = discovery.findInventory(device(name));
    assert.deepEqual([...(inventory?.objects.keys() ?? [])].sort(), answered.toSorted());
  }
  return agents.map(({ counters }) => counters.requests);
}

describe('discovery with `objects: auto`', () => {
  for (const [place, columnOf] of [
    ['below one vendor', (object: number) => `1.3.6.1.4.1.63000.${object}.1`],
    ['below a vendor each', (object: number) => `1.3.6.1.4.1.${60_000 + object}.1.1`],
  ] as const) {
    it(`takes at most 40 packets more than a list of 30 objects, with 5,000 defined ${place}`, async (t) => {
      const set = manyObjects(5_000, columnOf);
      const [listed = 0, auto = 0] = await countRequests(t, set);
      t.diagnostic(`${listed} packets for a list, ${auto} for auto`);
      assert.ok(auto <= listed + 40, `${listed} packets for a list, ${auto} for auto`);
    });
  }
});
