import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import ndjson from '../../../../plugins/outputs/ndjson/index.ts';
import { pipelineToken } from '../../../../src/index.ts';
import { checkPlugin, createTestBatch, startTestCollector } from '../../../../src/testing/index.ts';
import { modulePath, nodeOptions } from '../../../support/own-module.ts';

describe('the ndjson plugin', () => {
  it('keeps the contract, with and without a file', async () => {
    await checkPlugin(ndjson, { options: { file: 'records.ndjson' } });
    await checkPlugin(ndjson);
  });

  it('delivers queued batches at its stop, and appends at the next start', async () => {
    const read: string[] = [];
    for (const sequence of [1, 2]) {
      const collector = await startTestCollector({
        plugins: [
          {
            plugin: ndjson,
            name: 'ndjson/audit',
            options: { file: 'deep/records.ndjson', rotate: { max_bytes: 0 } },
          },
        ],
      });
      const path = join(collector.stateDirectory, 'deep', 'records.ndjson');
      collector.getService(pipelineToken).push(createTestBatch({ sequence }));
      let text = '';
      while (text === '') {
        await sleep(20);
        text = await readFile(path, 'utf8');
      }
      read.push(text);
      await collector.stop();
    }
    assert.deepEqual(
      read.map((text) => JSON.parse(text).sequence),
      [1, 2],
    );
  });

  it('fails its start with the name of a file that cannot be written', async () => {
    const options = { file: join(process.execPath, 'records.ndjson') };
    await assert.rejects(startTestCollector({ plugins: [{ plugin: ndjson, options }] }), (error: Error) => {
      assert.ok(String(error.cause).includes(process.execPath));
      return true;
    });
  });

  it('waits for a slow reader of standard output without loss, also with a non-blocking pipe', async () => {
    const target = modulePath(
      new URL('../../../../plugins/outputs/ndjson/file/standard-output.ts', import.meta.url),
    );
    const program = `
      import { createDescriptorTarget } from ${JSON.stringify(target)};
      process.stdout;
      const target = createDescriptorTarget(1);
      for (let i = 0; i < 20; i++) {
        let bytes = Buffer.from(String(i).padEnd(100_000, '.') + '\\n');
        while (bytes.length > 0) bytes = bytes.subarray(await target.write(bytes));
      }`;
    const child = spawn(process.execPath, [...nodeOptions, '--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    for await (const chunk of child.stdout.setEncoding('latin1')) {
      text += chunk;
      await sleep(1);
    }
    assert.equal(text, Array.from({ length: 20 }, (_, i) => `${String(i).padEnd(100_000, '.')}\n`).join(''));
  });

  it('does not wait for a reader of standard output after close', async () => {
    const target = modulePath(
      new URL('../../../../plugins/outputs/ndjson/file/standard-output.ts', import.meta.url),
    );
    const program = `
      import { createDescriptorTarget } from ${JSON.stringify(target)};
      process.stdout;
      const target = createDescriptorTarget(1);
      setTimeout(() => target.close(), 50);
      let bytes = Buffer.alloc(1 << 20, '.');
      try {
        while (bytes.length > 0) bytes = bytes.subarray(await target.write(bytes));
      } catch {
        process.exitCode = 7;
      }`;
    const child = spawn(process.execPath, [...nodeOptions, '--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 8_000,
      killSignal: 'SIGKILL',
    });
    const [code] = await once(child, 'exit');
    assert.equal(code, 7);
  });
});
