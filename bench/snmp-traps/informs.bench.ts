import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from '../snmp/load.ts';
import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { makeWorkshop, startFastAgent } from '../support/processes.ts';
import {
  encodeLinkDown,
  interfaces,
  type Receiver,
  startCollectorChild,
  startTrapd,
  trapd,
} from './flooded.ts';

/**
 * 1,000 informs per second from 100 devices to a collector that polls 1,000 devices: how long each waits for its answer, beside Debian's
 * snmptrapd. The sender measures in its own process, so its delays are in both figures.
 */
const perSecond = 1_000;
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);
const sources = 100;
const tickMs = 5;
const goalMs = 50;
/** Answers that come later are missing. */
const patienceMs = 2_000;

async function ask({ port }: Receiver) {
  const sentMs = new Map<number, number>();
  const waitedMs: number[] = [];
  const offset = encodeLinkDown('InformRequest', 1).indexOf(Buffer.of(2, 4, 1, 0, 0, 0)) + 2;
  const sockets = await Promise.all(
    Array.from({ length: sources }, async (_, source) => {
      const socket = createSocket('udp4').bind(0, addressOf(source));
      await once(socket, 'listening');
      socket.on('message', (answer) => {
        const id = answer.readUInt32BE(offset);
        waitedMs.push(performance.now() - (sentMs.get(id) ?? Number.NaN));
        sentMs.delete(id);
      });
      return socket;
    }),
  );
  const message = encodeLinkDown('InformRequest', 1);
  const startedMs = performance.now();
  for (let sent = 0; sent < perSecond * seconds; await sleep(tickMs)) {
    const due = Math.min(perSecond * seconds, (perSecond * (performance.now() - startedMs)) / 1000);
    for (; sent < due; sent++) {
      const id = 0x01_00_00_00 + sent;
      message.writeUInt32BE(id, offset);
      sentMs.set(id, performance.now());
      sockets[sent % sources]!.send(Buffer.from(message), port, '127.0.0.1');
    }
  }
  await sleep(patienceMs);
  for (const socket of sockets) socket.close();
  const sorted = waitedMs.sort((a, b) => a - b);
  const at = (part: number) => Number((sorted[Math.floor(part * sorted.length)] ?? 0).toFixed(1));
  return { unanswered: sentMs.size, p50Ms: at(0.5), p99Ms: at(0.99) };
}

buildCode();
const workshop = makeWorkshop();
const agent = await startFastAgent(workshop.folder, interfaces);
try {
  const own = await startCollectorChild(join(workshop.folder, 'own'), agent.port);
  const figures = await ask(own);
  await own.close();
  const other = existsSync(trapd) ? await startTrapd(join(workshop.folder, 'trapd')) : undefined;
  const beside = other && (await ask(other));
  await other?.close();
  printFigure(`informs at ${perSecond}/s`, {
    ...figures,
    ...(beside && {
      yardstick: 'snmptrapd -n -On, nothing polled',
      yardstickUnanswered: beside.unanswered,
      yardstickP50Ms: beside.p50Ms,
      yardstickP99Ms: beside.p99Ms,
    }),
    goalMs,
    reached: figures.unanswered === 0 && figures.p99Ms <= goalMs,
  });
} finally {
  agent.process.kill();
  workshop.remove();
}
