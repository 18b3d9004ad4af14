import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { onSignals } from '../../../cli/run/signals.ts';

describe('signals', () => {
  it('counts a Ctrl-C that arrives twice, from the terminal and from npm, as one', (t) => {
    const { calls, clock } = listen(t);
    process.emit('SIGINT', 'SIGINT');
    clock.nowMs = 40;
    process.emit('SIGINT', 'SIGINT');
    assert.deepEqual(calls, ['stop SIGINT']);
  });

  it('exits immediately with 128 + its number at a later signal', (t) => {
    const { calls, clock } = listen(t);
    process.emit('SIGINT', 'SIGINT');
    clock.nowMs = 400;
    process.emit('SIGTERM', 'SIGTERM');
    assert.deepEqual(calls, ['stop SIGINT', 'exit 143']);
  });
});

function listen(t: TestContext) {
  const calls: string[] = [];
  const clock = { nowMs: 0 };
  const release = onSignals(
    (signal) => calls.push(`stop ${signal}`),
    (code) => calls.push(`exit ${code}`),
    () => clock.nowMs,
  );
  t.after(release);
  return { calls, clock };
}
