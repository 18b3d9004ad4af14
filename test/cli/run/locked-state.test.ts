import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createCollector } from '../../../src/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CollectorProcess } from '../support/collector-process.ts';

const output = (directory: string) =>
  `plugins:\n  http: { url: 'http://127.0.0.1:9', queue: disk, disk_queue: { directory: '${directory}' } }\n`;

async function startOne(t: TestContext, config: string): Promise<CollectorProcess> {
  const collector = new CollectorProcess(t);
  collector.write('waywiser.yml', config);
  collector.run(['start']);
  await collector.reads('The collector is ready.');
  return collector;
}

async function refuseOne(t: TestContext, config: string): Promise<string> {
  const collector = new CollectorProcess(t);
  collector.write('waywiser.yml', config);
  collector.run(['start']);
  assert.equal(await collector.exit, 1, collector.stderr);
  return collector.stderr;
}

describe('two collectors with the same directories', { concurrency: 2 }, () => {
  it('do not run at the same time: the second one names the first and what to do', async (t) => {
    const config = `state_directory: ${temporaryFolder(t)}\n`;
    await startOne(t, config);
    const said = await refuseOne(t, config);
    assert.match(said, /in use by another collector: process \d+ on .+, started at 20.+Z\./);
    assert.match(said, /Stop the other one.*DIRECTORY_IN_USE/s);
  });

  it('do not run at the same time when only a queue outside the state directory is the same', async (t) => {
    const queues = temporaryFolder(t);
    const first = await startOne(t, output(queues));
    assert.match(
      await refuseOne(t, output(queues)),
      new RegExp(`The directory ${join(queues, 'http')} is in use`),
    );
    first.kill('SIGTERM');
    assert.equal(await first.exit, 0);
    await startOne(t, output(queues));
  });

  it('run one after the other, also after kill -9', async (t) => {
    const config = `state_directory: ${temporaryFolder(t)}\n`;
    const first = await startOne(t, config);
    first.kill('SIGKILL');
    await first.exit;
    const second = await startOne(t, config);
    assert.doesNotMatch(second.stderr, /cannot be checked/);
  });

  it('do not run at the same time inside one program', async (t) => {
    const config = { state_directory: temporaryFolder(t), plugins: {} };
    const first = await createCollector(config);
    const second = await createCollector(config);
    await first.start();
    await assert.rejects(second.start(), { code: 'DIRECTORY_IN_USE' });
    assert.deepEqual(await second.stop(), []);
    await assert.rejects((await createCollector(config)).start(), { code: 'DIRECTORY_IN_USE' });
    await first.stop();
    const third = await createCollector(config);
    await third.start();
    await third.stop();
  });
});
