import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { formatPairs, formatTable } from '../../../cli/terminal/table.ts';

describe('tables and pairs in a terminal', () => {
  const text = 'the device did not answer two requests in a row';

  it('wrap a last column that is too wide, and indent the following lines', () => {
    assert.deepEqual(linesOf(formatTable(['name', 'why'], [['sw', text]], 32)), [
      'name  why',
      'sw    the device did not answer',
      '      two requests in a row',
    ]);
    assert.deepEqual(linesOf(formatPairs([['state', text]], 31)), [
      'state  the device did not',
      '       answer two requests in a',
      '       row',
    ]);
  });

  it('stay on one line without a terminal, and where the column would become too narrow', () => {
    assert.deepEqual(linesOf(formatPairs([['state', text]], Number.POSITIVE_INFINITY)), [`state  ${text}`]);
    assert.deepEqual(linesOf(formatTable(['name', 'why'], [['sw', text]], 20)), [
      'name  why',
      `sw    ${text}`,
    ]);
  });

  it('do not count colours as width', () => {
    const red = `\u001b[31m${'x'.repeat(24)}\u001b[39m`;
    assert.deepEqual(linesOf(formatTable(['a', 'b'], [['1', red]], 27)), ['a  b', `1  ${'x'.repeat(24)}`]);
  });
});

function linesOf(text: string): string[] {
  return stripVTControlCharacters(text).split('\n');
}
