import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { load } from 'js-yaml';
import { isLong } from '../../support/long-run.ts';
import { missingShared, missingTool, sharedPath } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { seriesOf, startBoth } from './support/both-exporters.ts';

type Part = Readonly<Record<string, unknown>>;

/**
 * Series that differ, with the reason. The exporter of Debian reads a REAL as 0, cuts addresses after six octets and keeps the NULs at the
 * end of a text. Processes that began or ended while a device was recorded have some of their columns.
 */
const expectedDifferences = new RegExp(
  [
    '^laLoadFloat ',
    '^ifPhysAddress .*ifDescr=ib\\d',
    '^ubntStaName ',
    '^hrSWRun(?:ID|Parameters|Path|Status|Type) .*hrSWRunIndex=221[89]\\d',
    '^hrSWRunPerfMem hrSWRunIndex=24749$',
  ].join('|'),
);

const fewModules = ['if_mib', 'system', 'apcups', 'cisco_device', 'ucd_la_table', 'hrDevice'];
const fewDevices = ['apc-8641', 'cisco-c3750', 'brocade-fiber-channel', 'linux-unknown-002'];

describe('the modules of the public snmp.yml', {
  skip: missingShared('profiles') || missingShared('recordings') || missingTool('prometheus-snmp-exporter'),
}, () => {
  it('have the series of snmp_exporter for recorded devices', async (test) => {
    const folder = temporaryFolder(test);
    const file = './snmp_exporter/snmp.yml';
    execFileSync('tar', ['xJf', join(sharedPath('profiles'), 'profiles.tar.xz'), '-C', folder, file]);
    const { modules } = load(readFileSync(join(folder, file), 'utf8')) as {
      readonly modules: Readonly<Record<string, Part>>;
    };
    const names = isLong ? Object.keys(modules) : fewModules;
    const asModules = (read: (metric: Part) => Part) =>
      Object.fromEntries(names.map((name) => [name, asBefore(modules[name]!, read)]));
    const { scrape, startAgent } = await startBoth(
      test,
      asModules(withoutNewerKeys),
      asModules((metric) => metric),
    );
    const devices = isLong
      ? readdirSync(sharedPath('recordings')).filter((name) => name.endsWith('.snmprec.gz'))
      : fewDevices.map((name) => `${name}.snmprec.gz`);
    let compared = 0;
    let withScale = 0;
    const differences: string[] = [];
    for (const device of devices) {
      const agent = await startAgent(join(sharedPath('recordings'), device));
      for (const module of names) {
        const { theirs, scrapeOurs } = await scrape(agent, module);
        const plain = seriesOf(theirs.text);
        const expected = scaled(plain, modules[module]!);
        // It fails for series that are there twice; a device that has nothing is an error here.
        if (theirs.status !== 200 || Object.keys(expected).length === 0) continue;
        const found = seriesOf((await scrapeOurs()).text);
        for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
          compared++;
          if (plain[name] !== expected[name]) withScale++;
          if (!isSame(expected[name], found[name]) && !expectedDifferences.test(name))
            differences.push(`${device} ${module} ${name}: ${expected[name]}, here ${found[name]}`);
        }
      }
      await agent.close();
    }
    assert.deepEqual(differences, []);
    assert.ok(compared > (isLong ? 30_000 : 3_000), `${compared} series`);
    assert.ok(withScale > (isLong ? 30 : 0), `${withScale} series with another value by scale and offset`);
  });
});

/** A module in the form of the exporter that Debian has. */
function asBefore({ max_repetitions: _, metrics, ...module }: Part, read: (metric: Part) => Part): Part {
  return {
    ...module,
    version: 2,
    auth: { community: 'public' },
    metrics: (metrics as Part[]).map((metric) => read(metricBefore(metric))),
  };
}

function metricBefore(metric: Part): Part {
  const known = withNumbers(metric);
  const lists = Object.entries({ indexes: known['indexes'], lookups: known['lookups'] }).filter(
    ([, list]) => list !== undefined,
  ) as [string, Part[]][];
  return {
    ...known,
    ...Object.fromEntries(
      lists.map(([key, list]) => [key, list.map(key === 'lookups' ? plainLookup : withNumbers)]),
    ),
  };
}

/** Keys that the exporter of Debian does not know. */
function withoutNewerKeys(metric: Part): Part {
  const { scale: _, offset: __, datetime_pattern: ___, display_hint: ____, ...known } = metric;
  return known;
}

/** The series as the exporter serves them that knows `scale` and `offset`: it adds the offset after the multiplication. */
function scaled(series: Readonly<Record<string, number>>, module: Part): Record<string, number> {
  const metrics = new Map((module['metrics'] as Part[]).map((metric) => [metric['name'], metric]));
  return Object.fromEntries(
    Object.entries(series).map(([name, value]) => {
      const { scale = 1, offset = 0 } = metrics.get(name.split(' ')[0]!) ?? {};
      return [name, value * Number(scale) + Number(offset)];
    }),
  );
}

/** Equal but for the last digit of a product: 3 * 0.1 is 0.30000000000000004. */
function isSame(one: number | undefined, other: number | undefined): boolean {
  if (Object.is(one, other)) return true;
  return one !== undefined && other !== undefined && Math.abs(one - other) <= 1e-12 * Math.abs(one);
}

/** YAML has numbers as keys, which an object cannot have. */
function withNumbers(part: Part): Part {
  const values = part['enum_values'];
  if (values === undefined) return part;
  return {
    ...part,
    enum_values: new Map(Object.entries(values as Part).map(([key, name]) => [Number(key), name])),
  };
}

function plainLookup({ enum_values: names, ...lookup }: Part): Part {
  return names === undefined ? lookup : { ...lookup, type: 'gauge' };
}
