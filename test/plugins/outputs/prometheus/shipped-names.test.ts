import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listSources } from '../../../../cli/definitions/coverage/list-sources.ts';
import { renderExposition } from '../../../../plugins/outputs/prometheus/exposition/exposition.ts';
import prometheus from '../../../../plugins/outputs/prometheus/index.ts';
import { LatestValues } from '../../../../plugins/outputs/prometheus/latest/latest-values.ts';
import { columnNamesFor, createDecoder, findSyntax } from '../../../../src/definitions/index.ts';
import { type Batch, type Column, pipelineToken } from '../../../../src/index.ts';
import { FamilyTable } from '../../../../src/output-kit/naming/family-table.ts';
import { createTestBatch, loadRecording, startReplayAgent } from '../../../../src/testing/index.ts';
import { loadShippedDefinitions, shippedDirectory } from '../../../shipped/shipped.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { isLong } from '../../../support/long-run.ts';
import { missingTool } from '../../../support/needs.ts';
import { startPolling } from '../../snmp-poller/support/poller-stack.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { parseExposition } from './exposition-parser.ts';

const recordings = fileURLToPath(new URL('../../../recordings', import.meta.url));
const shared = fileURLToPath(new URL('../../../../../shared/recordings', import.meta.url));

/** Says nothing if `promtool` has no complaint. */
function assertNoComplaint(text: string): void {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
}

const examples: Readonly<Record<Exclude<Column['kind'], 'number'>, object>> = {
  counter: { words: Uint32Array.of(7, 0) },
  boolean: { values: Uint8Array.of(1) },
  text: { values: ['text'] },
  list: { values: [[]] },
};

/** A batch for each shipped record, with every field of it. */
function batchesOfEverything(): Batch[] {
  const { compiled } = loadShippedDefinitions();
  const columns = new Map<string, Map<string, Column>>();
  for (const object of compiled.objects.values()) {
    const fields = columns.get(object.record) ?? new Map<string, Column>();
    columns.set(object.record, fields);
    for (const { column, fields: own, tag, metric, unit, description } of object.attributes.values()) {
      for (const { field, syntax, kind } of tag ? [] : own) {
        if (kind === 'none' || fields.has(field)) continue;
        const found = findSyntax(syntax)!;
        const decoder = createDecoder(found, columnNamesFor(compiled, syntax, column));
        const head = { field, metric, unit: unit ?? decoder.unit };
        const about = { description, names: decoder.names, isTime: found.reading === 'dateAndTime' };
        const values = kind === 'number' ? { values: Float64Array.of(1) } : examples[kind];
        fields.set(field, { ...head, about, kind, ...values } as Column);
      }
    }
  }
  const { timeMs } = createTestBatch();
  return [...columns].flatMap(([record, fields]) =>
    [timeMs, timeMs + 60_000].map((slotMs) => ({
      ...createTestBatch({ record, slotMs, timeMs: slotMs, intervalMs: 60_000 }),
      columns: [...fields.values()],
    })),
  );
}

function renderEverything(openMetrics: boolean): string {
  const latest = new LatestValues({
    families: new FamilyTable('snmp_'),
    stateSets: new Set(),
    staleIntervals: 3,
    timestamps: false,
  });
  const batches = batchesOfEverything();
  for (const batch of batches) latest.take(batch);
  const nowMs = batches.at(-1)!.timeMs;
  const settings = { openMetrics, timestamps: false, created: false, nowMs };
  return Array.from(renderExposition(latest.fresh(nowMs), settings), String).join('');
}

describe('the names of the shipped definitions', () => {
  it('have no fault that promtool knows, whatever a device has', { skip: missingTool('promtool') }, () => {
    assertNoComplaint(renderEverything(false));
  });

  it('come with the descriptions of their fields', () => {
    const known = batchesOfEverything().flatMap(({ columns }) =>
      columns.map(({ about }) => about!.description!),
    );
    for (const [name, { help, type }] of parseExposition(renderEverything(true), true)) {
      const isKnown = known.some((description) => help.startsWith(description.trim().replace(/\.$/, '')));
      assert.ok(isKnown || (type === 'info' && help.startsWith('Texts of ')), `${name}: ${help}`);
    }
  });

  it('are told apart by numbers only where two fields mean different things', () => {
    const names = [...parseExposition(renderEverything(true), true).keys()];
    assert.deepEqual(
      names.filter((name) => /_\d$/.test(name)),
      [],
    );
  });

  it('have no fault when recorded devices are polled with all of them', {
    skip: missingTool('promtool'),
  }, async (t: TestContext) => {
    const port = await findFreePort();
    const folder = new DefinitionFolder(t, {}, shippedDirectory);
    const groups = [...loadShippedDefinitions().compiled.objectGroups.keys()];
    folder.write('device_groups/all.yml', `all: { objects: auto, object_groups: [${groups.join(', ')}] }\n`);
    const files = listSources(
      [recordings, ...(isLong ? [shared] : [])].filter((path) => existsSync(path)),
    ).sources;
    const names = files.map((_, number) => `device-${number}`);
    const devices = await Promise.all(
      files.map(async (file, number) => {
        const agent = await startReplayAgent({ recording: await loadRecording(file) });
        t.after(() => agent.close());
        return `${names[number]}: { ip: 127.0.0.1, port: ${agent.port}, version: 2c, communities: [public] }\n`;
      }),
    );
    folder.write('defaults/device.yml', 'default: { timeout: 10000, device_groups: [all] }\n');
    folder.write('devices/recorded.yml', devices.join(''));
    const options = { port, delivery: { group_wait_ms: 0 } };
    const { collector, discovered, poll } = await startPolling(t, folder, {
      discovery: { starts_per_second: 1000 },
      more: [{ plugin: prometheus, options }],
    });
    await discovered();
    for (const name of [...names, ...names]) await poll(name);
    const { counters } = collector.getService(pipelineToken);
    while (counters.outputs['prometheus']!.queued > 0) await sleep(1);
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    assert.ok(text.split('\n').length > 2_000);
    for (const metric of ['sensor_temperature_celsius', 'processor_usage_ratio', 'storage_used_bytes'])
      assert.match(text, new RegExp(`^snmp_${metric}\\{`, 'm'));
    assertNoComplaint(text);
  });
});
