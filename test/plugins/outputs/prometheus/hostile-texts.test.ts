import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderExposition } from '../../../../plugins/outputs/prometheus/exposition/exposition.ts';
import { LatestValues } from '../../../../plugins/outputs/prometheus/latest/latest-values.ts';
import { FamilyTable } from '../../../../src/output-kit/naming/family-table.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { parseExposition } from './exposition-parser.ts';

/** UTF-8 has no lone surrogates: they are read as U+FFFD. */
const asLabel = (text: string) => Buffer.from(text.slice(0, 1024).replaceAll('\0', '\uFFFD')).toString();

describe('hostile texts in an exposition', () => {
  it('are only labels and states of their rows, in both formats', () => {
    const texts = Object.entries(hostileStrings);
    for (const openMetrics of [false, true]) {
      const families = new FamilyTable('snmp_');
      const latest = new LatestValues({
        families,
        stateSets: new Set(['state']),
        staleIntervals: 3,
        timestamps: true,
      });
      for (const [i, [, text]] of texts.entries()) {
        latest.take(
          createTestBatch({
            device: { name: text, ip: `192.0.2.${i}`, port: 161 },
            tags: { note: text },
            rows: [{ labels: { name: text }, values: { v: i, text, state: `${i}${text}` } }],
          }),
        );
      }
      const settings = { openMetrics, timestamps: false, created: false, nowMs: 0 };
      const exposition = Array.from(renderExposition(latest.fresh(0), settings), String).join('');
      const parsed = parseExposition(exposition, openMetrics);
      const [numbers, states, infos] = [...parsed.values()].map(({ samples }) => samples);
      assert.equal(parsed.size, 3);
      assert.equal(numbers!.length, texts.length);
      for (const [i, [attack, text]] of texts.entries()) {
        const own = { device: asLabel(text), note: asLabel(text), name: asLabel(text) };
        const { device, note, name } = numbers![i]!.labels;
        assert.deepEqual({ device, note, name }, own, attack);
        assert.equal(numbers![i]!.value, String(i));
        assert.equal(infos![i]!.labels['text'], asLabel(text), attack);
        const held = states!.filter(
          ({ labels, value }) => value === '1' && labels['address'] === `192.0.2.${i}:161`,
        );
        assert.deepEqual(
          held.map(({ labels }) => labels['snmp_state']),
          [asLabel(`${i}${text}`)],
          attack,
        );
      }
    }
  });
});
