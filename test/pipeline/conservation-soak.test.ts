import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { seededRandom, startReplayAgents } from '../../src/testing/index.ts';
import { CollectorProcess } from '../cli/support/collector-process.ts';
import { DefinitionFolder, smallDefinitions } from '../plugins/support/definition-folder.ts';
import { onlyLong } from '../support/long-run.ts';
import { modulePath } from '../support/own-module.ts';

const soakMs = 120_000;
const groupBatches = 10;
const index = JSON.stringify(modulePath(new URL('../../src/index.ts', import.meta.url)));
const recording = fileURLToPath(new URL('../recordings/switch.snmprec', import.meta.url));

const keyOf = `const keyOf = ({ device, plan, slotMs, sequence, tags }) =>
  [tags.run, device.name, plan, slotMs, sequence].join(' ') + '\\n';`;

/** Adds the process to every batch, and records the batch before any output receives it. */
const producer = `import { openSync, writeSync } from 'node:fs';
import { defineProcessor } from ${index};
${keyOf}
export default defineProcessor({
  name: 'producer',
  summary: 'Notes what is produced.',
  open() {
    const file = openSync('produced', 'a');
    return (batch) => {
      const marked = { ...batch, tags: { ...batch.tags, run: process.env.SOAK_RUN } };
      writeSync(file, keyOf(marked));
      return marked;
    };
  },
});
`;

/** Records the batches it accepts, one write per group. Fails and hangs as often as \`SOAK_FAILURES\` says. */
const sink = (name: string) => `import { openSync, writeSync } from 'node:fs';
import { defineOutput } from ${index};
${keyOf}
export default defineOutput({
  name: '${name}',
  summary: 'Notes what is delivered.',
  open() {
    const file = openSync('${name}', 'a');
    const failures = '${name}' === 'steady' ? 0 : Number(process.env.SOAK_FAILURES);
    return {
      async write(batches) {
        if (Math.random() < failures) throw new Error('down');
        if (Math.random() < failures / 10) await new Promise(() => {});
        writeSync(file, batches.map(keyOf).join(''));
      },
    };
  },
});
`;

/** Checks the counters continuously. */
const auditor = `import { appendFileSync } from 'node:fs';
import { definePlugin, pipelineToken } from ${index};
export default definePlugin({
  name: 'auditor',
  kind: 'api',
  summary: 'Adds up.',
  needs: { pipeline: pipelineToken },
  start({ needs, onStop }) {
    const audit = () => {
      const { pushed, outputs } = needs.pipeline.counters;
      for (const [name, counters] of Object.entries(outputs)) {
        const { accepted, restored, delivered, dropped, queued } = counters;
        const isSound = accepted === pushed && accepted + restored === delivered + dropped + queued && dropped === 0;
        if (!isSound) appendFileSync('violations', JSON.stringify({ name, pushed, ...counters }) + '\\n');
      }
    };
    const timer = setInterval(audit, 20);
    onStop(() => clearInterval(timer));
  },
});
`;

const delivery = `{ group_batches: ${groupBatches}, group_wait_ms: 20, retry_from_ms: 10, retry_to_ms: 200, attempt_timeout_ms: 500 }`;
const configuration = (definitions: string) => `plugins:
  definitions-loader: { shipped: false, directories: [${JSON.stringify(definitions)}], watch: true }
  device-registry: {}
  snmp-client: {}
  snmp-discovery: {}
  snmp-poller: {}
  ./producer.js: {}
  ./steady.js: { queue: disk, delivery: ${delivery} }
  ./flaky.js: { queue: disk, delivery: ${delivery} }
  ./auditor.js: {}
`;

describe('a soak with reloads, churn and kills', { skip: onlyLong }, () => {
  it('delivers or queues every batch exactly', async (t) => {
    const agents = await startReplayAgents(Array.from({ length: 12 }, () => ({ recording })));
    t.after(() => Promise.all(agents.map((agent) => agent[Symbol.asyncDispose]())));
    const definitions = new DefinitionFolder(t);
    const collector = new CollectorProcess(t);
    collector.write('waywiser.yml', configuration(definitions.path));
    for (const [name, text] of Object.entries({
      producer,
      steady: sink('steady'),
      flaky: sink('flaky'),
      auditor,
    })) {
      collector.write(`${name}.js`, text);
    }
    const read = (name: string): string[] => {
      const path = join(collector.folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
    };
    const random = seededRandom(7);
    /** Changes the devices, and sometimes the definitions. */
    const churn = () => {
      const chosen = agents.filter((_, i) => i < 3 || random() < 0.7);
      const entries = chosen.map(
        ({ port }, i) =>
          `d${port}: { ip: 127.0.0.1, port: ${port}, version: 2c, communities: [public], timeout: 300, retries: 1, poll_interval: 1, device_groups: [${i % 3 === 0 ? 'plain' : 'switch'}] }\n`,
      );
      definitions.write('devices/all.yml', entries.join(''));
      const unit = random() < 0.5 ? 'TicksCentiSec' : 'TicksMilliSec';
      const system = smallDefinitions['objects/system.yml']!;
      if (random() < 0.5) definitions.write('objects/system.yml', system.replace('TicksCentiSec', unit));
    };

    let kills = 0;
    let runs = 0;
    const begun = performance.now();
    while (performance.now() - begun < soakMs) {
      churn();
      const before = read('produced').length;
      collector.run(['start'], { SOAK_RUN: `${++runs}`, SOAK_FAILURES: `${runs % 2 === 0 ? 0.3 : 0.97}` });
      while (read('produced').length < before + 20) await sleep(50);
      for (let i = 0; i < 4; i++) {
        churn();
        await sleep(400 + 800 * random());
      }
      const isKilled = runs % 3 !== 0;
      if (isKilled) kills++;
      collector.kill(isKilled ? 'SIGKILL' : 'SIGTERM');
      const exitCode = await collector.exit;
      if (!isKilled) assert.equal(exitCode, 0, collector.stderr.slice(-2_000));
    }
    collector.run(['start'], { SOAK_RUN: 'last', SOAK_FAILURES: '0' });
    while (!read('produced').some((key) => key.startsWith('last '))) await sleep(50);
    await sleep(3_000);
    collector.kill('SIGTERM');
    assert.equal(await collector.exit, 0, collector.stderr.slice(-2_000));

    assert.deepEqual(read('violations'), []);
    const produced = read('produced');
    // The process may have been killed during the push of its last batch.
    const lastOfRuns = new Set(new Map(produced.map((key) => [key.split(' ')[0], key])).values());
    for (const name of ['steady', 'flaky']) {
      const delivered = read(name);
      const unique = new Set(delivered);
      const missing = produced.filter((key) => !unique.has(key));
      assert.deepEqual(
        missing.filter((key) => !lastOfRuns.has(key)),
        [],
        `missing from ${name}`,
      );
      const known = new Set(produced);
      const strange = delivered.filter((key) => !known.has(key));
      assert.deepEqual(strange, []);
      const repeats = delivered.length - unique.size;
      t.diagnostic(
        JSON.stringify({ name, runs, kills, produced: produced.length, missing: missing.length, repeats }),
      );
      assert.ok(repeats <= kills * groupBatches, `${repeats} repeats`);
    }
  });
});
