import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { onSignals } from '../../../src/cli/run/signals.ts';

describe('signals', () => {
  it('counts a Ctrl-C that arrives twice, from the terminal and from npm, as one', (t) => {
    const { told, clock } = listen(t);
    process.emit('SIGINT', 'SIGINT');
    clock.nowMs = 40;
    process.emit('SIGINT', 'SIGINT');
    assert.deepEqual(told, ['stop SIGINT']);
  });

  it('exits immediately with 128 + its number at a later signal', (t) => {
    const { told, clock } = listen(t);
    process.emit('SIGINT', 'SIGINT');
    clock.nowMs = 400;
    process.emit('SIGTERM', 'SIGTERM');
    assert.deepEqual(told, ['stop SIGINT', 'exit 143']);
  });
});

function listen(t: TestContext) {
  const told: string[] = [];
  const clock = { nowMs: 0 };
  const release = onSignals(
    (signal) => told.push(`stop ${signal}`),
    (code) => told.push(`exit ${code}`),
    () => clock.nowMs,
  );
  t.after(release);
  return { told, clock };
}
