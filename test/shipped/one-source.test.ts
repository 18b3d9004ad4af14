import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { coverage } from '../../cli/definitions/coverage/coverage.ts';
import { printed } from '../cli/support/printed.ts';
import { onlyLong } from '../support/long-run.ts';
import { missingShared, sharedPath } from '../support/needs.ts';
import { loadShippedDefinitions } from './shipped.ts';

const records: ReadonlySet<string> = new Set(['processor', 'memory', 'storage']);

/** Objects that measure different things, or one thing where neither has all of it. */
const together: readonly (readonly string[])[] = [
  // Memory and what is swapped out of it.
  ['CPQHOST-MIB::cpqHoMemory', 'CPQHOST-MIB::cpqHoPaging'],
  ['UCD-SNMP-MIB::memory', 'UCD-SNMP-MIB::memory.swap'],
  // Line cards and the cards that manage them, services units and the cards that hold them.
  ['F10-C-SERIES-CHASSIS-MIB::chLineCardUtilEntry', 'F10-C-SERIES-CHASSIS-MIB::chRpmUtilEntry'],
  [
    'JUNIPER-MIB::jnxOperatingEntry.processor',
    'JUNIPER-SRX5000-SPU-MONITORING-MIB::jnxJsSPUMonitoringObjectsEntry',
  ],
  [
    'JUNIPER-MIB::jnxOperatingEntry.memory',
    'JUNIPER-SRX5000-SPU-MONITORING-MIB::jnxJsSPUMonitoringObjectsEntry.memory',
  ],
  // Pools and what they give away: file systems, data sets, the sum of all pools.
  ['FREENAS-MIB::datasetEntry', 'FREENAS-MIB::zpoolEntry', 'HOST-RESOURCES-MIB::hrStorageEntry'],
  ['HOST-RESOURCES-MIB::hrStorageEntry', 'SYNOLOGY-RAID-MIB::raidEntry'],
  ['ISM-STORAGE-SVC-MIB::hwInfoStoragePoolEntry', 'ISM-STORAGE-SVC-MIB::system'],
  // Flash memory, which the other table does not list.
  ['HOST-RESOURCES-MIB::hrStorageEntry', 'ZYXEL-ES-COMMON::sysFlash'],
  // The average of a minute, and this moment.
  ['HOST-RESOURCES-MIB::hrProcessorEntry', 'TELTONIKA-OTD-MIB::device.processor'],
];

interface Collected {
  readonly source: string;
  readonly collected?: readonly { readonly object: string }[];
}

describe('processors, memory and storage of recorded devices', () => {
  it('come from one object each with `objects: auto`', {
    skip: missingShared('parity/recordings') || onlyLong,
  }, async (t) => {
    const folders = [sharedPath('recordings'), sharedPath('parity/recordings')];
    const lines = await printed(t, () => coverage(folders, { json: true, top: '0' }));
    const { objects } = loadShippedDefinitions();
    const known = new Set(together.map((ids) => ids.join()));
    const found = new Set<string>();
    const doubles = lines
      .trim()
      .split('\n')
      .flatMap((line): string[] => {
        const { source, collected = [] } = JSON.parse(line) as Collected;
        return [...records].flatMap((record) => {
          const ids = collected
            .map(({ object }) => object)
            .filter((id) => objects.get(id)?.record === record);
          if (ids.length < 2) return [];
          const key = ids.sort().join();
          found.add(key);
          return known.has(key) ? [] : [`${source}: ${key}`];
        });
      });
    assert.deepEqual(doubles, []);
    assert.deepEqual(
      [...known].filter((key) => !found.has(key)),
      [],
    );
  });
});
