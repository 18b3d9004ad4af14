import { deepEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import http from '../../../plugins/outputs/http/index.ts';
import { createNotificationSender } from '../../../src/snmp/index.ts';
import { findFreeUdpPorts } from '../../support/free-port.ts';
import { countsOf, startTraps } from './trap-stack.ts';

const traps = {
  senders: [{ name: 'all', from: ['127.0.0.1'], versions: ['2c'], communities: ['${env:C}'] }],
};

describe('informs to an output whose receiver is dead', () => {
  it('are answered while the queue has room, ten for each of max_queued_batches, and not after it', async (test) => {
    const [dead = 0] = await findFreeUdpPorts(1);
    const delivery = { max_queued_batches: 1, drop: 'newest' };
    const options = { url: `http://127.0.0.1:${dead}/`, delivery };
    const { collector, port } = await startTraps(test, {
      traps,
      env: { C: 'public' },
      more: [{ plugin: http, options }],
    });
    const target = { address: '127.0.0.1', port, version: '2c', community: 'public' } as const;
    const sender = createNotificationSender({ ...target, timeoutMs: 3_000, retries: 0 });
    test.after(() => sender.close());
    const nothing = { varbinds: [], agentAddress: undefined, enterprise: undefined };
    const answers: boolean[] = [];
    for (let uptime = 1; uptime <= 12; uptime++)
      answers.push(
        await sender.inform({ ...nothing, oid: '1.3.6.1.6.3.1.1.5.4', uptime }).then(
          () => true,
          () => false,
        ),
      );
    deepEqual(answers, [...Array(10).fill(true), false, false]);
    const counts = await countsOf(collector, ({ received }) => received === 12);
    deepEqual([counts.accepted, counts['dropped queue'], counts['informs unaccepted']], [10, 2, 2]);
  });
});
