import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CollectorProcess } from '../cli/support/collector-process.ts';
import { installOurselves } from '../support/package-folder.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('the configurations among the examples', { concurrency: 2 }, () => {
  it('hello-collector prints what its source measures', async (t) => {
    const collector = new CollectorProcess(t);
    copyExample('hello-collector', collector, (text) => text.replace('every_ms: 1000', 'every_ms: 100'));
    collector.run(['start']);
    await collector.reads('The collector is ready.');
    while (!collector.stdout.includes('\n')) await once(collector.output, 'data');
    assert.match(
      collector.stdout,
      /^\S+Z this-machine machine \{"load\.1m":[\d.]+,"memory\.free\.bytes":\d+\}$/m,
    );
    collector.kill('SIGINT');
    assert.equal(await collector.exit, 0, collector.stderr);
  });

  it('the demonstration serves values of its devices within seconds, and stops within one', async (t) => {
    const collector = new CollectorProcess(t);
    const ports = await freePorts(12);
    const api = (await freePorts(1))[0];
    copyExample('demo', collector, (text) =>
      text
        .replace(/\b161(0[1-9]|1[0-2])\b/g, (_, device) => `${ports[Number(device) - 1]}`)
        .replace('port: 8080', `port: ${api}`)
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${api}`)
        .replace('../../definitions', join(root, 'definitions'))
        .replace('../../test/recordings', join(root, 'test/recordings')),
    );
    collector.run(['start']);
    await collector.reads('The collector is ready.');

    const get = async (path: string) => (await fetch(`http://127.0.0.1:${api}${path}`)).text();
    const answered = new Set<string>();
    for (let tries = 0; answered.size < 11 && tries < 300; tries++, await delay(100)) {
      for (const [, device] of (await get('/api/v1/snmp/metrics')).matchAll(/[{,]device="([^"]+)"/g)) {
        answered.add(device!);
      }
    }
    assert.deepEqual([...answered].sort(), [
      'host-1',
      'host-2',
      'host-3',
      'printer-1',
      'router-1',
      'router-2',
      'sensors-1',
      'switch-1',
      'switch-2',
      'switch-3',
      'ups-1',
    ]);
    for (const [, path] of collector.stdout.matchAll(/curl http:\/\/127\.0\.0\.1:\d+(\S+)/g)) {
      assert.notEqual(await get(path!), '', path);
    }

    const stopping = performance.now();
    collector.kill('SIGINT');
    assert.equal(await collector.exit, 0, collector.stderr);
    const stopMs = performance.now() - stopping;
    assert.ok(stopMs < 1_500, `${stopMs} ms`);
  });
});

/** Copies every text file of an example into the folder of the process, each changed by `edit`. */
function copyExample(name: string, collector: CollectorProcess, edit: (text: string) => string): void {
  const from = join(root, 'examples', name);
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.includes('/state')) continue;
    const path = join(entry.parentPath, entry.name).slice(from.length + 1);
    mkdirSync(join(collector.folder, dirname(path)), { recursive: true });
    collector.write(path, edit(readFileSync(join(from, path), 'utf8')));
  }
  installOurselves(collector.folder);
}

/** UDP ports that the system had free a moment ago. */
async function freePorts(count: number): Promise<number[]> {
  const sockets = Array.from({ length: count }, () => createSocket('udp4'));
  for (const socket of sockets) {
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
  }
  const ports = sockets.map((socket) => socket.address().port);
  for (const socket of sockets) socket.close();
  return ports;
}
