import assert from 'node:assert/strict';

/** Fails with the differences, each with its record and row, at most 40 of them. */
export function assertSameRecords(
  actual: readonly string[],
  expected: readonly string[],
  message: string,
): void {
  if (actual.join('\n') === expected.join('\n')) return;
  const [now, before] = [pathsOf(actual), pathsOf(expected)];
  const gone = before.filter((path) => !new Set(now).has(path)).map((path) => `- ${path}`);
  const come = now.filter((path) => !new Set(before).has(path)).map((path) => `+ ${path}`);
  const differences = [...gone, ...come].sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1));
  const more = differences.length > 40 ? `\n… ${differences.length - 40} more` : '';
  const shown = differences.slice(0, 40).join('\n') || 'the order, or how often a row is there';
  assert.fail(`${message}:\n${shown}${more}`);
}

/** Every line with the lines that it is indented under. */
function pathsOf(lines: readonly string[]): string[] {
  const above: string[] = [];
  return lines.map((line) => {
    const depth = (line.length - line.trimStart().length) / 2;
    above.length = depth;
    above.push(line.trim());
    return above.join(' > ');
  });
}
