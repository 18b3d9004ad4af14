import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder, smallDefinitions } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const types = `dynamic: { poll_interval: 60 }
slow: { poll_interval: 300 }
static: { poll_interval: 3600 }
`;

/** The small definitions with a type for each object, as all shipped objects have one. */
const typedFiles = {
  'defaults/object_types.yml': types,
  'objects/system.yml': smallDefinitions['objects/system.yml']!.replace(
    'object: system\n',
    'object: system\n  type: static\n',
  ),
  'objects/interfaces.yml': smallDefinitions['objects/interfaces.yml']!.replace(
    'object: ifEntry\n',
    'object: ifEntry\n  type: dynamic\n',
  ).replace('object: ifXEntry\n', 'object: ifXEntry\n  type: slow\n'),
};

async function startSwitch(t: TestContext) {
  const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t, typedFiles);
  const write = (more: string) =>
    folder.writeDevices([{ name: 'sw', port: agent.port, groups: `device_groups: [switch]${more}` }]);
  write('');
  const stack = await startPolling(t, folder);
  await stack.discovered();
  const { definitions, poller, device } = stack;
  return {
    folder,
    write,
    plans: () =>
      poller
        .upcoming(device('sw'))
        .map(({ plan }) => Number(/\d+/.exec(plan)![0]))
        .sort((a, b) => a - b),
    dryRun: () => definitions.apply({ requestedBy: 'test', dryRun: true }),
    async apply() {
      assert.ok((await definitions.apply({ requestedBy: 'test' })).accepted);
    },
  };
}

describe('poll_interval', () => {
  it('of a device changes how often objects with a type are polled, and the preview shows the new load', async (t) => {
    const { write, plans, dryRun, apply } = await startSwitch(t);
    assert.deepEqual(plans(), [60, 300, 3600]);
    write(', poll_interval: 10');
    const preview = await dryRun();
    assert.ok(preview.accepted && preview.cost !== undefined);
    const { before, after } = preview.cost;
    assert.ok(
      Math.abs(after.valuesPerSecond / before.valuesPerSecond - 6) < 1e-9,
      JSON.stringify(preview.cost),
    );
    assert.ok(after.packetsPerSecond > before.packetsPerSecond);
    await apply();
    assert.deepEqual(plans(), [10, 50, 600]);
  });

  it('of defaults/device.yml is that of every device without one', async (t) => {
    const { folder, write, plans, apply } = await startSwitch(t);
    folder.write('defaults/device.yml', 'defaults: { poll_interval: 30 }\n');
    await apply();
    assert.deepEqual(plans(), [30, 150, 1800]);
    write(', poll_interval: 120');
    await apply();
    assert.deepEqual(plans(), [120, 600, 7200]);
  });

  it('leaves the types alone that poll_intervals names', async (t) => {
    const { write, plans, apply } = await startSwitch(t);
    write(', poll_interval: 10, poll_intervals: { static: 900 }');
    await apply();
    assert.deepEqual(plans(), [10, 50, 900]);
  });

  it('keeps every interval between a second and a week', async (t) => {
    const { write, plans, apply } = await startSwitch(t);
    write(', poll_interval: 604800');
    await apply();
    assert.deepEqual(plans(), [604_800]);
    write(', poll_interval: 1');
    await apply();
    assert.deepEqual(plans(), [1, 5, 60]);
  });

  it('is compared with the shortest type where none is called dynamic', async (t) => {
    const { folder, write, plans, apply } = await startSwitch(t);
    const rename = (text: string) => text.replaceAll('dynamic', 'often');
    folder.write('defaults/object_types.yml', rename(types).replace('60 }', '30 }'));
    folder.write('objects/interfaces.yml', rename(typedFiles['objects/interfaces.yml']));
    write(', poll_interval: 15');
    await apply();
    assert.deepEqual(plans(), [15, 150, 1800]);
  });
});
