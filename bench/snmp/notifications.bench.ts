import { parseNetwork } from '../../src/model/address-range.ts';
import { NotificationReceiver } from '../../src/snmp/index.ts';
import {
  operator,
  ownEngineId,
  secured,
  securedInform,
  senderEngineId,
  v2c,
} from '../../test/snmp/notifications/support/notification-lab.ts';
import { printFigure } from '../support/figure.ts';

/** CPU time of the receiver for one datagram, without the socket: accepted ones, and forged ones that it must refuse cheaply. */
const count = 20_000;
const unlimited = 1e9;

function open(learn = true): NotificationReceiver {
  return new NotificationReceiver({
    rights: {
      senders: [
        {
          name: 'all',
          from: [parseNetwork('192.0.2.0/24')!],
          versions: ['1', '2c', '3'],
          communities: ['public'],
        },
      ],
    },
    users: [{ key: 'ops', settings: operator }],
    engine: { id: ownEngineId, boots: 3 },
    engines: { learn, newPerSecond: unlimited },
    limits: { sourcePerSecond: unlimited, sourceBurst: unlimited },
    onNotification: () => 'accepted',
    send() {},
  });
}

function measure(
  name: string,
  datagrams: readonly Buffer[],
  {
    receiver = open(),
    from = '192.0.2.1',
    goalUs,
  }: { receiver?: NotificationReceiver; from?: string; goalUs?: number } = {},
): void {
  for (const datagram of datagrams.slice(0, 200)) receiver.receive(datagram, from, 50_000);
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) receiver.receive(datagrams[i % datagrams.length]!, from, 50_000);
  const { user, system } = process.cpuUsage(before);
  const { accepted, discovery, collapsed, dropped } = receiver.statistics();
  const causes = Object.fromEntries(
    Object.entries({ ...dropped, ...collapsed }).filter(([, each]) => each > 0),
  );
  const usEach = Math.round((100 * (user + system)) / count) / 100;
  const goal = goalUs === undefined ? {} : { goalUs, reached: usEach <= goalUs };
  printFigure(`notification: ${name}`, { usEach, ...goal, accepted, discovery, ...causes });
}

const traps = Array.from({ length: count }, (_, i) => v2c('TrapV2', i + 1));
const signed = Array.from({ length: count }, () => secured());
const wrong = { ...operator, authPassphrase: 'another-passphrase' };
measure('v2c trap', traps);
measure(
  'v2c inform',
  Array.from({ length: count }, (_, i) => v2c('InformRequest', i + 1)),
);
measure('v3 trap, SHA-256 and AES', signed);
measure(
  'v3 inform, SHA-256 and AES',
  Array.from({ length: count }, (_, i) => securedInform({ time: 0 }, i + 1)),
);
measure('unknown source', traps, { from: '198.51.100.1', goalUs: 10 });
measure('wrong community', [v2c('TrapV2', 1, 'wrong')]);
measure('v3 of an unknown engine', [secured()], { receiver: open(false), goalUs: 10 });
measure('v3 of an unknown user', [secured({ userName: Buffer.from('nobody') })], { goalUs: 10 });
const known = open();
known.receive(secured(), '192.0.2.1', 50_000);
measure('v3 with a wrong MAC, engine and user known', [secured({ user: wrong })], {
  receiver: known,
  goalUs: 20,
});
measure('v3 with a wrong MAC, engine unknown', [
  secured({ user: wrong, engineId: Buffer.concat([senderEngineId, Buffer.of(1)]) }),
]);
measure('copy', [v2c()]);
