import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { addressOf } from '../snmp/load.ts';
import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { makeWorkshop, startFastAgent } from '../support/processes.ts';
import {
  buildFlood,
  devices,
  encodeLinkDown,
  everySeconds,
  flood,
  interfaces,
  measureIdle,
  startCollectorChild,
} from './flooded.ts';

/**
 * What notifications make a collector ask while it receives 20,000 others per second: when, of which rows and how often. Then devices that start
 * at once, 1,000 unless BENCH_STARTS says otherwise: how many packets their discoveries send.
 */
const goals = { within: 3_000, pollsOfFlaps: 3, packetsPerSecond: 50 };
const loud = { perSecond: 20_000, seconds: 30, sources: 250, first: 500, uptime: 301 };
const singles = { first: 10, sources: 20 };
const linkUp = encodeLinkDown('TrapV2', 302, { oid: '1.3.6.1.6.3.1.1.5.4' });
const coldStart = encodeLinkDown('TrapV2', 303, { oid: '1.3.6.1.6.3.1.1.5.1' });
const restartSeconds = 5;
const starts = Math.min(devices, Number(process.env['BENCH_STARTS'] ?? devices));
/** At most, of the devices of this benchmark. */
const packetsOfDiscovery = 4;
const run = promisify(execFile);

interface Line {
  readonly device: { readonly ip: string };
  readonly record: string;
  readonly trap_id: string;
  readonly time: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What carries the id of a notification, but for the flood itself. */
async function readAimed(file: string): Promise<readonly Line[]> {
  const { stdout } = await run('grep', ['-v', '-e', '"trap.uptime":301,', file], { maxBuffer: 1 << 30 });
  return stdout
    .split('\n')
    .filter((line) => line.includes('"trap_id":'))
    .map((line) => JSON.parse(line) as Line);
}

buildCode();
const workshop = makeWorkshop();
const program = buildFlood(workshop.folder);
const agent = await startFastAgent(workshop.folder, interfaces);
try {
  const traps = { aim: { enabled: true, restart_s: restartSeconds } };
  const own = await startCollectorChild(join(workshop.folder, 'own'), agent.port, traps);
  const idle = await measureIdle(own);
  await flood(program, own, [
    loud,
    { perSecond: 50, seconds: 10, first: 0, sources: 1, uptime: 302, message: linkUp },
    { perSecond: 20, seconds: 1, ...singles, uptime: 302, message: linkUp },
  ]);
  const lines = await readAimed(own.file!);
  const polls = lines.filter(({ record }) => record === 'IF-MIB::ifEntry');
  const sentMs = new Map(
    lines
      .filter(({ record }) => record === 'IF-MIB::linkUp')
      .map(({ trap_id, time }) => [trap_id, Date.parse(time)]),
  );
  const delaysMs: number[] = [];
  for (let device = singles.first; device < singles.first + singles.sources; device++) {
    const [first] = polls.filter(({ device: { ip } }) => ip === addressOf(device));
    delaysMs.push(
      first === undefined ? Number.POSITIVE_INFINITY : Date.parse(first.time) - sentMs.get(first.trap_id)!,
    );
  }
  const ofFlaps = polls.filter(({ device: { ip } }) => ip === addressOf(0));
  const rows = [...new Set(polls.map(({ labels }) => labels['netif'] ?? labels['netif.index']))];
  const slowestMs = Math.max(...delaysMs);
  printFigure('polls that notifications aim, beside 20,000 others per second', {
    notifications: delaysMs.length,
    slowestMs,
    rows,
    pollsOf500Flaps: ofFlaps.length,
    goals,
    reached: {
      within: slowestMs <= goals.within,
      rows: rows.length === 1,
      pollsOfFlaps: ofFlaps.length <= goals.pollsOfFlaps,
    },
  });

  await own.begin();
  await run(
    program,
    [own.port, 1_000_000, 0.001, 0, starts, coldStart.toString('hex'), coldStart.length].map(String),
  );
  const waitSeconds = 2 * restartSeconds + (starts * packetsOfDiscovery) / goals.packetsPerSecond + 10;
  await sleep(1000 * waitSeconds);
  const started = await own.end();
  printFigure(`${starts} devices that start at once`, {
    accepted: started.accepted,
    discoveries: started.discoveries,
    seconds: waitSeconds,
    packetsPerSecondOfPolls: Math.round(idle.packets! / everySeconds),
    packetsOfDiscovery: started.packetsOfDiscoveries! / starts,
    mostPacketsPerSecond: started.mostPacketsOfDiscoveriesPerSecond,
    mostDiscoveriesPerSecond: started.mostDiscoveriesPerSecond,
    goal: goals.packetsPerSecond,
    reached:
      started.discoveries === starts && started.mostPacketsOfDiscoveriesPerSecond! <= goals.packetsPerSecond,
  });
  await own.close();
} finally {
  agent.process.kill();
  workshop.remove();
}
