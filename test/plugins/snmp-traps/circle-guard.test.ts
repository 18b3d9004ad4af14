import { deepEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CircleGuard } from '../../../plugins/snmp-traps/forwarding/circle-guard.ts';
import type { ReceivedNotification } from '../../../plugins/snmp-traps/receiving/wire-form.ts';

const notification = (source: string, uptime: number | undefined) =>
  ({
    oid: '1.3.6.1.6.3.1.1.5.4',
    uptime,
    source,
    agentAddress: '192.0.2.1',
    varbinds: [],
  }) as unknown as ReceivedNotification;

/** Whether each of the copies is stopped, which come one after the other with this pause. */
function stops(sources: readonly string[], uptime: number | undefined, pauseMs: number): boolean[] {
  const guard = new CircleGuard();
  return sources.map((source, i) => guard.hasCome(notification(source, uptime), i * pauseMs));
}

describe('a copy that comes back', () => {
  it('from a partner that is late by eleven seconds, or a minute, is not copied again', () => {
    for (const pauseMs of [11_000, 60_000])
      for (const uptime of [4_711, undefined])
        deepEqual(stops(['192.0.2.1', '192.0.2.9', '192.0.2.9'], uptime, pauseMs), [false, true, true]);
  });

  it('late and from the same source is copied four times', () => {
    deepEqual(stops(Array(6).fill('192.0.2.9'), 4_711, 11_000), [false, false, false, false, true, true]);
  });

  it('without sysUpTime and from the same source may be meant: each ten seconds it begins again', () => {
    deepEqual(stops(Array(6).fill('192.0.2.1'), undefined, 11_000), Array(6).fill(false));
    deepEqual(stops(Array(6).fill('192.0.2.1'), undefined, 10), [false, false, false, false, true, true]);
  });
});
