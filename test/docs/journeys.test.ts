import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { repositoryRoot } from '../house/support/source-file.ts';

const maxBytes = 10_000;
const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');

describe('the map of the architecture', () => {
  const map = read('ARCHITECTURE.md');

  it('has four journeys of ten stops, each a name in its file', () => {
    const journeys = map.split(/^### /m).slice(1);
    assert.equal(journeys.length, 4);
    for (const journey of journeys) {
      const stops = [...journey.matchAll(/^\| (\d+) \| `(\w+)` \| \[[^\]]+\]\(([^)]+)\) \|/gm)];
      assert.deepEqual(
        stops.map(([, number]) => Number(number)),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      );
      for (const [, , name, path] of stops) {
        assert.match(
          read(path!),
          new RegExp(`\\b(class|function\\*?|const) ${name}\\b`),
          `${name} in ${path}`,
        );
      }
    }
  });

  it(`is read at a sitting: at most ${maxBytes} bytes`, () => {
    assert.ok(Buffer.byteLength(map) <= maxBytes, String(Buffer.byteLength(map)));
  });
});
