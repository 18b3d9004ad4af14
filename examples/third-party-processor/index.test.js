import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pipelineToken } from 'waywiser';
import { checkPlugin, createRecordingOutput, createTestBatch, startTestCollector } from 'waywiser/testing';
import { readTable } from './csv-table.js';
import plugin from './index.js';

const folder = mkdtempSync(join(tmpdir(), 'third-party-processor-'));
const file = join(folder, 'sites.csv');
const options = { file, check_every_ms: 10 };
writeFileSync(file, 'device,site\nswitch-1,berlin\n');
after(() => rmSync(folder, { recursive: true }));

it('keeps the contract of a plugin', async () => {
  await checkPlugin(plugin, { options });
});

it('adds the tags of the device, and those of a new file', async () => {
  writeFileSync(file, 'device,site\nswitch-1,berlin\n');
  const output = createRecordingOutput();
  const collector = await startTestCollector({ plugins: [{ plugin, options }, { plugin: output.plugin }] });
  const siteOf = async (name) => {
    const seen = output.batches.length;
    const device = { name, ip: '192.0.2.1', port: 161 };
    collector.getService(pipelineToken).push(createTestBatch({ device, tags: { floor: '2' } }));
    await output.waitFor((batches) => batches.length > seen);
    return output.batches.at(-1).tags;
  };
  assert.deepEqual(await siteOf('switch-1'), { floor: '2', site: 'berlin' });
  assert.deepEqual(await siteOf('switch-9'), { floor: '2' });

  writeFileSync(file, 'device,site,rack\nswitch-1,bonn,A1\n');
  while ((await siteOf('switch-1')).site !== 'bonn') await delay(10);
  assert.deepEqual(await siteOf('switch-1'), { floor: '2', site: 'bonn', rack: 'A1' });
  await collector.stop();
});

it('reads quoted cells, with commas, quotes and line breaks in them', () => {
  const table = readTable(
    'device,site,note\r\na,"Frankfurt, Main","he said ""no""\nand left"\r\n\r\nb,bonn\r\n',
  );
  assert.deepEqual(table.get('a'), { site: 'Frankfurt, Main', note: 'he said "no"\nand left' });
  assert.deepEqual(table.get('b'), { site: 'bonn', note: '' });
  assert.equal(table.size, 2);
});
