import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { record } from '../../../cli/snmp/record/record.ts';
import { parseRecording, type Recording, startReplayAgent } from '../../../src/testing/index.ts';
import { missingShared, sharedPath } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CollectorProcess } from '../support/collector-process.ts';
import { everyType } from './every-type.ts';

const manyRows = Array.from({ length: 2000 }, (_, i) => `1.3.6.1.2.1.2.2.1.1.${i + 1}|2|${i}\n`).join('');

describe('waywiser record', () => {
  it('writes a recording that stays the same when replayed and recorded again', async (t) => {
    const folder = temporaryFolder(t);
    const first = await recordOf(parseRecording(everyType), join(folder, 'first.snmprec'));
    const second = await recordOf(join(folder, 'first.snmprec'), join(folder, 'second.snmprec'));
    assert.equal(first.split('\n').length, everyType.trim().split('\n').length + 1);
    assert.equal(second, first);
  });

  for (const file of [
    'cisco-n5000.snmprec.gz',
    'linux-unknown-002.snmprec.gz',
    'windows-server-2003.snmprec.gz',
  ]) {
    it(`keeps every varbind of ${file}`, { skip: missingShared('recordings') }, async (t) => {
      const folder = temporaryFolder(t);
      const path = join(sharedPath('recordings'), file);
      const first = await recordOf(path, join(folder, 'first.snmprec.gz'));
      const second = await recordOf(join(folder, 'first.snmprec.gz'), join(folder, 'second.snmprec.gz'));
      assert.equal(second, first);
      const oids = gunzipSync(readFileSync(path))
        .toString('latin1')
        .match(/^[\d.]+(?=\|)/gm);
      assert.equal(first.match(/^[\d.]+(?=\|)/gm)?.length, new Set(oids).size);
    });
  }

  it('replaces confidential text, equal text by equal replacements', async (t) => {
    const path = join(temporaryFolder(t), 'redacted.snmprec');
    const redacted = await recordOf(parseRecording(telling), path, { redact: true, c: 'our community' });
    assert.deepEqual(redacted.trim().split('\n'), [
      '1.3.6.1.2.1.1.1.0|4|A switch',
      '1.3.6.1.2.1.1.4.0|4|redacted-1',
      '1.3.6.1.2.1.1.5.0|4|switch-1',
      '1.3.6.1.2.1.1.6.0|4|',
      '1.3.6.1.2.1.25.4.2.1.5.9|4|redacted-2',
      '1.3.6.1.2.1.31.1.1.1.18.1|4|redacted-3',
      '1.3.6.1.2.1.31.1.1.1.18.2|4|community centre',
      '1.3.6.1.2.1.47.1.1.1.1.11.1|4|redacted-4',
      '1.3.6.1.2.1.47.1.1.1.1.11.2|4|redacted-5',
      '1.3.6.1.2.1.47.1.1.1.1.11.3|4|redacted-4',
      '1.3.6.1.4.1.8072.9999.1|4|redacted-4',
      '1.3.6.1.4.1.8072.9999.2|4|n/a',
      '1.3.6.1.4.1.8072.9999.3|4|redacted-6',
      '1.3.6.1.6.3.15.1.1.1.0|65|3',
    ]);
    const secrets = ['Anna', 'FOC123', 'our community', 'hush'];
    for (const secret of secrets) assert.ok(!redacted.includes(secret), secret);
  });

  it('writes no file and keeps an older one when the device stops answering', async (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'device.snmprec'), 'old');
    await using agent = await startReplayAgent({
      recording: parseRecording(manyRows),
      knobs: { delayMs: 1 },
    });
    setTimeout(() => agent.set({ isSilent: true }), 20);
    const target = `${agent.address}:${agent.port}`;
    const options = { t: '0.1', r: '0', C: ['r1'] };
    await assert.rejects(record(target, join(folder, 'device.snmprec'), '1', options), {
      code: 'SNMP_TIMEOUT',
    });
    assert.deepEqual(readdirSync(folder), ['device.snmprec']);
    assert.equal(readFileSync(join(folder, 'device.snmprec'), 'utf8'), 'old');
  });

  it('writes no file when there is nothing to record', async (t) => {
    const folder = temporaryFolder(t);
    const recording = recordOf(parseRecording(everyType), join(folder, 'x.snmprec'), {}, '1.3.6.1.2');
    await assert.rejects(recording, { code: 'RECORDING_EMPTY' });
    assert.deepEqual(readdirSync(folder), []);
  });

  it('names the file that cannot be written, and the reason', async (t) => {
    const recording = recordOf(parseRecording(everyType), join(temporaryFolder(t), 'none/x.snmprec'));
    await assert.rejects(recording, { code: 'RECORDING_UNWRITABLE', message: /none\/x\.snmprec/ });
  });

  it('removes the unfinished file at Ctrl-C', async (t) => {
    await using agent = await startReplayAgent({
      recording: parseRecording(manyRows),
      knobs: { delayMs: 5 },
    });
    const command = new CollectorProcess(t);
    command.run(['record', '-Cr1', `127.0.0.1:${agent.port}`, 'device.snmprec']);
    while (!readdirSync(command.folder).some((name) => name.endsWith('.part'))) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    command.kill('SIGINT');
    assert.equal(await command.exit, 130);
    assert.deepEqual(readdirSync(command.folder), ['package.json']);
  });

  it('exits with 2 for a file name without a format', async (t) => {
    const command = new CollectorProcess(t);
    command.run(['record', '127.0.0.1', 'device.txt']);
    assert.equal(await command.exit, 2);
    assert.match(
      command.stderr,
      /The file name "device\.txt" does not say the format of the recording\. .* \[RECORDING_NAME_INVALID\]/,
    );
  });
});

const telling = `
1.3.6.1.2.1.1.1.0|4|A switch
1.3.6.1.2.1.1.4.0|4|Anna, room 7
1.3.6.1.2.1.1.5.0|4|switch-1
1.3.6.1.2.1.1.6.0|4|
1.3.6.1.2.1.25.4.2.1.5.9|4|-u anna -phush
1.3.6.1.2.1.31.1.1.1.18.1|4|uplink, password: hush
1.3.6.1.2.1.31.1.1.1.18.2|4|community centre
1.3.6.1.2.1.47.1.1.1.1.11.1|4|FOC123
1.3.6.1.2.1.47.1.1.1.1.11.2|4|n/a
1.3.6.1.2.1.47.1.1.1.1.11.3|4|FOC123
1.3.6.1.4.1.8072.9999.1|4|FOC123
1.3.6.1.4.1.8072.9999.2|4|n/a
1.3.6.1.4.1.8072.9999.3|4|asks with our community
1.3.6.1.6.3.12.1.2.1.2.4.104.117.115.104|6|1.3.6.1.6.1.1
1.3.6.1.6.3.15.1.1.1.0|65|3
1.3.6.1.6.3.15.1.2.2.1.3.1.65.4.65.110.110.97|4|Anna
1.3.6.1.6.3.16.1.2.1.3.1.4.104.117.115.104|4|readers
1.3.6.1.6.3.18.1.1.1.2.4.104.117.115.104|4|our community
`;

type Options = Parameters<typeof record>[3];

/** Records an agent that replays a recording, and returns the new recording as text. */
async function recordOf(
  source: string | Recording,
  path: string,
  options: Options = {},
  oid = '1',
): Promise<string> {
  await using agent = await startReplayAgent({ recording: source, community: options.c ?? 'public' });
  assert.equal(await record(`${agent.address}:${agent.port}`, path, oid, options), 0);
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
}
