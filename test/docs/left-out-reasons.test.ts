import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { leftOutReasons } from '../../src/definitions/selection/left-out-reasons.ts';

it('docs/definitions.md lists every reason why something is not collected', () => {
  const page = readFileSync('docs/definitions.md', 'utf8');
  const [, section = ''] = page.split('### Why something is not collected', 2);
  const rows = [...section.split('\n## ', 1)[0]!.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)];
  deepEqual(Object.fromEntries(rows.map(([, word, meaning]) => [word, meaning])), { ...leftOutReasons });
});
