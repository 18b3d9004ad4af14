import { stdout } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { normalizeOid } from '../../src/model/oid.ts';
import { createNotificationSender, type NotificationBody } from '../../src/snmp/index.ts';
import { usageFailure } from '../cli-errors.ts';
import { chooseNaming } from '../snmp/naming.ts';
import { parseCredentials } from '../snmp/options/credentials.ts';
import { parseTiming, type RequestOptions } from '../snmp/options/request-options.ts';
import { parseTargetAddress, resolveTarget } from '../snmp/options/target-address.ts';
import { withUsageErrors } from '../snmp/usage.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { counted } from '../terminal/plain-text.ts';
import { parseWholeNumber } from '../terminal/whole-number.ts';
import { parseVarbind } from './varbind-words.ts';

export interface SendOptions extends RequestOptions {
  readonly inform?: boolean;
  readonly rate?: string;
  readonly count: string;
  readonly engineId?: string;
}

const maxBoots = 0x7fffffff;
/** Seconds since 2020 never fall, so that a receiver takes the traps of one run after those of the run before. */
const epochMs = Date.UTC(2020, 0, 1);

/** `waywiser trap send TARGET NAME [OID=VALUE…]`: sends traps, or informs and waits for their answers. */
export function send(
  target: string,
  name: string,
  words: readonly string[],
  options: SendOptions,
): Promise<number> {
  return withUsageErrors(async () => {
    const count = parseWholeNumber(options.count, { option: '--count', least: 1 });
    const rate =
      options.rate === undefined
        ? Number.POSITIVE_INFINITY
        : parseWholeNumber(options.rate, { option: '--rate', least: 1 });
    const naming = needsDefinitions(name, words, options)
      ? await (await import('./definition-naming.ts')).openDefinitionNaming()
      : await chooseNaming(options);
    const oid = normalizeOid(naming.resolve(name));
    if (oid === undefined) throw usageFailure('TRAP_NAME_INVALID', { name, suggestion: '' });
    const body = {
      oid,
      varbinds: words.map((word) => parseVarbind(word, naming)),
      agentAddress: undefined,
      enterprise: undefined,
    };
    const address = await resolveTarget(parseTargetAddress(target, '162'));
    const settings = { ...parseCredentials(options, process.env), ...parseTiming(options), ...address };
    if (options.inform && settings.version === '1') throw usageFailure('TRAP_INFORM_NEEDS_V2C', {});
    const sender = createNotificationSender(settings, engineOf(options));
    try {
      await sendAll(count, rate, (uptime) => {
        const notification: NotificationBody = { ...body, uptime };
        return options.inform ? sender.inform(notification) : sender.trap(notification);
      });
    } finally {
      sender.close();
    }
    stdout.write(
      options.inform
        ? `${counted(count, 'inform')} acknowledged by ${sender.name}.\n`
        : `${counted(count, 'trap')} sent to ${sender.name}. Nobody answers a trap.\n`,
    );
    return exitCodes.done;
  });
}

/** Whether something is named, or has no type, and no MIB files say more. */
function needsDefinitions(name: string, words: readonly string[], { mibs }: SendOptions): boolean {
  if (mibs !== undefined) return false;
  return [name, ...words.map((word) => word.replace(/=.*$/s, ''))].some(
    (each) => normalizeOid(each) === undefined,
  );
}

function engineOf({ engineId }: SendOptions) {
  if (engineId === undefined) return {};
  const id = Buffer.from(engineId.replace(/^0x/, ''), 'hex');
  if (id.length < 5 || id.length > 32)
    throw usageFailure('OPTION_INVALID', {
      option: '--engine-id',
      expected: '5 to 32 octets in hexadecimal',
    });
  return { engine: { id, boots: Math.min(maxBoots, Math.floor((Date.now() - epochMs) / 1000)) } };
}

/** At even intervals, and without a limit one after the other. */
async function sendAll(
  count: number,
  rate: number,
  sendOne: (uptime: number) => Promise<unknown>,
): Promise<void> {
  const startedMs = performance.now();
  let uptime = 0;
  for (let i = 0; i < count; i++) {
    const waitMs = startedMs + (i * 1000) / rate - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    // SNMPv1 has no request id: a receiver takes the second of two traps with the same uptime for a copy.
    uptime = Math.max(uptime + 1, Math.floor(process.uptime() * 100));
    await sendOne(uptime);
  }
}
