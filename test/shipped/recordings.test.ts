import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createIndexDecoder } from '../../src/definitions/index/index-decoder.ts';
import { type ColumnNames, createDecoder } from '../../src/definitions/syntax/decode/column-decoder.ts';
import { findSyntax } from '../../src/definitions/syntax/syntax-table.ts';
import { gapCode } from '../../src/model/gap.ts';
import { missingShared, sharedPath } from '../support/needs.ts';
import { readRecordedColumns } from './recorded-columns.ts';
import { loadShippedDefinitions } from './shipped.ts';

const { objects, raw } = loadShippedDefinitions();
const columns = new Set(
  [...objects.values()].flatMap(({ attributes }) => [...attributes.values()].map(({ column }) => column)),
);
const written = [new URL('../recordings', import.meta.url), new URL('fixtures', import.meta.url)].map((url) =>
  fileURLToPath(url),
);

/** A device and an object or column for which its agent ignores the MIB or has no values. */
const excused = [
  // Short of columns in its IP tables, so that each one holds the values of another.
  'eaton-93e-80 IP-MIB::ipAddressEntry',
  'eaton-93e-80 IP-MIB::ipNetToPhysicalEntry',
  // A 0 too many behind the phase.
  'eaton-93e-80 MG-SNMP-UPS-MIB::upsmgInputPhaseEntry mginputVoltage',
  'eaton-93e-80 MG-SNMP-UPS-MIB::upsmgInputPhaseEntry mginputFrequency',
  'eaton-93e-80 MG-SNMP-UPS-MIB::upsmgInputPhaseEntry mginputCurrent',
  // Addresses as text with leading zeros, where octets belong.
  'brocade-fiber-channel IP-MIB::ipAddressEntry',
  // A switch blade that puts the rack into the index of its enclosure; the enclosure itself does not.
  'hpe-procurve-516733-b21 CPQRACK-MIB::cpqRackCommonEnclosureEntry',
  // One neighbour is managed by its MAC address, which is labelled by its arcs.
  'cisco-n5000 LLDP-MIB::lldpRemManAddrEntry',
  // “-inf” dBm of a module that no light reaches, which `missing` names.
  'brocade-fiber-channel FA-EXT-MIB::swSfpStatEntry swSfpRxPower',
  // A text where a counter belongs.
  'netapp-fas3270 SNMP-USER-BASED-SM-MIB::usmStats',
  // 0 for a TruthValue.
  'paloalto-pa-5000 IF-MIB::ifXEntry ifPromiscuousMode',
  'paloalto-pa-5000 IF-MIB::ifXEntry ifConnectorPresent',
  'windows-server-2003 HOST-RESOURCES-MIB::hrDiskStorageEntry hrDiskStorageRemoveble',
  'windows-server-2003 HOST-RESOURCES-MIB::hrFSEntry hrFSBootable',
];

describe('the shipped definitions beside written devices', async () => {
  describeDevices(await lookAtDevices(written));
});

const skip = missingShared('recordings');
describe('the shipped definitions beside recorded devices', { skip }, async () => {
  if (skip !== false) return;
  describeDevices(await lookAtDevices([sharedPath('recordings')]));
});

function describeDevices({ undecoded, uncut, undiscovered }: Findings): void {
  it('decode every value', () => assert.deepEqual(undecoded, []));
  it('label every row', () => assert.deepEqual(uncut, []));
  it('discover every table', () => assert.deepEqual(undiscovered, []));
}

interface Findings {
  readonly undecoded: string[];
  readonly uncut: string[];
  readonly undiscovered: string[];
}

async function lookAtDevices(folders: readonly string[]): Promise<Findings> {
  const findings: Findings = { undecoded: [], uncut: [], undiscovered: [] };
  for (const path of folders.flatMap(findRecordings)) {
    const recorded = await readRecordedColumns(path, columns);
    for (const { id, index, attributes, discoveryAttribute } of objects.values()) {
      const present = [...attributes.values()].filter(({ column }) => recorded.has(column));
      const place = `${basename(path).replace(/\.snmprec.*/, '')} ${id}`;
      if (present.length === 0) continue;
      if (excused.includes(place)) continue;
      const cut = createIndexDecoder(index, ({ column = '' }) => namesOf(column));
      for (const { name, column, syntax } of present) {
        if (excused.includes(`${place} ${name}`)) continue;
        const { instances, raw: values } = recorded.get(column)!;
        const gaps = new Uint8Array(values.count);
        createDecoder(findSyntax(syntax)!, namesOf(column)).decode(values, gaps);
        const isLabelled = index.length > 0 ? cut(instances).undecoded === 0 : instances.join() === '0';
        if (!isLabelled) findings.uncut.push(`${place} ${name}`);
        // An address that the device leaves empty is decoded: there is none.
        if (gaps.some((gap) => gap !== 0 && gap !== gapCode('empty')))
          findings.undecoded.push(`${place} ${name} as ${syntax}: ${gaps}`);
      }
      const discovering = attributes.get(discoveryAttribute ?? '');
      if (discovering !== undefined && !present.includes(discovering)) findings.undiscovered.push(place);
    }
  }
  return findings;
}

function findRecordings(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.includes('.snmprec'))
    .map((name) => join(folder, name));
}

function namesOf(column: string): ColumnNames {
  const table = raw.integerEnums.get(column) ?? raw.bitmapEnums.get(column);
  return {
    column: table && new Map(Object.entries(table).map(([key, text]) => [Number(key), text])),
    oids: raw.oidEnums,
  };
}
