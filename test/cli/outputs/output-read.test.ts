import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { readOutput } from '../../../cli/outputs/output-read.ts';
import batchFiles from '../../../plugins/outputs/batch-files/index.ts';
import { type Batch, defineOutput, PermanentError, pipelineToken } from '../../../src/index.ts';
import { LineRenderer } from '../../../src/output-kit/lines/line-renderer.ts';
import { nodeFileSystem, RecordLog } from '../../../src/storage/index.ts';
import { createTestBatch, startTestCollector } from '../../../src/testing/index.ts';
import { hostileStrings } from '../../plugins/outputs/support/hostile-strings.ts';
import { runOutput } from '../../plugins/outputs/support/running-output.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();

/** The output of the command on both streams, and its exit code. */
async function read(test: TestContext, paths: readonly string[], options: { readonly gaps?: boolean } = {}) {
  let text = '';
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  const mock = test.mock.method(console, 'error', () => {});
  const code = await readOutput(paths, options, stream);
  const stderrText = mock.mock.calls
    .map(({ arguments: [line] }) => stripVTControlCharacters(String(line)))
    .join('\n');
  mock.mock.restore();
  return { code, text, stderrText };
}

const sequencesIn = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).sequence);

const asLines = (batches: readonly Batch[], gaps = false) =>
  Buffer.concat(new LineRenderer({ nested: false, gaps }).render(batches)).toString();

const hostile = Object.values(hostileStrings).map((text, i) =>
  createTestBatch({
    sequence: i + 1,
    device: { name: text, ip: '192.0.2.1', port: 161 },
    rows: [{ key: text, labels: { label: text }, values: { text, octets: 2n ** 64n - 1n } }, { values: {} }],
  }),
);

/** The only segment of an archive with these batches. */
async function writeArchive(name: string, batches: readonly Batch[]) {
  const directory = join(folder, name);
  await using output = await runOutput(batchFiles, { directory });
  await output.deliver(...batches);
  const segments = readdirSync(directory).filter((name) => name.endsWith('.segment'));
  return { directory, file: join(directory, segments[0]!) };
}

/** Each record of a segment is damaged once, at its last byte. */
function damageRecord(file: string, record: number): void {
  const bytes = readFileSync(file);
  let at = 256;
  for (let i = 0; i < record; i++) at += 32 + bytes.readUInt32LE(at + 4);
  bytes[at + 31 + bytes.readUInt32LE(at + 4)]! ^= 1;
  writeFileSync(file, bytes);
}

