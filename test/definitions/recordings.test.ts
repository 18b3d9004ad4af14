import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { cutIndex } from '../../src/model/definitions/index/index-arcs.ts';
import { rawTag } from '../../src/model/definitions/syntax/decode/raw-column.ts';
import type { Reading } from '../../src/model/definitions/syntax/syntax.ts';
import { findSyntax } from '../../src/model/definitions/syntax/syntax-table.ts';
import { missingShared, sharedPath } from '../support/needs.ts';
import { readRecordedColumns } from './recorded-columns.ts';
import { loadShippedDefinitions } from './shipped.ts';

const skip = missingShared('recordings');
const objects = [...loadShippedDefinitions().objects.values()];
const columns = new Set(
  objects.flatMap((object) => [...object.attributes.values()].map(({ column }) => column)),
);

/** Agents that do not keep to their MIB. */
const faulty = [
  // Two columns short in its IP tables, so that every column holds the values of another one.
  'eaton-93e-80 IP-MIB::ipAddressEntry',
  'eaton-93e-80 IP-MIB::ipNetToPhysicalEntry',
  // A switch blade that puts the rack into the index of its enclosure; the enclosure itself does not.
  'hpe-procurve-516733-b21 CPQRACK-MIB::cpqRackCommonEnclosureEntry',
  // Text where a counter should stand.
  'netapp-fas3270 SNMP-USER-BASED-SM-MIB::usmStats',
];

describe('the shipped definitions beside recorded devices', { skip }, async () => {
  const answered = new Set<string>();
  const badTypes: string[] = [];
  const badIndexes: string[] = [];
  const undiscovered: string[] = [];
  const files =
    skip === false ? readdirSync(sharedPath('recordings')).filter((file) => file.endsWith('.gz')) : [];
  for (const file of files) {
    const recorded = await readRecordedColumns(sharedPath(`recordings/${file}`), columns);
    for (const { id, index, attributes, discoveryAttribute } of objects) {
      const present = [...attributes.values()].filter(({ column }) => recorded.has(column));
      const place = `${file.replace('.snmprec.gz', '')} ${id}`;
      if (present.length === 0) continue;
      answered.add(id);
      if (faulty.includes(place)) continue;
      const types = index.map(({ type }) => type);
      for (const { name, column, syntax } of present) {
        const accepted = acceptedTags[findSyntax(syntax)!.reading];
        for (const { arcs, tag } of recorded.get(column) ?? []) {
          const isCut = index.length === 0 ? arcs.join('.') === '0' : cutIndex(types, arcs) !== undefined;
          if (!isCut) badIndexes.push(`${place} ${name} ${arcs.join('.')}`);
          if (accepted !== undefined && !accepted.includes(tag)) badTypes.push(`${place} ${name} ${tag}`);
        }
      }
      if (!present.some(({ name }) => name === (discoveryAttribute ?? name))) undiscovered.push(place);
    }
  }

  it('are answered by one of them in most of their objects', () => {
    assert.ok(answered.size > 160, String(answered.size));
  });

  it('take the types of values that devices send', () => {
    assert.deepEqual(badTypes, []);
  });

  it('cut every instance', () => {
    assert.deepEqual(badIndexes, []);
  });

  it('discover every table that a device has', () => {
    assert.deepEqual(undiscovered, []);
  });
});

const numbers = [rawTag.integer, rawTag.counter32, rawTag.gauge32, rawTag.timeTicks, rawTag.counter64];
const octets = [rawTag.octetString];

/** By what a syntax reads; nothing is said of the others. */
const acceptedTags: Readonly<Partial<Record<Reading, readonly number[]>>> = {
  number: numbers,
  counter: numbers,
  identifier: numbers,
  unsignedIdentifier: numbers,
  truth: numbers,
  names: numbers,
  octets,
  mac: octets,
  dateAndTime: octets,
  oid: [rawTag.objectIdentifier],
  oidNames: [rawTag.objectIdentifier],
  address: [rawTag.ipAddress, ...octets],
  bits: [...octets, ...numbers],
};
