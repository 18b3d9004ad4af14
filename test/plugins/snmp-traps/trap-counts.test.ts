import { deepEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TrapCounts } from '../../../plugins/snmp-traps/trap-intake.ts';

const devices = new Map<string, object>();
function deviceOf(name: string): object {
  const device = devices.get(name) ?? {};
  devices.set(name, device);
  return device;
}

const trap = (name: string, { device = 'sw1', isRegistered = true, isDefined = true } = {}) =>
  ({
    summary: { name, severity: 'error' },
    decoded: { definition: isDefined ? {} : undefined },
    subject: {
      device: isRegistered ? deviceOf(device) : undefined,
      ref: { name: device, ip: device, port: 161 },
      tags: { site: device },
    },
  }) as never;

describe('the counts of notifications', () => {
  it('have series only for registered devices and defined notifications; all else is `other`', () => {
    const counts = new TrapCounts();
    for (let time = 0; time < 3; time++) counts.add(trap('A::a'));
    counts.add(trap('1.3.6.1.4.1.32473.1', { isDefined: false }));
    counts.add(trap('1.3.6.1.4.1.32473.2', { isDefined: false }));
    for (let stranger = 0; stranger < 1_000; stranger++)
      counts.add(trap('A::a', { device: `x${stranger}`, isRegistered: false }));
    deepEqual(
      Array.from(counts.list(), ({ subject, counts: rows }) => [
        subject.ref.name,
        subject.tags,
        rows.map(({ name, count }) => [name, count]),
      ]),
      [
        [
          'sw1',
          { site: 'sw1' },
          [
            ['A::a', 3],
            ['other', 2],
          ],
        ],
        ['other', {}, [['A::a', 1_000]]],
      ],
    );
  });

  it('go on with the tags that a device has now', () => {
    const counts = new TrapCounts();
    const ref = { name: 'sw1', ip: '192.0.2.1', port: 161 };
    for (const site of ['old', 'new'])
      counts.add({
        summary: { name: 'A::a', severity: 'error' },
        decoded: { definition: {} },
        subject: { device: { site }, ref, tags: { site } },
      } as never);
    deepEqual(
      Array.from(counts.list(), ({ subject, counts: rows }) => [subject.tags, rows]),
      [[{ site: 'new' }, [{ name: 'A::a', severity: 'error', count: 2 }]]],
    );
  });
});
