import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SessionTable } from '../../../plugins/web-page/sign-in/session-table.ts';

const owner = (name: string, isCurrent = () => true) => ({ name, role: 'read' as const, isCurrent });

function openTable() {
  const clock = { ms: 1_000_000 };
  return { clock, table: new SessionTable({ idleMs: 60_000, maxMs: 300_000 }, () => clock.ms) };
}

describe('the table of sessions', () => {
  it('ends a session that was not used, and one that is too old', () => {
    const { clock, table } = openTable();
    const unused = table.open(owner('ann'));
    const used = table.open(owner('ann'));
    clock.ms += 59_999;
    assert.ok(table.find(used));
    clock.ms += 1;
    assert.equal(table.find(unused), undefined);
    for (let i = 0; i < 4; i++) {
      assert.ok(table.find(used), `minute ${i}`);
      clock.ms += 55_000;
    }
    assert.ok(table.find(used));
    clock.ms = 1_300_000;
    assert.equal(table.find(used), undefined);
  });

  it('ends with the credential, with the sign-out, and for answers that still run', () => {
    const { clock, table } = openTable();
    let isValid = true;
    const id = table.open(owner('ann', () => isValid));
    const { isCurrent } = table.find(id)!;
    assert.ok(isCurrent());
    isValid = false;
    assert.ok(!isCurrent());
    assert.equal(table.find(id), undefined);
    const other = table.open(owner('bob'));
    const found = table.find(other)!;
    table.close(other);
    assert.ok(!found.isCurrent());
    const idle = table.find(table.open(owner('eve')))!;
    clock.ms += 60_000;
    assert.ok(!idle.isCurrent());
  });

  it('is bounded: at a limit the session ends that was not used for the longest time, of the same name first', () => {
    const { table } = openTable();
    const ofBob = table.open(owner('bob'));
    const first = table.open(owner('ann'));
    const second = table.open(owner('ann'));
    assert.ok(table.find(first));
    for (let i = 0; i < 49; i++) table.open(owner('ann'));
    assert.deepEqual([table.find(first), table.find(second), table.find(ofBob)].map(Boolean), [
      true,
      false,
      true,
    ]);
    for (let i = 0; i < 960; i++) table.open(owner(`name ${i}`));
    assert.ok(table.find(first));
    const ids = Array.from({ length: 1000 }, (_, i) => table.open(owner(`other ${i}`)));
    assert.equal(table.find(first), undefined);
    assert.equal(ids.filter((id) => table.find(id) !== undefined).length, 1000);
  });
});
