import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EngineClock } from '../../../../src/snmp/usm/engine/engine-clock.ts';
import { EngineTable } from '../../../../src/snmp/usm/engine/engine-table.ts';

const id = Buffer.from('8000000001', 'hex');

describe('EngineTable', () => {
  it('keeps a clock per address of a shared engine ID, and reports the ID', () => {
    const table = new EngineTable();
    table.confirm('192.0.2.1:161', id, new EngineClock(9, 5000, 0), 0);
    table.confirm('192.0.2.2:161', id, new EngineClock(2, 10, 0), 0);
    assert.equal(table.find('192.0.2.1:161')?.clock.boots, 9);
    assert.equal(table.find('192.0.2.2:161')?.clock.boots, 2);
    const findings = table.findings();
    assert.deepEqual(
      findings.map(({ code, addresses }) => ({ code, addresses })),
      [{ code: 'engine-id-shared', addresses: ['192.0.2.1:161', '192.0.2.2:161'] }],
    );
    assert.match(findings[0]!.message, /The engine ID 8000000001 is in use at 2 addresses/);
  });

  it('drops the oldest engine when it is full', () => {
    const table = new EngineTable(2);
    for (const address of ['a', 'b', 'c']) table.confirm(address, id, new EngineClock(1, 1, 0), 0);
    assert.equal(table.find('a'), undefined);
    assert.notEqual(table.find('c'), undefined);
    table.forget('c');
    assert.equal(table.find('c'), undefined);
  });

  it('replaces the engine ID and the clock of an address', () => {
    const table = new EngineTable();
    table.confirm('a', id, new EngineClock(9, 9, 0), 0);
    table.confirm('a', Buffer.from('8000000002', 'hex'), new EngineClock(1, 1, 0), 0);
    assert.equal(table.find('a')?.clock.boots, 1);
    assert.deepEqual(table.findings(), []);
  });

  it('ignores invalid stored state', () => {
    const table = new EngineTable();
    const sound = { address: 'a', engineId: '8000000001', boots: 3, startedAtMs: 1000 };
    table.restoreState(
      [
        { ...sound, engineId: '' },
        { ...sound, engineId: 'ff'.repeat(33) },
        { ...sound, boots: -1 },
        { ...sound, boots: 1.5 },
        { ...sound, startedAtMs: 99_000_000 },
        { ...sound, startedAtMs: Number.NaN },
      ],
      0,
      61_000,
    );
    assert.equal(table.find('a'), undefined);
    table.restoreState([sound], 0, 61_000);
    assert.equal(table.find('a')?.clock.timeAt(0), 60);
    assert.deepEqual(table.exportState(0, 61_000), [sound]);
  });
});

describe('EngineClock', () => {
  it('advances between messages', () => {
    const clock = new EngineClock(1, 100, 5000);
    assert.equal(clock.timeAt(5000), 100);
    assert.equal(clock.timeAt(65_999), 160);
  });

  it('is set only by newer boots or a newer time', () => {
    const clock = new EngineClock(2, 100, 0);
    assert.equal(clock.admit(1, 500, 0), false);
    assert.equal(clock.admit(2, 90, 0), true);
    assert.equal(clock.timeAt(0), 100);
    assert.equal(clock.admit(2, 400, 0), true);
    assert.equal(clock.timeAt(0), 400);
    assert.equal(clock.admit(3, 0, 0), true);
    assert.deepEqual([clock.boots, clock.timeAt(0)], [3, 0]);
  });

  it('applies the time window to the second', () => {
    const clock = new EngineClock(1, 1000, 0);
    assert.equal(clock.admit(1, 850, 0), true);
    assert.equal(clock.admit(1, 849, 0), false);
  });

  it('admits nothing at the largest possible boots', () => {
    assert.equal(new EngineClock(0x7fffffff, 10, 0).admit(0x7fffffff, 10, 0), false);
  });
});
