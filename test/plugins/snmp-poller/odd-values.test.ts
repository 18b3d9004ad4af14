import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gapAt, valueAt } from '../../../src/index.ts';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const entry = '1.3.6.1.4.1.32473.9.1';
const recording = parseRecording(
  [
    '1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.32473',
    '1.3.6.1.2.1.1.3.0|67|1000',
    `${entry}.2.3.97.98.99|2|1`,
    `${entry}.2.5.97|2|9`,
  ].join('\n'),
);

it('keeps an index that cannot be decoded and a value without an enum name, and counts them at each poll', async (t) => {
  await using agent = await startReplayAgent({ recording });
  const folder = new DefinitionFolder(t, {
    'objects/odd.yml': `ODD-MIB::odd:
  mib: ODD-MIB
  object: odd
  index: [{ type: OctetString, oid: .${entry}.1, name: odd.name, syntax: DisplayString }]
  discovery_attribute: oddState
  attributes:
    oddState: { oid: .${entry}.2, name: odd.state, syntax: EnumInteger }
`,
    'enums/integer/odd.yml': `.${entry}.2: { 1: good }\n`,
    'object_groups/odd.yml': 'odd: { objects: [ODD-MIB::odd] }\n',
    'device_groups/odd.yml': 'odd: { object_groups: [odd] }\n',
  });
  folder.writeDevices([{ name: 'dev', port: agent.port, groups: 'device_groups: [odd]' }]);
  const { discovered, poll, poller, device } = await startPolling(t, folder);
  await discovered();
  const [batch] = await poll('dev');
  assert.deepEqual(batch!.rows.labels, { 'odd.name': ['abc', undefined], 'index.raw': [undefined, '5.97'] });
  const [column] = batch!.columns;
  assert.deepEqual([valueAt(column!, 0), valueAt(column!, 1)], ['good', '9']);
  assert.deepEqual([gapAt(column!, 0), gapAt(column!, 1)], [undefined, undefined]);
  const count = () => {
    const { unnamed, gaps } = poller.deviceCounters(device('dev'))!;
    return [unnamed, gaps.decode];
  };
  assert.deepEqual(count(), [1, 1]);
  await poll('dev');
  assert.deepEqual(count(), [2, 2]);
  assert.equal(poller.counters().unnamed, 2);
});
