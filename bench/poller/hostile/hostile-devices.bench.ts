import { fork } from 'node:child_process';
import { once } from 'node:events';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { hostileKinds } from '../../../test/plugins/snmp-poller/support/hostile/hostile-kinds.ts';
import { buildCode } from '../../support/built-code.ts';
import { printFigure } from '../../support/figure.ts';
import { watchIdle } from '../../support/idle-delay.ts';
import { makeWorkshop, measureScript, startFastAgent } from '../../support/processes.ts';
import { alikeDevices, writeDefinitions } from '../interface-definitions.ts';
import { writeInventories } from '../inventories.ts';
import type { HostileFigures } from './hostile-child.ts';
import { writeHostileDevices } from './hostile-definitions.ts';

/**
 * Every kind of hostile device beside 1,000 honest ones, against the same run without it. With words behind `--`, only the kinds whose names
 * contain one of them, each in a run of its own; `each` runs every kind alone.
 */
const [honest, interfaces, everySeconds, seconds] = [1_000, 24, 10, 40];
const words = argv.slice(2);
const names = Object.keys(hostileKinds);
const runs =
  words.length === 0
    ? [names]
    : names
        .filter((name) => words.includes('each') || words.some((word) => name.includes(word)))
        .map((name) => [name]);
buildCode();
const workshop = makeWorkshop();
const agent = await startFastAgent(workshop.folder, interfaces);
try {
  const alone = await measure([]);
  report('honest devices alone', alone);
  for (const kinds of runs) {
    const { result, ...idle } = await watchIdle(measure(kinds));
    report(kinds.length === 1 ? kinds[0]! : `${kinds.length} kinds together`, result, idle);
  }

  function report(name: string, figures: HostileFigures, facts: object = {}): void {
    const moreMiB = figures.rssMiB - alone.rssMiB;
    printFigure(`hostile devices: ${name}`, {
      reached: figures.missedSlots === 0 && figures.stallMs <= 50 && moreMiB <= 200,
      moreMiB,
      ...figures,
      ...facts,
    });
  }
} finally {
  agent.process.kill();
  workshop.remove();
}

async function measure(kinds: readonly string[]): Promise<HostileFigures> {
  const { folder, remove } = makeWorkshop();
  const script = fileURLToPath(
    new URL('../../../test/plugins/snmp-poller/support/hostile/hostile-agent.ts', import.meta.url),
  );
  const agents = fork(script, [...kinds], { execArgv: ['--import', 'tsx'] });
  try {
    const [ports] = (await once(agents, 'message')) as [readonly number[]];
    const devices = alikeDevices(honest, agent.port, everySeconds).map((device, i) => ({
      ...device,
      name: `honest${i}`,
    }));
    writeDefinitions(folder, devices);
    writeInventories(folder, devices, interfaces);
    writeHostileDevices(
      folder,
      kinds.map((kind, i) => ({
        name: `hostile-${kind.replaceAll(/[^a-z0-9]+/gi, '-')}`,
        port: ports[i]!,
        isV3: hostileKinds[kind]!.reports !== undefined,
      })),
      everySeconds,
    );
    return await measureScript('poller/hostile/hostile-child.ts', folder, seconds);
  } finally {
    agents.kill();
    remove();
  }
}
