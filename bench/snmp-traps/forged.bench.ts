import { join } from 'node:path';
import { messageFlag } from '../../src/snmp/usm/user/security-level.ts';
import { operator, pduOf, secured } from '../../test/snmp/notifications/support/notification-lab.ts';
import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { makeWorkshop, startFastAgent } from '../support/processes.ts';
import {
  buildFlood,
  everySeconds,
  type Flood,
  flood,
  interfaces,
  measureIdle,
  type Receiver,
  startBareSocket,
  startCollectorChild,
} from './flooded.ts';
import { seconds, sources, warmUp } from './rates.ts';

/**
 * What forged SNMPv3 traps cost a whole collector, in all its threads, beyond a socket that only counts the same datagrams. Four octets of each
 * datagram differ. All sources may use the user, so that the cheap checks of addresses and names do not help.
 */
const perSecond = 20_000;
/** A test holds Reports to that. */
const maxReportOctets = 128;
const round = (value: number) => Number(value.toFixed(1));
/** Addresses that `flood` sends from, and the users of the collector. */
const first = 65_536;
const traps = {
  senders: [{ name: 'all', from: ['127.2.0.0/16'], versions: ['3'], users: [operator.name] }],
  users: [
    {
      username: operator.name,
      authentication_protocol: operator.authProtocol,
      authentication_passphrase: '${env:BENCH_AUTH}',
      privacy_protocol: operator.privProtocol,
      privacy_passphrase: '${env:BENCH_PRIV}',
    },
  ],
};
process.env['BENCH_AUTH'] = operator.authPassphrase;
process.env['BENCH_PRIV'] = operator.privPassphrase;

const engineId = Buffer.from('80001f880473776974636831', 'hex');
const trap = secured({ engineId });
const wrong = secured({ engineId, user: { ...operator, authPassphrase: 'another-passphrase' } });
const unknownUser = secured({ engineId, userName: Buffer.from('nobody') });
const probe = secured({
  engineId: Buffer.alloc(0),
  boots: 0,
  time: 0,
  flags: messageFlag.reportable,
  userName: Buffer.alloc(0),
  keys: {},
  pdu: pduOf('GetRequest', 0x01_00_00_00, []),
});
const lastOctetsOf = (message: Buffer, part: Buffer) => message.indexOf(part) + part.length - 4;
/** Behind the user's name: its tag and length, then the MAC. */
const macOf = (message: Buffer) => message.indexOf(operator.name) + operator.name.length + 2;
const forgeries: Readonly<
  Record<string, { readonly message: Buffer; readonly at: number; readonly goalUs?: number }>
> = {
  'of unknown engines': { message: wrong, at: lastOctetsOf(wrong, engineId), goalUs: 10 },
  'of an unknown user': {
    message: unknownUser,
    at: lastOctetsOf(unknownUser, Buffer.from('nobody')),
    goalUs: 10,
  },
  'with a wrong MAC, engine and user known': { message: wrong, at: macOf(wrong), goalUs: 20 },
  'that ask for our engine': { message: probe, at: probe.indexOf(Buffer.of(2, 4, 1, 0, 0, 0)) + 2 },
};

buildCode();
const workshop = makeWorkshop();
const program = buildFlood(workshop.folder);
const agent = await startFastAgent(workshop.folder, interfaces);
try {
  const own = await startCollectorChild(join(workshop.folder, 'own'), agent.port, traps);
  const idle = await measureIdle(own);
  const bare = await startBareSocket();
  // The sources become known, 200 a second at most, each with the engine. Octets behind the message are not sent.
  await flood(program, own, [
    { perSecond: sources / 5, seconds: 5, sources, first, uptime: 0, message: trap, at: trap.length },
  ]);
  const measure = async (receiver: Receiver, idleUsPerSecond: number, forged: Partial<Flood>) => {
    await warmUp(program, receiver, { first, ...forged });
    const what = { perSecond, seconds, sources, first, uptime: 0, ...forged };
    const { cpuUs, measuredSeconds, results, ...figures } = await flood(program, receiver, [what]);
    const { sent } = results[0]!;
    return { ...figures, sent, cpuUsEach: (cpuUs - idleUsPerSecond * measuredSeconds) / sent };
  };
  for (const [name, { message, at, goalUs }] of Object.entries(forgeries)) {
    const counted = await measure(bare, 0, { message, at });
    const refused = await measure(own, idle.cpuUs / everySeconds, { message, at });
    const beyondUs = round(refused.cpuUsEach - counted.cpuUsEach);
    printFigure(`forged SNMPv3 traps ${name}`, {
      perSecond,
      cpuUsEach: round(refused.cpuUsEach),
      bareSocketCpuUsEach: round(counted.cpuUsEach),
      beyondUs,
      ...(goalUs === undefined ? {} : { goalUs, reached: beyondUs <= goalUs }),
      accepted: refused.accepted,
      dropped: refused.dropped,
      kernelDrops: refused.kernelDrops,
      engines: refused.engines,
      memoryMiB: refused.memoryMiB,
      reports: refused.reports,
      reportOctetsAtMost: refused.reports! * maxReportOctets,
      octetsReceived: refused.sent * message.length,
    });
  }
  await bare.close();
  await own.close();
} finally {
  agent.process.kill();
  workshop.remove();
}
