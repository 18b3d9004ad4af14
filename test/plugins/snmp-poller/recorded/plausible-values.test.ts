import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { WaywiserError } from '../../../../src/index.ts';
import { loadRecording, RecordingError, startReplayAgent } from '../../../../src/testing/index.ts';
import { shippedDirectory } from '../../../shipped/shipped.ts';
import { onlyLong } from '../../../support/long-run.ts';
import { missingShared, sharedPath } from '../../../support/needs.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { startPolling } from '../support/poller-stack.ts';
import { listImplausible } from './implausible-values.ts';
import { listMeasuredTwice } from './measured-twice.ts';
import { type ShownRecord, showBatch } from './shown-records.ts';

/** Pairs that measure two things whose names and values happen to agree, or one thing where no table can be left out. */
const twice = [
  // Supplies of ArubaOS-CX are also in ENTITY-SENSOR-MIB, which has the fans, and the other table has the states.
  'arubaWiredPSUInstantaneousPower and entPhySensorValue',
  // Two sensors of one chassis of OmniSwitch; the second is a scalar among processors and memory.
  'chasHardwareBoardTemp and healthDeviceTemperatureChasLatest',
  // What is set, and what is measured.
  'tdcmDispersion and tdcmDispersionSet',
  // What is demanded, and what is delivered.
  'airFMSysDXActualCoolDehum and airFMSysDXCoolingDmd',
  // Before and after a reset of the meter.
  'sdbDevOutMtKWhSubtotal and sdbDevOutMtKWhTotal',
  // A switch with one unit, a PDU with one phase, a rectifier that works alone.
  /^snAgentPoeGbl(\w+) and snAgentPoeUnit\1$/,
  /^pdug5Input(Current|PhasePower) and pdug5Input(PhaseCurrent|Power)$/,
  'rectifierOutputCurrentValue and rectifiersCurrentValue',
];

describe('the values of the shipped definitions', () => {
  it('are possible and measured once for every recorded device', {
    skip: missingShared('recordings') || onlyLong,
  }, async (t) => {
    const files = [
      ...listRecordings(sharedPath('recordings')),
      ...listRecordings(sharedPath('parity/recordings')),
    ];
    const found = { polled: 0, impossible: [] as string[], twice: new Set<string>() };
    for (let from = 0; from < files.length; from += 60)
      await t.test(`of the recordings from ${from}`, async (t) => {
        const some = await checkRecordings(t, files.slice(from, from + 60));
        found.polled += some.polled;
        found.impossible.push(...some.impossible);
        for (const pair of some.twice) if (!twice.some((known) => isSame(known, pair))) found.twice.add(pair);
      });
    assert.ok(found.polled > 20, `${found.polled} recordings`);
    assert.deepEqual(found.impossible, []);
    assert.deepEqual([...found.twice], []);
  });
});

function isSame(known: string | RegExp, pair: string): boolean {
  return typeof known === 'string' ? known === pair : known.test(pair);
}

/** Discovers and polls these devices by what they answer, and judges their values. */
async function checkRecordings(t: TestContext, files: readonly string[]) {
  const folder = new DefinitionFolder(t, {}, shippedDirectory);
  const names: string[] = [];
  const devices: string[] = [];
  for (const file of files) {
    const recording = await loadRecording(file).catch((error: unknown) => {
      if (error instanceof RecordingError) return undefined;
      throw error;
    });
    if (recording === undefined) continue;
    const agent = await startReplayAgent({ recording });
    t.after(() => agent.close());
    const name = basename(file).replace(/\.snmprec.*$/, '');
    names.push(name);
    devices.push(`"${name}": { ip: 127.0.0.1, port: ${agent.port}, version: 2c, communities: [public] }`);
  }
  folder.write('device_groups/any.yml', 'any: { objects: auto }\n');
  folder.write('defaults/device.yml', 'default: { timeout: 10000, device_groups: [any] }\n');
  folder.write('devices/recorded.yml', `${devices.join('\n')}\n`);
  const { discovered, poll } = await startPolling(t, folder, { discovery: { starts_per_second: 1000 } });
  await discovered();
  const found = { polled: names.length, impossible: [] as string[], twice: [] as string[] };
  for (const name of names) {
    const records = await poll(name).then((batches) => batches.map(showBatch), noneOfNothing);
    found.impossible.push(...listImplausible(name, records));
    found.twice.push(...listMeasuredTwice(records));
  }
  return found;
}

/** A recording may have nothing that is collected. */
function noneOfNothing(error: unknown): ShownRecord[] {
  if (error instanceof WaywiserError && error.code === 'POLL_NOT_PLANNED') return [];
  throw error;
}

function listRecordings(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /\.snmprec(\.gz)?$/.test(name));
  return names.sort().map((name) => join(folder, name));
}
