import { deepEqual, equal, ifError, ok, rejects } from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type Batch, defineOutput, pipelineToken, rowsOf } from '../../../src/index.ts';
import { DiskQueue } from '../../../src/pipeline/queue/disk-queue.ts';
import { createNotificationSender } from '../../../src/snmp/index.ts';
import { findFreeUdpPorts, untilUdpPortIsFree } from '../../support/free-port.ts';
import { onlyLong } from '../../support/long-run.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { linkNotifications, startTraps } from './trap-stack.ts';

const env = { C: 'public' };
const traps = {
  senders: [{ name: 'all', from: ['127.0.0.1'], versions: ['2c'], communities: ['${env:C}'] }],
};
const body = { uptime: 1, varbinds: [], agentAddress: undefined, enterprise: undefined } as const;

function openSender(test: TestContext, port: number, options: { timeoutMs?: number; retries?: number } = {}) {
  const target = { address: '127.0.0.1', port, version: '2c', community: 'public' } as const;
  const sender = createNotificationSender({ ...target, ...options });
  test.after(() => sender.close());
  return sender;
}

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
      sync: async () => true,
      put(batch) {
        if (refusals-- > 0) return false;
        taken.push(batch);
        return true;
      },
    });
    const sender = openSender(test, port, { timeoutMs: 200, retries: 4 });
    const attempts = await sender.inform({ ...body, oid: '1.3.6.1.6.3.1.1.5.1' });
    ok(attempts >= 2, `${attempts} attempts`);
    equal(taken.length, 1);
  });

  it('that a processor filters out is answered at once, and one that a processor loses is not', async (test) => {
    const { collector, port } = await startTraps(test, { traps, env });
    const pipeline = collector.getService(pipelineToken);
    const sender = openSender(test, port, { timeoutMs: 200, retries: 1 });
    const removeFilter = pipeline.addProcessor('filter', () => undefined);
    equal(await sender.inform({ ...body, oid: '1.3.6.1.6.3.1.1.5.1' }), 1);
    removeFilter();
    pipeline.addProcessor('broken', () => {
      throw new Error('it cannot');
    });
    await rejects(sender.inform({ ...body, oid: '1.3.6.1.6.3.1.1.5.2' }));
  });

  it('is not answered before the queues are synced, with `acknowledge: synced`', async (test) => {
    const { collector, port } = await startTraps(test, {
      traps: { ...traps, informs: { acknowledge: 'synced' } },
      env,
      more: [],
    });
    const taken: Batch[] = [];
    let syncs = 0;
    collector.getService(pipelineToken).addOutput({
      output: 'fake',
      isPausing: false,
      wantsRates: false,
      takesEvents: true,
      counters: {} as never,
      // The disk fails twice.
      sync: async () => ++syncs > 2,
      put: (batch) => taken.push(batch) > 0,
    });
    const sender = openSender(test, port, { timeoutMs: 200, retries: 4 });
    equal(await sender.inform({ ...body, oid: '1.3.6.1.6.3.1.1.5.1' }), 3);
    equal(syncs, 3);
    equal(taken.length, 3);
    equal(new Set(taken.map(({ trapId }) => trapId)).size, 1, 'all tries have one trap id');
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
    const sender = openSender(test, port);
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
        Array.from({ length: count }, (_, n) => 10 * (n + 1)),
      );
      await queue.close();
    }
  });
});

const kills = 20;
/** Informs that wait for an answer at the same time. */
const senders = 8;

describe('a collector that is killed amid informs', {
  skip: onlyLong,
}, () => {
  it('has every acknowledged one in its output after the restart, and the same engine with more boots', {
    timeout: 300_000,
  }, async (test) => {
    const folder = new DefinitionFolder(test, { 'notifications/all.yml': linkNotifications });
    folder.writeDevices([]);
    const state = temporaryFolder(test);
    const file = join(temporaryFolder(test), 'records.ndjson');
    const [port = 0] = await findFreeUdpPorts(1);
    let child: ChildProcess | undefined;
    test.after(() => child?.kill('SIGKILL'));
    const start = async (turn: number) => {
      await untilUdpPortIsFree(port);
      const acknowledge = turn % 2 === 0 ? 'accepted' : 'synced';
      const script = modulePath(new URL('traps-child.ts', import.meta.url));
      child = fork(script, [state, folder.path, file, String(port), acknowledge], {
        execArgv: [...nodeOptions],
      });
      await once(child, 'message');
    };
    const readEngine = () => JSON.parse(readFileSync(join(state, 'snmp-traps', 'engine.json'), 'utf8'));
    const acknowledged = new Set<number>();
    let uptime = 0;
    const engines: { readonly engineId: string; readonly boots: number }[] = [];
    for (let turn = 0; turn < kills; turn++) {
      await start(turn);
      engines.push(readEngine());
      const atKill = acknowledged.size + 200 + ((turn * 37) % 150);
      const target = {
        address: '127.0.0.1',
        port,
        version: '2c',
        community: 'public',
        timeoutMs: 300,
        retries: 0,
      } as const;
      let isKilled = false;
      const sendAll = async () => {
        const sender = createNotificationSender(target);
        while (!isKilled) {
          const own = ++uptime;
          // The ones that wait when it is killed fail.
          await sender.inform({ ...body, uptime: own, oid: '1.3.6.1.6.3.1.1.5.3' }).then(
            () => acknowledged.add(own),
            () => {},
          );
          if (acknowledged.size < atKill) continue;
          isKilled = true;
          child!.kill('SIGKILL');
        }
        sender.close();
      };
      const exited = once(child!, 'exit');
      await Promise.all(Array.from({ length: senders }, sendAll));
      await exited;
    }
    await start(kills);
    engines.push(readEngine());
    const written = () =>
      (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
        .filter((line) => line.endsWith('}'))
        .map((line) => JSON.parse(line))
        .filter(({ record }) => record === 'IF-MIB::linkDown');
    const seen = () => new Set<number>(written().map(({ values }) => values['trap.uptime'] / 10));
    await until(() => {
      const known = seen();
      return [...acknowledged].every((each) => known.has(each));
    });
    const rows = written();
    // A group that was written and not yet marked as delivered is written again: its rows have the same trap id.
    equal(new Set(rows.map(({ trap_id: id, key }) => id ?? key)).size, seen().size);
    deepEqual(
      engines.map(({ engineId, boots }) => [engineId, boots]),
      engines.map((_, turn) => [engines[0]!.engineId, turn + 1]),
    );
  });
});
