import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { deviceRegistryToken } from '../../../plugins/device-registry/service.ts';
import { renderExposition } from '../../../plugins/outputs/prometheus/exposition/exposition.ts';
import { LatestValues } from '../../../plugins/outputs/prometheus/latest/latest-values.ts';
import { gapsRecord, healthRecord } from '../../../plugins/snmp-poller/health/health-records.ts';
import { HealthReporter } from '../../../plugins/snmp-poller/health/health-reporter.ts';
import { type Batch, rowsOf } from '../../../src/index.ts';
import { FamilyTable } from '../../../src/output-kit/index.ts';
import { createTestBatch, startReplayAgent } from '../../../src/testing/index.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const valuesOf = (batch: Batch | undefined) => (batch === undefined ? {} : [...rowsOf(batch)][0]!.values);

describe('the health of a device', () => {
  /** `sw` answers, `dead` never has, `off` is disabled. */
  async function startThree(t: TestContext, everySeconds = 1) {
    const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    t.after(() => agent.close());
    const folder = new DefinitionFolder(t);
    const devices = [
      { name: 'sw', port: agent.port, groups: 'device_groups: [switch], tags: { site: berlin }' },
      { name: 'dead', port: 9, groups: 'device_groups: [plain]' },
      { name: 'off', port: 10, groups: 'enabled: false' },
    ];
    folder.writeDevices(devices);
    const stack = await startPolling(t, folder, { poller: { health_every_s: everySeconds } });
    const { output, collector, device } = stack;
    await stack.discovered();
    const registry = collector.getService(deviceRegistryToken);
    return {
      ...stack,
      agent,
      folder,
      devices,
      report: (name: string, answered: boolean) =>
        registry.reportContact(device(name), answered ? { answered } : { answered, why: 'no reply' }),
      /** The next record about a device that is sent from now on. */
      async next(name: string, record = 'waywiser::device') {
        const before = output.batches.length;
        const find = (batches: readonly Batch[]) =>
          batches.slice(before).find((batch) => batch.device.name === name && batch.record === record);
        await output.waitFor((batches) => find(batches) !== undefined, { timeoutMs: 20_000 });
        return find(output.batches)!;
      },
    };
  }

  it('is sent while it is up, while it is down, and until it is removed', async (t) => {
    const { next, poll, report, folder, devices, definitions, output } = await startThree(t);
    await poll('sw');
    const up = await next('sw');
    const { 'poll.duration': duration, 'poll.last_success.timestamp': lastSuccess, ...rest } = valuesOf(up);
    assert.deepEqual(rest, { up: true });
    assert.ok(Number(duration) > 0 && Number(lastSuccess) * 1000 <= up.timeMs);
    assert.deepEqual(up.tags, { site: 'berlin' });

    for (let silence = 0; silence < 4; silence++) report('sw', false);
    for (let i = 0; i < 2; i++) {
      const down = valuesOf(await next('sw'));
      assert.equal(down['up'], false);
      assert.equal(down['poll.last_success.timestamp'], lastSuccess);
    }
    report('sw', true);
    assert.equal(valuesOf(await next('sw'))['up'], true, 'it is recovering');

    folder.writeDevices(devices.slice(1));
    await definitions.apply({ requestedBy: 'test' });
    const before = output.batches.length;
    for (let i = 0; i < 2; i++) await next('dead');
    assert.deepEqual(
      output.batches.slice(before).filter((batch) => batch.device.name === 'sw'),
      [],
    );
  });

  it('is sent for a device that has never answered, and not for one that is disabled', async (t) => {
    const { next, output } = await startThree(t);
    assert.deepEqual(valuesOf(await next('dead')), { up: false });
    assert.deepEqual(
      output.batches.filter(({ device }) => device.name === 'off'),
      [],
    );
  });

  it('counts missing values by reason', async (t) => {
    const { agent, next, poll } = await startThree(t);
    await poll('sw');
    agent.set({ isSilent: true });
    await poll('sw');
    const [gaps] = [...rowsOf(await next('sw', 'waywiser::deviceGaps'))];
    assert.deepEqual(gaps!.labels, { reason: 'timeout' });
    assert.ok(Number(gaps!.values['poll.gaps']) > 0);
  });

  it('is sent at once when its state changes', async (t) => {
    const { report, next } = await startThree(t, 100_000);
    const reported = next('sw');
    report('sw', false);
    assert.equal(valuesOf(await reported)['up'], false);
  });
});

describe('the series about health in Prometheus', () => {
  it('have a HELP text that says what they mean', () => {
    const latest = new LatestValues({
      families: new FamilyTable('snmp_'),
      stateSets: new Set(),
      staleIntervals: 3,
      timestamps: true,
    });
    const counters = { slowestPlanMs: 12, lastSuccessMs: 1_000, gaps: { timeout: 3 } } as never;
    latest.take({ ...createTestBatch(), ...healthRecord({ status: { state: 'up' } } as never, counters) });
    latest.take({ ...createTestBatch(), ...gapsRecord(counters, new Map()) });
    const settings = { openMetrics: false, timestamps: true, created: false, nowMs: 0 };
    const text = Buffer.concat(
      [...renderExposition(latest.fresh(0), settings)].map((chunk) => Buffer.from(chunk)),
    ).toString();
    const helps = text.split('\n').filter((line) => line.startsWith('# HELP'));
    assert.deepEqual(helps, [
      '# HELP snmp_up Whether the device answers SNMP requests: 1 if it does, 0 if it does not.',
      '# HELP snmp_poll_duration_seconds How long the last polls of the device took; that of its slowest interval.',
      '# HELP snmp_poll_last_success_timestamp_seconds When a poll of the device last returned a value.',
      '# HELP snmp_poll_gaps_total Values that polls of the device did not return since the start, by reason.',
    ]);
  });
});

describe('the reports of many devices', () => {
  it('are spread evenly over the interval, each device once', () => {
    const clock = new SimulatedClock();
    const devices = Array.from({ length: 1_000 }, (_, i) => ({
      ref: { name: `d${i}`, ip: '192.0.2.1', port: i },
      settings: {},
      status: { state: 'up' },
    }));
    const pushed: string[] = [];
    const reporter = new HealthReporter({
      registry: { size: devices.length, devices: (from: number) => devices.slice(from) } as never,
      poller: { deviceCounters: () => undefined },
      tools: {
        clock,
        push: ({ device }) => void pushed.push(device.name),
        isPaused: () => false,
        shards: { owns: () => true, epochOf: () => undefined },
        generation: () => 1,
        nextSequence: () => 1,
      },
      everyMs: 60_000,
    });
    reporter.begin();
    for (let second = 0; second < 60; second++) {
      const before = pushed.length;
      clock.pass(1_000);
      assert.ok([16, 17].includes(pushed.length - before), String(pushed.length - before));
    }
    assert.deepEqual(
      pushed,
      devices.map(({ ref }) => ref.name),
    );
    clock.pass(1_000);
    assert.deepEqual(pushed.slice(1_000), pushed.slice(0, pushed.length - 1_000));
    reporter.close();
  });
});
