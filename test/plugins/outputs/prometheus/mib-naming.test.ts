import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { renderExposition } from '../../../../plugins/outputs/prometheus/exposition/exposition.ts';
import { LatestValues } from '../../../../plugins/outputs/prometheus/latest/latest-values.ts';
import type { Batch } from '../../../../src/index.ts';
import { FamilyTable } from '../../../../src/output-kit/naming/family-table.ts';
import { pollRecording } from '../../../../src/testing/index.ts';
import { loadShippedDefinitions, shippedDirectory } from '../../../shipped/shipped.ts';
import { type ParsedFamily, type ParsedSample, parseExposition } from './exposition-parser.ts';

const recordings = new URL('../../../recordings/', import.meta.url);

/** What the output serves with `naming: mib` after one poll of a recorded device. */
async function serve(name: string): Promise<Map<string, ParsedFamily>> {
  const recording = fileURLToPath(new URL(`${name}.snmprec`, recordings));
  polls[name] ??= pollRecording({ definitions: [shippedDirectory], recording });
  return render(await polls[name]);
}

const polls: Record<string, Promise<readonly Batch[]>> = {};

function render(batches: readonly Batch[]): Map<string, ParsedFamily> {
  const latest = new LatestValues({
    families: new FamilyTable('snmp_'),
    stateSets: new Set(),
    naming: 'mib',
    staleIntervals: 3,
    timestamps: true,
  });
  for (const batch of batches) latest.take(batch);
  const nowMs = batches[0]!.timeMs;
  const settings = { openMetrics: false, timestamps: false, created: false, nowMs };
  const text = Array.from(renderExposition(latest.fresh(nowMs), settings), String).join('');
  return parseExposition(text, false);
}

/** The numbers that the device sent, by the OID of their column. */
function readNumbers(name: string): Map<string, Set<number>> {
  const numbers = new Map<string, Set<number>>();
  for (const line of readFileSync(new URL(`${name}.snmprec`, recordings), 'utf8').split('\n')) {
    const [oid = '', type = '', value = ''] = line.split('|');
    if (!['2', '65', '66', '67', '70'].includes(type)) continue;
    const arcs = oid.split('.');
    for (let length = arcs.length - 1; length > 0; length--) {
      const column = arcs.slice(0, length).join('.');
      numbers.set(column, (numbers.get(column) ?? new Set()).add(Number(value)));
    }
  }
  return numbers;
}

function sample(families: Map<string, ParsedFamily>, name: string, ifIndex: string): ParsedSample {
  const found = families.get(name)?.samples.find(({ labels }) => labels['ifIndex'] === ifIndex);
  assert.ok(found !== undefined, `${name} of ${ifIndex}`);
  return found;
}

describe('the prometheus output with naming: mib', () => {
  it('names metrics and labels as the MIB does', async () => {
    const families = await serve('switch');
    const octets = families.get('ifHCInOctets')!;
    assert.equal(octets.type, 'counter');
    for (const { labels } of octets.samples) {
      for (const name of ['device', 'address', 'ifIndex', 'ifName', 'ifDescr', 'ifAlias']) {
        assert.ok(name in labels, `${name} in ${JSON.stringify(labels)}`);
      }
      assert.ok(!('object' in labels));
    }
  });

  it('serves states as their numbers, MAC addresses in capitals, and texts as labels of their own series', async () => {
    const families = await serve('switch');
    const [first] = families.get('ifHCInOctets')!.samples;
    const { ifIndex = '' } = first!.labels;
    assert.match(sample(families, 'ifOperStatus', ifIndex).value, /^[1-7]$/);
    assert.equal(families.get('ifOperStatus')!.type, 'gauge');
    const address = sample(families, 'ifPhysAddress', ifIndex);
    assert.equal(address.value, '1');
    assert.match(address.labels['ifPhysAddress']!, /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/);
  });

  for (const name of ['switch', 'host']) {
    it(`serves the numbers that the recorded ${name} sent, unscaled`, async () => {
      const columns = new Map<string, string>();
      const { compiled } = loadShippedDefinitions();
      for (const { attributes } of compiled.objects.values()) {
        for (const { name: attribute, column, syntax, scale } of attributes.values()) {
          // Texts as dates, and values that other columns of their row scale, are not the numbers that were sent.
          const isByRow = scale?.prefix !== undefined || scale?.precision !== undefined;
          if (syntax !== 'DateAndTime' && !isByRow) columns.set(attribute, column);
        }
      }
      const sent = readNumbers(name);
      let compared = 0;
      for (const [metric, { samples }] of await serve(name)) {
        const numbers = sent.get(columns.get(metric) ?? '');
        for (const { value, labels } of samples) {
          if (numbers === undefined || metric in labels) continue;
          assert.ok(numbers.has(Number(value)), `${metric} ${JSON.stringify(labels)} ${value}`);
          compared++;
        }
      }
      assert.ok(compared > 20, `${compared} values`);
    });
  }
});
