import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { env } from 'node:process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isLong } from '../../../support/long-run.ts';
import { missingShared, missingTool, sharedPath } from '../../../support/needs.ts';
import { type PolledRecording, pollRecordings } from './poll-recordings.ts';
import { assertSameRecords } from './same-records.ts';

/**
 * `WAYWISER_UPDATE=1 WAYWISER_LONG=1 npm test -- test/plugins/snmp-poller/recorded` rewrites the expected files with
 * the current records. Read the diff before you commit it.
 */
const howToUpdate = 'if this is intended, WAYWISER_UPDATE=1 WAYWISER_LONG=1 rewrites the file';
const isUpdate = env['WAYWISER_UPDATE'] !== undefined;
/** Recorded devices that every run checks. */
const quick = /^(geist|tripplite|ubiquiti)/;
const own = fileURLToPath(new URL('../../../recordings', import.meta.url));

describe('the shipped definitions, discovered and polled over v2c and v3', () => {
  it('return for every test device the values that net-snmp’s tools read, and the reviewed records', {
    skip: missingTool('snmpbulkwalk'),
  }, async (t) => {
    const polled = await pollRecordings(t, listRecordings(own));
    assert.equal(polled.length, 6);
    for (const device of polled) {
      assertAsNetSnmp(device);
      const { name, reviewed: lines } = device;
      if (isUpdate) writeFileSync(expectedPath(name), `${lines.join('\n')}\n`);
      const reviewed = readFileSync(expectedPath(name), 'utf8').trimEnd().split('\n');
      assertSameRecords(lines, reviewed, `${name} (+) and the reviewed records (-); ${howToUpdate}`);
    }
  });

  it('return for every recorded device the values that net-snmp’s tools read, and the same number as before', {
    skip: missingShared('recordings') || missingTool('snmpbulkwalk'),
  }, async (t) => {
    const all = listRecordings(sharedPath('recordings'));
    const polled = await pollRecordings(t, isLong ? all : all.filter((path) => quick.test(basename(path))));
    assert.ok(polled.length >= (isLong ? 20 : 3));
    for (const device of polled) assertAsNetSnmp(device);
    const digests = polled.map(digestOf);
    if (isUpdate && isLong) writeFileSync(expectedPath('recorded-devices'), `${digests.join('\n')}\n`);
    const reviewed = readFileSync(expectedPath('recorded-devices'), 'utf8')
      .trimEnd()
      .split(/\n(?=\S)/);
    for (const [i, { name }] of polled.entries()) {
      const before = reviewed.find((each) => each.startsWith(`${name}\n`)) ?? '';
      assertSameRecords(
        digests[i]!.split('\n'),
        before.split('\n'),
        `${name} (+) and expected/recorded-devices.txt (-); ${howToUpdate}`,
      );
    }
  });
});

function assertAsNetSnmp({ name, expected, overV2c, overV3, impossible, malformed }: PolledRecording): void {
  assert.deepEqual(impossible, []);
  assert.equal(malformed, 0, `requests to ${name} that cannot be decoded`);
  assert.ok(expected.length > 3, `${name} has records`);
  assertSameRecords(overV2c, expected, `${name} over v2c (+) and by net-snmp (-)`);
  assertSameRecords(overV3, expected, `${name} over v3 (+) and by net-snmp (-)`);
}

function listRecordings(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /\.snmprec(\.gz)?$/.test(name));
  return names.sort().map((name) => join(folder, name));
}

function expectedPath(name: string): string {
  return join('test/plugins/snmp-poller/recorded/expected', `${name}.txt`);
}

/** The number of rows and values of each record, and a digest that shows changes. It contains no values. */
function digestOf({ name, reviewed }: PolledRecording): string {
  const records = reviewed.join('\n').split(/\n(?=\S)/);
  const lines = records.map((record) => {
    const [title, ...rest] = record.split('\n');
    const values = rest.filter((line) => line.startsWith('    ')).length;
    const digest = createHash('sha256').update(record).digest('hex').slice(0, 12);
    return `  ${title}: ${rest.length - values} rows, ${values} values, ${digest}`;
  });
  return [name, ...lines].join('\n');
}
