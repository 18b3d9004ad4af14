import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from '../../../cli/ctl/connect.ts';
import { findDevice } from '../../../cli/ctl/find-device.ts';
import { discoverDevice } from '../../../cli/device/discover.ts';
import { explainValue } from '../../../cli/device/explain.ts';
import { discover, explain, poll } from '../../../cli/device/local/local-commands.ts';
import { pollDevice } from '../../../cli/device/poll.ts';
import poller from '../../../plugins/snmp-poller/index.ts';
import { startThreeSwitches } from '../../plugins/http-api/support/three-switches.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { printed } from '../support/printed.ts';

/** The text without the parts that differ from poll to poll: times, durations, versions and uptimes. */
function settled(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d [\d:]{8}/g, 'TIME')
    .replace(/\d\d:\d\d:\d\d/g, 'CLOCK')
    .replace(/\d+ ms$/m, 'MS')
    .replace(/(in|and) (\d+ ms|\d+\.\d s) \(/, '$1 DURATION (')
    .replace(/generation \d+/, 'GENERATION')
    .replace(/version \d+/, 'VERSION')
    .replace(/in \d+ packets/, 'in PACKETS')
    .replace(/^(system\.uptime +)\d+/m, '$1UPTIME')
    .replace(/ +\+\d+$/gm, '')
    .replace(/^row .*_rate .*\n(?:.+\n)*/gm, withoutRates)
    .replace(/^device {2,}.*$/m, 'device');
}

/** A table without its rates, which are its last columns: only a device that was polled before has them. */
function withoutRates(table: string): string {
  const end = /\S+_rate /.exec(table)!.index;
  return table
    .split('\n')
    .map((line) => line.slice(0, end).trimEnd())
    .join('\n');
}

test('the commands for a local device and for a running collector print the same text', async (t: TestContext) => {
  const { baseUrl, folder } = await startThreeSwitches(t, { more: [{ plugin: poller }] });
  const client = connect({ url: baseUrl }, {});
  const place = await findDevice(client, 'a');
  const config = join(temporaryFolder(t), 'waywiser.yml');
  const directories = `shipped: false, directories: [${JSON.stringify(folder.path)}]`;
  writeFileSync(config, `plugins: { definitions-loader: { ${directories} }, snmp-poller: {} }\n`);
  const pairs: Readonly<Record<string, readonly [() => Promise<number>, () => Promise<number>]>> = {
    discover: [() => discover('a', { config }), () => discoverDevice(client, place, {})],
    poll: [() => poll('a', { config }), () => pollDevice(client, place, {})],
    explain: [
      () => explain('a', 'IF-MIB::ifXEntry.3', 'ifHCInOctets', { config }),
      () => explainValue(client, place, { object: 'IF-MIB::ifXEntry.3', attribute: 'ifHCInOctets' }, {}),
    ],
    'explain a value that is not there': [
      () => explain('a', 'IF-MIB::ifEntry.3', 'ifInOctets', { config }),
      () => explainValue(client, place, { object: 'IF-MIB::ifEntry.3', attribute: 'ifInOctets' }, {}),
    ],
  };
  for (const [name, [local, remote]] of Object.entries(pairs)) {
    await t.test(name, async () => {
      const texts = [await printed(t, local), await printed(t, remote)];
      const [ours, theirs] = texts.map(settled);
      assert.equal(ours, theirs);
      assert.ok(ours!.split('\n').length > 5);
    });
  }

  await t.test('as JSON, too', async () => {
    const shapes = [
      await printed(t, () => poll('a', { config, json: true })),
      await printed(t, () => pollDevice(client, place, { json: true })),
    ].map((text) => {
      const { device, poll: report, records } = JSON.parse(text);
      return { device, report: Object.keys(report), records: records.map(Object.keys) };
    });
    assert.deepEqual(shapes[0], shapes[1]);
  });
});
