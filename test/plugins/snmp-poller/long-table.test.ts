import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rowsOf } from '../../../src/index.ts';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const rows = 20_000;

function longRecording() {
  const lines = ['1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.9.9', '1.3.6.1.2.1.1.3.0|67|1000'];
  for (let row = 1; row <= rows; row++) {
    lines.push(`1.3.6.1.2.1.2.2.1.2.${row}|4|Port ${row}`, `1.3.6.1.2.1.2.2.1.10.${row}|65|${row}`);
    lines.push(`1.3.6.1.2.1.31.1.1.1.1.${row}|4|p${row}`, `1.3.6.1.2.1.31.1.1.1.6.${row}|70|${row * 1000}`);
  }
  return parseRecording(lines.join('\n'));
}

it('a table of 20,000 rows is polled with every value in its row', async (t) => {
  await using agent = await startReplayAgent({ recording: longRecording() });
  const folder = new DefinitionFolder(t);
  folder.writeDevices([{ name: 'big', port: agent.port, groups: 'device_groups: [switch]' }]);
  const { discovered, poll } = await startPolling(t, folder);
  await discovered();
  const batch = (await poll('big')).find(({ record }) => record === 'IF-MIB::ifEntry')!;
  let row = 0;
  for (const { key, labels, values } of rowsOf(batch)) {
    row++;
    assert.equal(key, `netif.name=p${row}`);
    assert.equal(labels['netif.description'], `Port ${row}`);
    assert.equal(values['netif.bytes.in'], row * 1000);
  }
  assert.equal(row, rows);
});
