import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { kill } from 'node:process';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { smallDefinitions } from '../../../plugins/support/definition-folder.ts';
import { onlyLong } from '../../../support/long-run.ts';
import { CollectorProcess } from '../../support/collector-process.ts';
import { everyMs, isAlive, startWorkers, waitFor } from '../../support/started-workers.ts';

/** Ends the process of worker-2 while a file named `crash` is beside it. Workers run it because others may use its service. */
const crasher = `provides: token, start({ collector }) {
  if (collector.stateDirectory.endsWith('worker-2') && existsSync(new URL('crash', import.meta.url))) process.kill(process.pid, 'SIGKILL');
  return {};
}`;

describe('the life of workers', { skip: onlyLong }, () => {
  it('goes on without a worker that crashes in a loop, and says so', async (t) => {
    const { devices, collector, read, owns, pids } = await startWorkers(
      t,
      12,
      2,
      '  ./crasher.js: {}\n',
      (each) => each.writePlugin('crasher', crasher, "import { existsSync } from 'node:fs';"),
    );
    collector.write('crash', '');
    kill(pids().get('worker-2')!, 'SIGKILL');
    await collector.reads('A worker ends again and again.');
    assert.equal((await owns())['worker-1'], 1024);
    assert.match(
      await read('/readyz'),
      /"The worker worker-2 has ended \d+ times in a row, and is started again/,
    );
    const metrics = await read('/metrics');
    assert.match(metrics, /^waywiser_worker_up\{worker="worker-2"\} 0$/m);
    assert.match(metrics, /^waywiser_worker_failures\{worker="worker-2"\} [5-9]/m);
    const pauses = [...collector.stderr.matchAll(/"worker":"worker-2","why".*?"restartMs":(\d+)/g)];
    assert.deepEqual(
      pauses.slice(0, 5).map(([, ms]) => Number(ms)),
      [250, 500, 1_000, 2_000, 4_000],
    );
    const loneMs = performance.now();
    await waitFor(() =>
      [...devices.asked.values()].every((asked) => asked.at(-1)!.atMs > loneMs + 2 * everyMs),
    );
    const senders = new Set(devices.since(loneMs).map(({ from }) => from));
    assert.equal(senders.size, 1, 'one process asks all devices');

    rmSync(join(collector.folder, 'crash'));
    await waitFor(async () => Number((await owns())['worker-2']) > 300);
    await waitFor(async () => (await read('/readyz')).includes('"degraded":[]'));
    assert.deepEqual(devices.findShared(everyMs), []);
  });

  it('has the new definitions in a worker that starts while they are applied', async (t) => {
    const { devices, definitions, collector, owns, pids, url } = await startWorkers(t, 12, 2);
    const renamed = smallDefinitions['objects/system.yml']!.replace('system.uptime', 'system.upticks');
    definitions.write('objects/system.yml', renamed);
    kill(pids().get('worker-2')!, 'SIGKILL');
    const answer = await fetch(`${url}/api/v1/snmp/apply-definitions`, { method: 'POST' });
    assert.equal(answer.status, 200, await answer.text());
    await waitFor(async () => Number((await owns())['worker-2']) > 300);
    const seen = collector.stdout.length;
    const recordsSince = (from: number) => collector.stdout.slice(from).split('\n').slice(1, -1);
    await waitFor(() => {
      const polled = recordsSince(seen).filter((line) => line.includes('system.upticks'));
      return devices.ports.every((_, i) => polled.some((line) => line.includes(`"d${i}"`)));
    });
    const old = recordsSince(seen).filter((line) => line.includes('system.uptime'));
    assert.deepEqual(old, []);
  });

  it('ends all processes at SIGTERM during their start', async (t) => {
    const { collector } = await startWorkers(t, 0, 1);
    collector.kill('SIGKILL');
    await collector.exit;
    for (const pauseMs of [0, 50, 200, 400, 800]) {
      collector.stderr = '';
      collector.run(['start'], { WAYWISER_LOG_LEVEL: 'debug' });
      await collector.reads('A worker was started.');
      await sleep(pauseMs);
      collector.kill('SIGTERM');
      assert.equal(await collector.exit, 0, collector.stderr);
      const started = [...collector.stderr.matchAll(/"pid":(\d+),"message":"A worker was started/g)];
      assert.deepEqual(started.map(([, pid]) => Number(pid)).filter(isAlive), []);
      assert.doesNotMatch(collector.stderr, /A worker has ended|did not stop in time/);
    }
  });

  it('is one stop when a terminal signals all processes', async (t) => {
    const { devices, collector, pids } = await startWorkers(t, 12, 2);
    // Until then a worker that began late may take shards of the other one.
    const before = collector.stderr.length;
    for (const pid of pids().values()) kill(pid, 'SIGINT');
    collector.kill('SIGINT');
    assert.equal(await collector.exit, 0, collector.stderr);
    assert.doesNotMatch(collector.stderr, /A worker has ended/);
    assert.doesNotMatch(collector.stderr.slice(before), /Shards were lost/);
    assert.deepEqual([...pids().values()].filter(isAlive), []);
    assert.deepEqual(devices.findDoubled(everyMs), []);
  });

  it('does not begin when the port of the API is in use', async (t) => {
    const holder = createServer().listen(0, '127.0.0.1');
    t.after(() => holder.close());
    await new Promise((resolve) => void holder.once('listening', resolve));
    const { port } = holder.address() as AddressInfo;
    const collector = new CollectorProcess(t);
    collector.write('waywiser.yml', `workers: 2\nplugins:\n  http-api: { port: ${port} }\n`);
    collector.run(['start']);
    assert.notEqual(await collector.exit, 0);
    assert.match(collector.stderr, new RegExp(String(port)));
    assert.equal(existsSync(join(collector.folder, 'state', 'workers', 'worker-1')), false);
  });
});
