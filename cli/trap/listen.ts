import { stderr, stdout } from 'node:process';
import { trapFailure } from '../../plugins/snmp-traps/commands.ts';
import { NotificationListeners } from '../../src/snmp/index.ts';
import { cliFailure } from '../cli-errors.ts';
import { chooseNaming } from '../snmp/naming.ts';
import type { RequestOptions } from '../snmp/options/request-options.ts';
import { withUsageErrors } from '../snmp/usage.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { TextOutput } from '../terminal/text-output.ts';
import { parseWholeNumber } from '../terminal/whole-number.ts';
import { chooseFormat } from './notification-lines.ts';
import { openReceiver } from './open-receiver.ts';

export interface ListenOptions extends RequestOptions {
  readonly port: string;
  readonly address: readonly string[];
  readonly count?: string;
}

const receiveBufferBytes = 4 << 20;
const reportRefusalsMs = 1_000;

/** `waywiser trap listen`: prints the notifications that come, and on stderr what was refused. Informs are answered. */
export function listen(options: ListenOptions): Promise<number> {
  return withUsageErrors(async () => {
    const port = parseWholeNumber(options.port, { option: '--port', least: 0, most: 65_535 });
    const count =
      options.count === undefined
        ? undefined
        : parseWholeNumber(options.count, { option: '--count', least: 1 });
    const format = chooseFormat(await chooseNaming(options), options.json === true);
    const output = new TextOutput(stdout);
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let printed = 0;
    const receiver = openReceiver(options, {
      onNotification(notification) {
        if (printed === count) return 'queue';
        printed++;
        void output.print(format(notification, new Date())).then((isOpen) => {
          if (!isOpen || printed === count) end();
        });
        return 'accepted';
      },
      send: (reply, listener, to, address) => listeners.send(reply, listener, to, address),
    });
    // Before they are open: the first datagram may come, and be answered, while the next one opens.
    const listeners = new NotificationListeners({
      listen: options.address.map((address) => ({ address, port })),
      receiveBufferBytes,
      onDatagram: (datagram, address, from, listener) => receiver.receive(datagram, address, from, listener),
    });
    await openListeners(listeners, options.address, port);
    const names = listeners.addresses.map((each) => `${each.address} port ${each.port}`).join(' and ');
    stderr.write(`Listening on ${names}. Ctrl-C ends it.\n`);
    const timer = setInterval(() => reportRefusals(receiver), reportRefusalsMs);
    await ended;
    clearInterval(timer);
    reportRefusals(receiver);
    listeners.close();
    return exitCodes.done;
  });
}

function reportRefusals(receiver: ReturnType<typeof openReceiver>): void {
  for (const { source, cause, count } of receiver.takeRecentDrops())
    stderr.write(`${source}: ${count} refused: ${refusalTexts[cause] ?? cause}\n`);
}

/** What a person can do about the causes that occur here. */
export const refusalTexts: Readonly<Record<string, string>> = {
  discovery: 'a question for an engine ID, which is no notification',
  malformed: 'not a valid SNMP notification',
  version: 'not SNMPv1, v2c or v3',
  pdu: 'neither a trap nor an inform',
  community: 'another community than that of -c',
  user: 'SNMPv3 with another user; name one with -u, -a, -A, -x and -X',
  level: "another security level than the user's",
  engine: 'SNMPv3 for another engine',
  digest: 'SNMPv3 with another authentication protocol or passphrase',
  time: 'SNMPv3 outside the time window',
  decryption: 'SNMPv3 with another privacy protocol or passphrase',
};

async function openListeners(
  listeners: NotificationListeners,
  addresses: readonly string[],
  port: number,
): Promise<void> {
  try {
    await listeners.listen();
  } catch (error) {
    const { code, address = addresses.join(', ') } = error as NodeJS.ErrnoException & { address?: string };
    if (code === 'EACCES') throw trapFailure('TRAP_PORT_PRIVILEGED', { port, address }, error);
    if (code === 'EADDRINUSE') throw trapFailure('TRAP_PORT_TAKEN', { port, address }, error);
    throw cliFailure('TRAP_ADDRESS_UNUSABLE', { address, reason: code ?? 'unknown' }, error);
  }
}
