import { readFileSync } from 'node:fs';
import { stderr, stdout } from 'node:process';
import { systemReasonOf } from '../../src/kernel/system-reason.ts';
import type { DropEntry, Notification } from '../../src/snmp/index.ts';
import { BerReader, messageFlag, readV3Message } from '../../src/snmp/internal.ts';
import type { Clock } from '../../src/timing/index.ts';
import { cliFailure } from '../cli-errors.ts';
import { chooseNaming } from '../snmp/naming.ts';
import type { RequestOptions } from '../snmp/options/request-options.ts';
import { withUsageErrors } from '../snmp/usage.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { TextOutput } from '../terminal/text-output.ts';
import { parseWholeNumber } from '../terminal/whole-number.ts';
import { type CapturedDatagram, readCapture } from './capture-file.ts';
import { refusalTexts } from './listen.ts';
import { chooseFormat } from './notification-lines.ts';
import { openReceiver } from './open-receiver.ts';

export interface DecodeOptions extends RequestOptions {
  readonly port?: string;
  /** Prints the records that a collector with this configuration makes. */
  readonly config?: string;
}

/** What is decoded: a datagram of a capture, or one without a place and time. */
type Input = Pick<CapturedDatagram, 'octets' | 'source' | 'sourcePort'> & { readonly time?: Date };

const trapPorts: ReadonlySet<number> = new Set([162, 1162]);

/** `waywiser trap decode HEX|FILE`: prints the notifications, or why one cannot be read; then the exit code is 1. */
export function decode(input: string, options: DecodeOptions): Promise<number> {
  return withUsageErrors(async () => {
    const isJson = options.json === true;
    const format =
      options.config === undefined
        ? chooseFormat(await chooseNaming(options), isJson)
        : await (await import('./record-lines.ts')).openRecordFormat(options.config, isJson);
    const output = new TextOutput(stdout);
    let refused = 0;
    for (const each of readInput(input, options)) {
      const result = decodeOne(each, options);
      if ('cause' in result) {
        refused++;
        const text = refusalTexts[result.cause] ?? result.cause;
        const what = each.time === undefined ? '' : `${each.time.toISOString()} ${each.source}: `;
        stderr.write(`${what}refused: ${text} (${result.cause})\n`);
      } else if (!(await output.print(format(result, each.time)))) {
        break;
      }
    }
    return refused === 0 ? exitCodes.done : exitCodes.failed;
  });
}

function* readInput(input: string, options: DecodeOptions): Iterable<Input> {
  const digits = input.replace(/^0x/, '').replace(/[\s:]/g, '');
  if (/^([0-9a-f]{2})+$/i.test(digits)) {
    yield { octets: Buffer.from(digits, 'hex'), source: '0.0.0.0', sourcePort: 0 };
    return;
  }
  const ports =
    options.port === undefined
      ? trapPorts
      : new Set([parseWholeNumber(options.port, { option: '--port', least: 1, most: 65_535 })]);
  try {
    for (const datagram of readCapture(readFileSync(input)))
      if (ports.has(datagram.targetPort)) yield datagram;
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : systemReasonOf(error);
    throw cliFailure('TRAP_INPUT_UNREADABLE', { input, reason }, error);
  }
}

/** Each one alone: a datagram is not compared with those before it, and is as old as it says. */
function decodeOne(
  { octets, source, sourcePort }: Input,
  options: RequestOptions,
): Notification | Pick<DropEntry, 'cause'> | { readonly cause: 'discovery' } {
  const header = readV3Message(new BerReader(), octets);
  const v3 = typeof header === 'string' ? undefined : header;
  let decoded: Notification | undefined;
  let nowMs = 0;
  // A message that asks for Reports is an inform: its engine is that of the receiver, for which the message is timely here.
  const isInform = v3 !== undefined && (v3.flags & messageFlag.reportable) !== 0;
  const id = v3 === undefined ? undefined : octets.subarray(v3.engineIdStart, v3.engineIdEnd);
  const receiver = openReceiver(options, {
    clock: { ...stoppedClock, now: () => nowMs },
    ...(isInform && id!.length > 0 ? { engine: { id: id!, boots: v3.boots } } : {}),
    onNotification(notification) {
      decoded = notification;
      return 'accepted';
    },
    send() {},
  });
  nowMs = (v3?.time ?? 0) * 1_000;
  receiver.receive(octets, source, sourcePort);
  return decoded ?? receiver.listDrops()[0] ?? { cause: 'discovery' };
}

const stoppedClock: Clock = { now: () => 0, wallNow: () => 0, setTimer: () => undefined, clearTimer() {} };
