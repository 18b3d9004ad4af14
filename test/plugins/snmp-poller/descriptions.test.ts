import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { FamilyTable } from '../../../src/output-kit/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder, smallDefinitions } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const file = 'objects/system.yml';
const withText = (text: string) =>
  smallDefinitions[file]!.replace('metric: gauge', `metric: gauge, description: ${text}`);

describe('a changed description of an attribute', () => {
  it('is in the records and in HELP after an apply, without another discovery', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t);
    folder.write(file, withText('Before.'));
    folder.writeDevices([{ name: 'a', port: agent.port, groups: 'device_groups: [plain]' }]);
    const { definitions, discovered, poll, discovery } = await startPolling(t, folder);
    await discovered();
    const families = new FamilyTable('');
    const pollOnce = async () => {
      const [{ columns, generation } = assert.fail()] = await poll('a');
      const { field, about } = columns.find((column) => column.field === 'system.uptime')!;
      return [about?.description, families.getFamily(field, 'gauge', undefined, about, generation).help];
    };
    assert.deepEqual(await pollOnce(), ['Before.', 'Before.']);
    folder.write(file, withText('After.'));
    const result = await definitions.apply({ requestedBy: 'test' });
    assert.ok(result.accepted);
    // The old plans stay in use until the new ones are compiled.
    let shown = await pollOnce();
    for (let i = 0; i < 100 && shown[0] === 'Before.'; i++) {
      await pause(20);
      shown = await pollOnce();
    }
    assert.deepEqual(shown, ['After.', 'After.']);
    assert.deepEqual(
      discovery.runs.map(({ cause }) => cause),
      ['initial'],
    );
  });

  it('does not change HELP back when a batch of older definitions is still in the queue', () => {
    const families = new FamilyTable('');
    const helpOf = (description: string, generation: number) =>
      families.getFamily('load', 'gauge', undefined, { description }, generation).help;
    const helps = [helpOf('One.', 1), helpOf('Other.', 1), helpOf('Two.', 2), helpOf('One.', 1)];
    assert.deepEqual(helps, ['One.', 'One.', 'Two.', 'Two.']);
  });
});
