import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { startReplayAgents } from '../../../src/testing/index.ts';
import { onlyLong } from '../../support/long-run.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import type { HostileOutcome } from './support/hostile/hostile-collector.ts';
import { hostileKinds } from './support/hostile/hostile-kinds.ts';
import { describeHostileDevices, hostileDefinitions } from './support/hostile/hostile-objects.ts';

const everySeconds = 5;
const polls = 6;
/** Without a budget, one device with two tables of 1,200,000 rows takes more. */
const heapMiB = 256;
const nameOf = (kind: string) => `hostile-${kind.replaceAll(/[^a-z0-9]+/gi, '-')}`;
const endless = ['endless column', 'endless columns', 'two tables of 1,200,000 rows'].map(nameOf);

it('hostile devices of every kind cost honest ones no slot, and the process neither memory nor a stall', {
  skip: onlyLong,
  timeout: 180_000,
}, async (t) => {
  const recording = 'test/recordings/switch.snmprec';
  const agents = await startReplayAgents(Array.from({ length: 20 }, () => ({ recording })));
  t.after(() => Promise.all(agents.map((agent) => agent.close())));
  const run = (script: string, words: readonly string[], options: readonly string[] = []) => {
    const program = modulePath(new URL(`./support/hostile/${script}.ts`, import.meta.url));
    const child = fork(program, words, { execArgv: [...nodeOptions, ...options] });
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  const kinds = Object.keys(hostileKinds);
  const [ports] = (await once(run('hostile-agent', kinds), 'message')) as [readonly number[]];
  const folder = new DefinitionFolder(t, hostileDefinitions());
  // With the timeouts of an installed collector: shorter ones would measure how busy the machine is.
  folder.write(
    'devices/honest.yml',
    agents
      .map(
        ({ port }, i) =>
          `honest-${i}: { ip: 127.0.0.1, port: ${port}, version: 2c, communities: [public], device_groups: [switch], poll_interval: ${everySeconds} }\n`,
      )
      .join(''),
  );
  const hostile = kinds.map((kind, i) => {
    return { name: nameOf(kind), port: ports[i]!, isV3: hostileKinds[kind]!.reports !== undefined };
  });
  folder.write('devices/hostile.yml', describeHostileDevices(hostile, everySeconds));
  const words = [folder.path, String(polls), ...endless, nameOf('a table of 50,000 rows')];
  const collector = run('hostile-collector', words, [`--max-old-space-size=${heapMiB}`]);
  const ended = once(collector, 'exit').then(([code, signal]) =>
    assert.fail(`it ended with ${code ?? signal}`),
  );
  const [outcome] = (await Promise.race([once(collector, 'message'), ended])) as [HostileOutcome];
  t.diagnostic(JSON.stringify(outcome));
  assert.equal(outcome.skippedSlots, 0);
  assert.equal(outcome.failedPolls, 0);
  assert.ok(outcome.polls >= agents.length * polls);
  assert.ok(outcome.instances <= 100_000, `${outcome.instances} instances of one device`);
  for (const name of endless) {
    assert.match(outcome.cuts[name] ?? '', /^max_(instances|bytes|total_bytes)$/, name);
    assert.equal(outcome.told[name], 1, name);
  }
  // Processor time, not the clock. Without slices it is seconds.
  assert.ok(outcome.stallMs < 500, `${outcome.stallMs} ms`);
});
