import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gapAt, valueAt } from '../../../src/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const shipped = Object.fromEntries(
  ['objects/hardware/entity-mib.yml', 'objects/hardware/entity-sensor-mib.yml'].map((name) => [
    name,
    readFileSync(new URL(`../../../definitions/${name}`, import.meta.url), 'utf8'),
  ]),
);

describe('values that are scaled by other columns of their row', () => {
  it('have their unit, for every prefix and precision, also next to values of another object', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/rack-sensors.snmprec' });
    const { readings } = await startSensors(t, agent.port, {
      'objects/better.yml': `BETTER-MIB::better:
  augments: ENTITY-MIB::entPhysicalEntry
  discovery_attribute: outletPower
  attributes:
    outletPower:
      oid: .1.3.6.1.4.1.32473.4.2.1.1.3
      syntax: Gauge32
      scale: { factor: 0.5 }
      sensor: { class: power, name: '{index}' }
      overrides: { object: 'ENTITY-SENSOR-MIB::entPhySensorEntry', attribute: entPhySensorValue }
`,
      'object_groups/better.yml': 'better: { objects: [BETTER-MIB::better] }\n',
    });
    const outlets = { 1: 55, 2: 110, 3: 165, 4: 220, 5: 0, 6: 330, 7: 385, 8: 440 };
    const sensors = { 10: 27.31, 11: 41.5, 12: 230.4, 13: 1912, 14: 49.98, 15: 2 };
    assert.deepEqual(await readings(), { ...outlets, ...sensors });
  });

  it('are gaps when a prefix or a precision is missing or invalid', async (t) => {
    const text = readFileSync(new URL('../../recordings/rack-sensors.snmprec', import.meta.url), 'utf8')
      .replace(/^1\.3\.6\.1\.2\.1\.99\.1\.1\.1\.2\.10\|.*\n/m, '')
      .replace(/^(1\.3\.6\.1\.2\.1\.99\.1\.1\.1\.2\.11\|2\|).*$/m, '$118')
      .replace(/^(1\.3\.6\.1\.2\.1\.99\.1\.1\.1\.3\.12\|2\|).*$/m, '$1-2')
      .replace(/^(1\.3\.6\.1\.2\.1\.99\.1\.1\.1\.3\.14\|2\|).*$/m, '$12147483647');
    const folder = new DefinitionFolder(t);
    folder.write('agent.snmprec', text);
    await using agent = await startReplayAgent({ recording: `${folder.path}/agent.snmprec` });
    const { readings } = await startSensors(t, agent.port);
    // A precision of −2 means that two digits are accurate; it does not scale.
    assert.deepEqual(await readings(), {
      10: 'decode',
      11: 'decode',
      12: 2304,
      13: 1912,
      14: 'decode',
      15: 2,
    });
  });
});

async function startSensors(t: Parameters<typeof startPolling>[0], port: number, files = {}) {
  const folder = new DefinitionFolder(t, {
    ...shipped,
    'defaults/object_types.yml': 'dynamic: { poll_interval: 60 }\nstatic: { poll_interval: 60 }\n',
    'object_groups/sensors.yml':
      'sensors: { objects: [ENTITY-MIB::entPhysicalEntry, ENTITY-SENSOR-MIB::entPhySensorEntry] }\n',
    'device_groups/sensors.yml': `sensors: { object_groups: [sensors${'object_groups/better.yml' in files ? ', better' : ''}] }\n`,
    ...files,
  });
  folder.writeDevices([{ name: 'rack', port, groups: 'device_groups: [sensors]' }]);
  const { poll, discovered } = await startPolling(t, folder);
  await discovered();
  return { readings };

  /** By sensor: the value, or the reason why it is missing. */
  async function readings(): Promise<Record<string, unknown>> {
    const batch = (await poll('rack')).find(({ record }) => record === 'sensor')!;
    const column = batch.columns.find(({ field }) => field === 'sensor.value')!;
    return Object.fromEntries(
      batch.rows.keys.flatMap((key, row) => {
        const index = key.split('.').at(-1)!;
        const value = valueAt(column, row) ?? gapAt(column, row);
        return value === 'noSuchInstance' ? [] : [[index, value]];
      }),
    );
  }
}
