import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RefusalLines } from '../../../plugins/snmp-traps/refusal-lines.ts';

function startLines() {
  const lines: string[] = [];
  const log = { warn: (_: unknown, message: string) => void lines.push(message) };
  return { lines, refusals: new RefusalLines(log as never) };
}

describe('the log lines about refused notifications', () => {
  it('are one a minute for each source and cause, and none for what is muted', () => {
    const { lines, refusals } = startLines();
    const drop = (cause: string, source = '192.0.2.1') => ({ source, cause, count: 3 }) as never;
    for (let second = 0; second < 120; second++)
      refusals.add([drop('community'), drop('muted')], 1_000_000 + 1_000 * second);
    refusals.add([drop('version'), drop('community', '192.0.2.2')], 1_120_000);
    deepEqual(
      lines.map((line) => line.slice(0, line.indexOf('. docs'))),
      [
        'Notifications of 192.0.2.1 are refused: community',
        'Notifications of 192.0.2.1 are refused: community',
        'Notifications of 192.0.2.1 are refused: version',
        'Notifications of 192.0.2.2 are refused: community',
      ],
    );
  });

  it('are few, however many addresses are invented', () => {
    const { lines, refusals } = startLines();
    for (let second = 0; second < 60; second++)
      refusals.add(
        Array.from(
          { length: 21 },
          (_, i) => ({ source: `10.0.${second}.${i}`, cause: 'source', count: 1 }) as const,
        ),
        1_000_000 + 1_000 * second,
      );
    equal(lines.length, 20);
  });
});
