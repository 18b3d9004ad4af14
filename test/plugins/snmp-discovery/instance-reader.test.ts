import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readInstances } from '../../../plugins/snmp-discovery/survey/instance-reader.ts';
import type { SnmpSession, WalkOptions } from '../../../src/snmp/index.ts';

describe('the walk of a table with many columns', () => {
  it('finds 20,000 rows in each column, and ends after a limit', async () => {
    let used: WalkOptions = {};
    const walk = { outcome: { requests: 0, varbinds: 0, partial: [] }, async *[Symbol.asyncIterator]() {} };
    const session: Pick<SnmpSession, 'walk'> = {
      walk(_, options = {}) {
        used = options;
        return walk;
      },
    };
    const columns = Array.from({ length: 14 }, (_, i) => `1.3.6.1.2.1.31.1.1.1.${i}`);
    await readInstances(session as SnmpSession, columns, new AbortController().signal);
    assert.ok((used.maxVarbinds ?? 100_000) >= 14 * 20_000, String(used.maxVarbinds));
    assert.ok(used.withinMs !== undefined && used.withinMs <= 600_000);
  });
});
