import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { EngineComparison } from '../../../cli/snmp/engine-comparison.ts';
import { createManager, createNetSnmpEngine } from '../../../src/snmp/index.ts';
import { formatVarbind } from '../../../src/snmp/varbind-text.ts';
import {
  parseRecording,
  type ReplayAgent,
  type ReplayAgentOptions,
  startReplayAgent,
} from '../../../src/testing/index.ts';
import { CollectorProcess } from '../support/collector-process.ts';

const rows = (from: number, to: number, value: (row: number) => string) =>
  Array.from(
    { length: to - from + 1 },
    (_, i) => `1.3.6.1.2.1.2.2.1.10.${from + i}|${value(from + i)}\n`,
  ).join('');
const table = rows(1, 300, (row) => `65|${row}`);
const column = '1.3.6.1.2.1.2.2.1.10';

describe('waywiser compare', () => {
  it('finds no difference between the engines for one agent, and exits with 0', async (t) => {
    await using agent = await startReplayAgent({ recording: parseRecording(table) });
    const got = await run(t, agent, ['compare']);
    assert.deepEqual(got, {
      code: 0,
      stdout: '',
      stderr: '300 values compared: 0 differ, 0 changed during the walks.\n',
    });
  });

  it('shows both values and exits with 1 when the engines differ', async (t) => {
    const emptyOid = `${column}.1|65|1\n${column}.2|6|\n`;
    await using agent = await startReplayAgent({ recording: parseRecording(emptyOid) });
    const got = await run(t, agent, ['compare']);
    assert.deepEqual(got, {
      code: 1,
      stdout: `--- waywiser\n+++ net-snmp\n- .${column}.2 = OID: .0.0\n+ .${column}.2 = OID: .0.NaN\n`,
      stderr: '2 values compared: 1 differ, 0 changed during the walks.\n',
    });
  });

  it('names the engine that fails and exits with 1', async (t) => {
    const unknownToOne = `${column}.1|65|1\n${column}.2|71|5\n`;
    await using agent = await startReplayAgent({ recording: parseRecording(unknownToOne) });
    const got = await run(t, agent, ['compare', '-r0']);
    assert.equal(got.code, 1);
    assert.match(
      got.stderr,
      /^error: The engine net-snmp could not read \S+ to the end\. \[ENGINE_FAILED\]\n {2}because: \S/,
    );
  });

  it('shows different values, and rows that only one engine found', async (t) => {
    const other = rows(1, 1, () => '65|1') + rows(2, 2, () => '66|2') + rows(4, 9, (row) => `65|${row * 2}`);
    const { lines, comparison } = await compareAgents(
      t,
      { recording: parseRecording(rows(1, 6, (row) => `65|${row}`)) },
      { recording: parseRecording(other) },
    );
    assert.deepEqual(lines, [
      `.${column}.2 = Counter32: 2 | .${column}.2 = Gauge32: 2`,
      `.${column}.3 = Counter32: 3 | `,
      `.${column}.4 = Counter32: 4 | .${column}.4 = Counter32: 8`,
      `.${column}.5 = Counter32: 5 | .${column}.5 = Counter32: 10`,
      `.${column}.6 = Counter32: 6 | .${column}.6 = Counter32: 12`,
      ` | .${column}.7 = Counter32: 14`,
      ` | .${column}.8 = Counter32: 16`,
      ` | .${column}.9 = Counter32: 18`,
    ]);
    assert.deepEqual([comparison.compared, comparison.different, comparison.moved], [9, 8, 0]);
  });

  it('ignores counters that change during the walks', async (t) => {
    let asked = 0;
    const moving = { values: [{ under: column, at: () => asked++ }] };
    const { lines, comparison } = await compareAgents(
      t,
      { recording: parseRecording(table), knobs: moving },
      { recording: parseRecording(table), knobs: moving },
    );
    assert.deepEqual(lines, []);
    assert.equal(comparison.compared, 300);
    assert.ok(comparison.moved > 250);
  });
});

describe('--engine net-snmp', () => {
  it("prints the same as Waywiser's engine", async (t) => {
    await using agent = await startReplayAgent({ recording: parseRecording(table) });
    const ours = await run(t, agent, ['walk']);
    const theirs = await run(t, agent, ['walk', '--engine', 'net-snmp']);
    assert.deepEqual(theirs, ours);
    assert.equal(ours.stdout.split('\n').length, 301);
  });

  it('exits with 2 for an unknown engine', async (t) => {
    await using agent = await startReplayAgent({ recording: parseRecording(table) });
    const got = await run(t, agent, ['walk', '--engine', 'gosnmp']);
    assert.deepEqual(
      [got.code, got.stderr],
      [2, 'error: --engine takes waywiser or net-snmp. [OPTION_INVALID]\n'],
    );
  });
});

async function run(test: TestContext, agent: ReplayAgent, args: readonly string[]) {
  const command = new CollectorProcess(test);
  command.run([...args, '-t', '0.5', `${agent.address}:${agent.port}`, column]);
  const code = await command.exit;
  return { code, stdout: command.stdout, stderr: command.stderr };
}

/** Two agents with different values, one for each engine. */
async function compareAgents(test: TestContext, first: ReplayAgentOptions, second: ReplayAgentOptions) {
  await using ourAgent = await startReplayAgent(first);
  await using theirAgent = await startReplayAgent(second);
  const manager = createManager();
  const library = await createNetSnmpEngine();
  test.after(() => {
    for (const engine of [manager, library]) engine.close();
  });
  const [ours, theirs] = [
    manager.open({ version: '2c', community: 'public', address: ourAgent.address, port: ourAgent.port }),
    library.open({ version: '2c', community: 'public', address: theirAgent.address, port: theirAgent.port }),
  ];
  const comparison = new EngineComparison(ours!, theirs!, column);
  const lines: string[] = [];
  for await (const { ours, theirs } of comparison) {
    lines.push(
      [ours, theirs].map((varbind) => (varbind === undefined ? '' : formatVarbind(varbind))).join(' | '),
    );
  }
  return { lines, comparison };
}
