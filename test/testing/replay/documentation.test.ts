import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { healthyKnobs, parseRecording, startReplayAgent } from '../../../src/testing/index.ts';

const page = readFileSync(new URL('../../../docs/replay-agent.md', import.meta.url), 'utf8');
const [, knobs = '', counters = ''] = /## Knobs\n(.*?)\n## Values.*## Counters\n(.*)/s.exec(page) ?? [];

describe('docs/replay-agent.md', () => {
  it('has a row for every knob, with its default, and for nothing else', () => {
    const rows = knobs.split('\n').filter((line) => line.startsWith('| `'));
    const documented = rows.flatMap((row) => {
      const [names = '', defaults = ''] = row.split(' | ');
      const values = defaults.trim().split(', ');
      return Array.from(names.matchAll(/`(\w+)`/g), ([, name], i) => [name, values[i] ?? values[0]]);
    });
    const actual = Object.entries(healthyKnobs).map(([name, value]) => [name, shown(value)]);
    assert.deepEqual(Object.fromEntries(documented), Object.fromEntries(actual));
  });

  it('names every counter', async () => {
    await using agent = await startReplayAgent({ recording: parseRecording('') });
    for (const name of [...Object.keys(agent.counters), ...Object.keys(agent.counters.refused)]) {
      assert.ok(counters.includes(`\`${name}\``), name);
    }
  });
});

function shown(value: unknown): string {
  return Array.isArray(value) ? 'none' : String(value);
}
