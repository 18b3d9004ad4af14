import assert from 'node:assert/strict';

/** As `assert.equal`, but a failure shows the first line that differs instead of two megabytes. */
export function assertSameLines(actual: string, expected: string): void {
  if (actual === expected) return;
  const actualLines = actual.split('\n');
  const expectedLines = expected.split('\n');
  const at = expectedLines.findIndex((line, i) => line !== actualLines[i]);
  assert.equal(actualLines[at], expectedLines[at], `line ${at + 1}`);
  assert.equal(actualLines.length, expectedLines.length, 'lines');
}
