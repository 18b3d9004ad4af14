import { deepEqual, equal } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { ImportResult } from '../../../authoring/import/import-result.ts';
import { importProfiles } from '../../../authoring/import/profiles/import-profiles.ts';
import { importSnmpExporter } from '../../../authoring/import/snmp-exporter/import-snmp-exporter.ts';
import { readYamlSource } from '../../../authoring/import/source/read-source.ts';
import { readTomlSource } from '../../../authoring/import/source/read-toml.ts';
import type { SourceFile } from '../../../authoring/import/source/source-node.ts';
import { importTelegraf } from '../../../authoring/import/telegraf/import-telegraf.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const nothing = {
  indexes: new Map(),
  counters: new Map(),
  gauges: new Set<string>(),
  texts: new Map(),
  columns: new Map(),
  tables: new Map(),
  objectGroups: new Set<string>(),
  deviceGroups: new Set<string>(),
};

const entry = '1.3.6.1.4.1.63000.7.1.1';

/** A key that nobody knows in each map that an importer reads. */
const snmpYml = `
odd: 1
auths: { lab: { community: hidden, odd: 1 } }
modules:
  fans:
    odd: 1
    metrics:
      - name: fanHeat
        oid: ${entry}.2
        type: gauge
        odd: 1
        indexes: [{ labelname: fanIndex, type: gauge, odd: 1 }]
        lookups: [{ labels: [fanIndex], labelname: fanName, oid: ${entry}.3, type: DisplayString, odd: 1 }, { labels: [], labelname: fanIndex, odd: 1 }]
      - { name: fanText, oid: ${entry}.4, type: DisplayString, regex_extracts: { Rpm: [{ regex: '(.*)', value: '$1', odd: 1 }] } }
`;

const profile = `
odd: 1
selector: [{ sysobjectid: { include: [1.3.6.1.4.1.63000.*], odd: 1 }, odd: 1 }]
metrics:
  - odd: 1
    table: { OID: 1.3.6.1.4.1.63000.7.1, name: fanTable, odd: 1 }
    symbols: [{ OID: ${entry}.2, name: fanHeat, odd: 1 }]
    metric_tags:
      - { tag: fan, column: { OID: ${entry}.3, name: fanName, odd: 1 }, odd: 1 }
      - { tag: peer, symbol: { OID: 1.3.6.1.4.1.63000.9.1.1.2, name: peerName, odd: 1 }, index_transform: [{ start: 0, end: 0, odd: 1 }], odd: 1 }
metric_tags: [{ column: { OID: 1.3.6.1.2.1.1.5.0, name: sysName, odd: 1 }, odd: 1 }]
`;

const telegraf = `
odd = 1
[[inputs.snmp]]
  odd = 1
  agents = ["192.0.2.1"]
  [[inputs.snmp.field]]
    odd = 1
    oid = ".1.3.6.1.4.1.63000.1.1.0"
    name = "load"
  [[inputs.snmp.table]]
    odd = 1
    name = "fans"
    [[inputs.snmp.table.field]]
      odd = 1
      oid = ".${entry}.2"
      name = "heat"
`;

describe('a key that an importer does not know', () => {
  it('is refused with its place in every map of an snmp.yml', (test) =>
    checkNamed(test, snmpYml, readYamlSource, (sources) => importSnmpExporter(sources, () => false)));

  for (const dialect of ['kentik', 'datadog'] as const) {
    it(`is refused with its place in every map of a profile of ${dialect}`, (test) =>
      checkNamed(test, profile, readYamlSource, (sources) => importProfiles(dialect, sources, nothing)));
  }

  it('is refused with its place in every table of a telegraf.conf', (test) =>
    checkNamed(test, telegraf, readTomlSource, (sources) => importTelegraf(sources, nothing)));
});

async function checkNamed(
  test: TestContext,
  text: string,
  read: (path: string) => { readonly source?: SourceFile } | Promise<{ readonly source?: SourceFile }>,
  run: (sources: readonly SourceFile[]) => ImportResult,
): Promise<void> {
  const path = join(temporaryFolder(test), 'source');
  writeFileSync(path, text);
  const { source } = await read(path);
  const { refused } = run([source!]).report;
  const named = refused.filter(({ what }) => what === 'odd').map(({ line }) => line);
  const lines = text.split('\n').flatMap((line, at) => [...line.matchAll(/\bodd\b/g)].map(() => at + 1));
  deepEqual(
    named.sort((a, b) => a - b),
    lines,
  );
  equal(new Set(refused.map(({ line, column }) => `${line}:${column}`)).size, refused.length);
}
