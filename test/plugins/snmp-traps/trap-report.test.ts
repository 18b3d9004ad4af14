import { deepEqual } from 'node:assert/strict';
import { it } from 'node:test';
import { TrapReport } from '../../../plugins/snmp-traps/trap-report.ts';

it('drops are told once, also those of the system and those that a question of the API has read', async () => {
  const [first, second] = ['community', 'rate'].map((cause) => ({ source: '192.0.2.1', cause, count: 2 }));
  const reports = [
    { recentDrops: [first], listeners: [{ kernelDrops: 0 }, {}] },
    { recentDrops: [second], listeners: [{ kernelDrops: 5 }, { kernelDrops: 1 }] },
    { recentDrops: [], listeners: [{ kernelDrops: 5 }, { kernelDrops: 3 }] },
    { recentDrops: [], listeners: [{ kernelDrops: 5 }, { kernelDrops: 3 }] },
  ];
  const report = new TrapReport({ report: async () => reports.shift() as never });
  await report.fresh();
  deepEqual(await report.takeDrops(), [first, second, { source: 'kernel', cause: 'kernel', count: 6 }]);
  deepEqual(await report.takeDrops(), [{ source: 'kernel', cause: 'kernel', count: 2 }]);
  deepEqual(await report.takeDrops(), []);
});
