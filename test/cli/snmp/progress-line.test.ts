import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProgressLine } from '../../../cli/snmp/record/progress-line.ts';

describe('the progress line of a recording', () => {
  it('is updated at most ten times per second, fits a terminal, and is cleared at the end', () => {
    const written: string[] = [];
    let nowMs = 0;
    const progress = new ProgressLine(
      (text) => written.push(text),
      () => nowMs,
    );
    for (nowMs = 0; nowMs < 1000; nowMs++) progress.show(nowMs * 1000, `1.3${'.4294967295'.repeat(20)}`);
    progress.clear();
    assert.equal(written.length, 11);
    assert.ok(written[9]!.startsWith('\r\x1b[K900000 varbinds in 0.9 s, at 1.3.4294967295.'), written[9]);
    assert.ok(written.every((text) => text.length < 84));
    assert.equal(written[10], '\r\x1b[K');
  });

  it('writes nothing without a terminal', () => {
    const progress = new ProgressLine(undefined, () => 0);
    progress.show(1, '1.3');
    progress.clear();
  });
});
