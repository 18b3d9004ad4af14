import { memoryUsage } from 'node:process';
import { createManager } from '../../src/snmp/index.ts';
import { printFigure } from '../support/figure.ts';
import { benchUser } from './bench-user.ts';
import { addressOf } from './load.ts';

/** The memory of 50,000 open SNMPv3 sessions with one engine ID each, after a restart with known engines. */
const devices = 50_000;
const manager = createManager();
const mebibytes = () => Math.round(memoryUsage().rss / 2 ** 20);
const emptyMiB = mebibytes();
const started = performance.now();
manager.restoreEngines(
  (function* () {
    for (let device = 0; device < devices; device++) {
      const engineId = `80001f8804${device.toString(16).padStart(16, '0')}`;
      yield { address: `${addressOf(device)}:161`, engineId, boots: 1, startedAtMs: Date.now() - 1_000_000 };
    }
  })(),
);
const sessions = Array.from({ length: devices }, (_, device) =>
  manager.open({ address: addressOf(device), version: '3', user: { ...benchUser } }),
);
const tookMs = Math.round(performance.now() - started);
const rssMiB = mebibytes();
printFigure('snmp v3 sessions open', {
  sessions: sessions.length,
  rssMiB,
  emptyMiB,
  tookMs,
  goal: 200,
  reached: rssMiB <= 200,
});
manager.close();