describe('waywiser output read', () => {
  it('prints files of batches in the form of the ndjson output', async (t) => {
    const { directory, file } = await writeArchive('archive', hostile);
    for (const gaps of [false, true]) {
      const { code, text, stderrText } = await read(t, [directory], { gaps });
      assert.equal(text, asLines(hostile, gaps));
      assert.equal(code, 0);
      assert.equal(stderrText, `${2 * hostile.length} rows of ${hostile.length} batches`);
    }
    assert.equal((await read(t, [file])).text, asLines(hostile));
  });

  it('prints the batches of a disk queue without changing it', async (t) => {
    const stateDirectory = join(folder, 'state');
    let taken = 0;
    const slow = defineOutput({
      name: 'slow',
      summary: 'Takes two batches.',
      open: () => ({
        async write() {
          if (taken >= 2) throw new Error('not now');
          taken++;
        },
      }),
    });
    const collector = await startTestCollector({
      stateDirectory,
      plugins: [
        { plugin: slow, options: { queue: 'disk', delivery: { group_batches: 1, group_wait_ms: 0 } } },
      ],
    });
    const pipeline = collector.getService(pipelineToken);
    const sent = [1, 2, 3, 4, 5].map((sequence) => createTestBatch({ sequence }));
    for (const batch of sent) pipeline.push(batch);
    while (pipeline.counters.outputs['slow']!.delivered < 2) await new Promise((done) => setTimeout(done, 5));
    await collector.stop();
    const directory = join(stateDirectory, 'queues', 'slow');
    const snapshot = () => readdirSync(directory).map((name) => [name, readFileSync(join(directory, name))]);
    const before = snapshot();
    const { code, text, stderrText } = await read(t, [directory]);
    assert.deepEqual([code, text, stderrText], [0, asLines(sent.slice(2)), '3 rows of 3 batches']);
    assert.deepEqual(snapshot(), before);
  });

  it('prints the intact rows of a damaged file, counts the lost ones and exits with 1', async (t) => {
    const sent = [1, 2, 3, 4, 5].map((sequence) => createTestBatch({ sequence }));
    const { directory, file } = await writeArchive('damaged', sent);
    damageRecord(file, 1);
    damageRecord(file, 3);
    for (const path of [directory, file]) {
      const { code, text, stderrText } = await read(t, [path]);
      assert.deepEqual(sequencesIn(text), [1, 3, 5]);
      assert.equal(code, 1);
      assert.match(
        stderrText,
        /^error: 2 batches of .*damaged.* cannot be read.*STORED_BATCHES_LOST.*\n3 rows of 3 batches$/,
      );
    }
    const whole = readFileSync(file);
    const lastRecord = statSync(file).size - 40;
    writeFileSync(file, whole.subarray(0, lastRecord));
    const torn = await read(t, [directory]);
    assert.deepEqual(sequencesIn(torn.text), [1, 3]);
    assert.match(torn.stderrText, /error: 3 batches of /);
    rmSync(file);
    writeFileSync(file, whole.subarray(0, 256));
    assert.match((await read(t, [directory])).stderrText, /error: 5 batches of /);
    rmSync(file);
    assert.match((await read(t, [directory])).stderrText, /error: 5 batches of /);
  });

  it('counts an intact record that is not a batch as lost', async (t) => {
    const directory = join(folder, 'foreign');
    const log = await RecordLog.open({
      directory,
      segmentBytes: 1e6,
      syncEveryMs: 200,
      files: nodeFileSystem,
      randomMarker: () => 0x5eed,
      onError: (error) => assert.fail(String(error)),
    });
    for (const bytes of ['no batch', '']) log.append(Buffer.from(bytes), 1);
    await log.close();
    const { code, text, stderrText } = await read(t, [directory]);
    assert.deepEqual([code, text], [1, '']);
    assert.match(stderrText, /error: 2 batches of /);
  });

  it('prints rejected batches with the reason, and counts a damaged line', async (t) => {
    const stateDirectory = join(folder, 'refusing');
    const refusing = defineOutput({
      name: 'refusing',
      summary: 'Refuses all.',
      open: () => ({
        async write() {
          throw new PermanentError('no such table');
        },
      }),
    });
    await using output = await runOutput(refusing, {}, { delivery: { dead_letter_bytes: 1e7 } });
    await output.deliver(...hostile);
    mkdirSync(stateDirectory);
    const path = join(stateDirectory, 'refusing.ndjson');
    renameSync(join(output.collector.stateDirectory, 'dead-letters', 'refusing.ndjson'), path);
    const whole = await read(t, [path]);
    assert.equal(whole.code, 0, whole.stderrText);
    const expected = asLines(hostile).split('\n').slice(0, -1);
    const found = whole.text.split('\n').slice(0, -1);
    assert.equal(found.length, expected.length);
    for (const [i, line] of found.entries()) {
      const { refused, ...document } = JSON.parse(line);
      // Dead letters store numbers above 2^53 as text.
      const inDigits = expected[i]!.replace('18446744073709551615', '"18446744073709551615"');
      assert.deepEqual(document, JSON.parse(inDigits));
      assert.equal(refused.why, 'no such table');
      assert.ok(Date.parse(refused.at) > 0);
    }
    appendFileSync(path, '{"refusedAt":"2026-01-31T12:00:00.000Z","why":"to');
    const torn = await read(t, [path]);
    assert.deepEqual([torn.code, torn.text], [1, whole.text]);
    assert.match(torn.stderrText, /error: 1 batch of .*refusing\.ndjson cannot be read/);
  });

  it('reports a path without batches and goes on with the next one', async (t) => {
    const { file } = await writeArchive('last', [createTestBatch()]);
    const foreign = join(folder, 'foreign.txt');
    writeFileSync(foreign, 'hello');
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const paths = [folder, foreign, join(folder, 'missing'), empty, file];
    const { code, text, stderrText } = await read(t, paths);
    assert.equal(code, 1);
    assert.equal(text, asLines([createTestBatch()]));
    assert.deepEqual(
      stderrText.split('\n').flatMap((line) => /\[(\w+)\]/.exec(line)?.[1] ?? []),
      ['STORED_PATH_UNKNOWN', 'STORED_PATH_UNKNOWN', 'STORED_PATH_MISSING'],
    );
    assert.ok(existsSync(empty));
  });

  it('ends without an error when the reader closes the pipe', async (t) => {
    const { directory } = await writeArchive('piped', [createTestBatch()]);
    const closed = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('closed'), { code: 'EPIPE' })),
    });
    t.mock.method(console, 'error', () => assert.fail('it complained'));
    assert.equal(await readOutput([directory, directory], {}, closed), 0);
  });
});
