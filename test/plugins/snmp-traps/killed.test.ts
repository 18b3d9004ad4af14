import { deepEqual, equal, ifError, ok } from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Batch, defineOutput, pipelineToken, rowsOf } from '../../../src/index.ts';
import { DiskQueue } from '../../../src/pipeline/queue/disk-queue.ts';
import { createNotificationSender } from '../../../src/snmp/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startTraps } from './trap-stack.ts';

const env = { C: 'public' };
const traps = {
  senders: [{ name: 'all', from: ['127.0.0.1'], versions: ['2c'], communities: ['${env:C}'] }],
};
const body = { uptime: 1, varbinds: [], agentAddress: undefined, enterprise: undefined } as const;

describe('an inform', () => {
  it('is not answered when an output does not take it, and is recorded once when it does', async (test) => {
    const { collector, port } = await startTraps(test, { traps, env, more: [] });
    const pipeline = collector.getService(pipelineToken);
    const taken: Batch[] = [];
    let refusals = 1;
    pipeline.addOutput({
      output: 'fake',
      isPausing: false,
      wantsRates: false,
      takesEvents: true,
      counters: {} as never,
      put(batch) {
        if (refusals-- > 0) return false;
        taken.push(batch);
        return true;
      },
    });
    const sender = createNotificationSender({
      address: '127.0.0.1',
      port,
      version: '2c',
      community: 'public',
      timeoutMs: 200,
      retries: 4,
    });
    test.after(() => sender.close());
    const attempts = await sender.inform({ ...body, oid: '1.3.6.1.6.3.1.1.5.1' });
    ok(attempts >= 2, `${attempts} attempts`);
    equal(taken.length, 1);
  });

  it('is on the disk when it is answered: a copy of the queue at that moment has it', async (test) => {
    const silent = defineOutput({
      name: 'silent',
      summary: 'Delivers nothing.',
      open: () => ({
        write() {
          throw new Error('it does not answer');
        },
      }),
    });
    const { collector, port } = await startTraps(test, {
      traps,
      env,
      more: [{ plugin: silent, options: { queue: 'disk', delivery: { retry_from_ms: 60_000 } } }],
    });
    const sender = createNotificationSender({
      address: '127.0.0.1',
      port,
      version: '2c',
      community: 'public',
    });
    test.after(() => sender.close());
    const folder = temporaryFolder(test);
    for (let count = 1; count <= 5; count++) {
      equal(await sender.inform({ ...body, uptime: count, oid: '1.3.6.1.6.3.1.1.5.1' }), 1);
      const directory = join(folder, String(count));
      cpSync(join(collector.stateDirectory, 'queues', 'silent'), directory, { recursive: true });
      const settings = {
        directory,
        maxBytes: 1 << 24,
        maxAgeMs: 0,
        whenFull: 'pause',
        syncEveryMs: 1_000,
      } as const;
      const queue = await DiskQueue.open(settings, { onError: ifError });
      const kept = await queue.peek(100);
      deepEqual(
        kept.map((batch) => [...rowsOf(batch)][0]!.values['trap.uptime']),
        Array.from({ length: count }, (_, n) => n + 1),
      );
      await queue.close();
    }
  });
});
