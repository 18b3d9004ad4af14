import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WatchedValues } from '../../../plugins/snmp-poller/device/watched-values.ts';
import type { Watch } from '../../../plugins/snmp-poller/plan/poll-plan.ts';
import { berTag, createPollColumns } from '../../../src/snmp/index.ts';

/** A new plan that reads these instances, and the columns of its poll. */
function poll(when: Watch['when'], values: Readonly<Record<string, number>>) {
  const instances = Object.keys(values);
  const columns = createPollColumns(instances.length);
  for (const [slot, instance] of instances.entries()) {
    columns.status[slot] = berTag.gauge32;
    columns.words[2 * slot] = values[instance]!;
  }
  const watch = { object: 'A::a', attribute: 'b', when, firstSlot: 0, instances };
  return [{ watches: [watch] }, columns] as const;
}

describe('watched values', () => {
  it('are compared row by row, also after a change of plans', () => {
    const watched = new WatchedValues();
    assert.equal(watched.compare(...poll('OnChange', { 1: 10, 2: 20 })), undefined);
    assert.equal(
      watched.compare(...poll('OnChange', { 2: 20, 3: 30 })),
      undefined,
      'a new row does not count as a change',
    );
    assert.equal(watched.compare(...poll('OnChange', { 3: 31 })), 'changed');
    assert.equal(watched.compare(...poll('OnReset', { 3: 32 })), undefined);
    assert.equal(watched.compare(...poll('OnReset', { 3: 5 })), 'reset');
  });

  it('keep no references to removed plans', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const watched = new WatchedValues();
    const rows = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [String(i + 1), i]));
    const usedAfter = (polls: number) => {
      for (let i = 0; i < polls; i++) watched.compare(...poll('OnChange', rows));
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = usedAfter(100);
    assert.ok(usedAfter(2_000) - before < 1_000_000);
  });
});
