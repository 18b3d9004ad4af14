import { env } from 'node:process';
import { createManager, createNetSnmpEngine, type SnmpEngine, type SnmpSession } from '../../snmp/index.ts';
import { usageFailure } from '../cli-errors.ts';
import { parseCredentials } from './options/credentials.ts';
import { parseTiming, type RequestOptions } from './options/request-options.ts';
import { parseTargetAddress, resolveTarget } from './options/target-address.ts';

/** Opens a session with the options of the command line, and closes it in every case. */
export async function withSession<T>(
  target: string,
  options: RequestOptions,
  use: (session: SnmpSession) => Promise<T>,
): Promise<T> {
  const settings = { ...parseCredentials(options, env), ...parseTiming(options) };
  const openEngine = engines.get(options.engine ?? 'waywiser');
  if (openEngine === undefined) {
    throw usageFailure('OPTION_INVALID', { option: '--engine', expected: 'waywiser or net-snmp' });
  }
  const place = await resolveTarget(parseTargetAddress(target));
  const engine = await openEngine();
  try {
    return await use(engine.open({ ...settings, ...place }));
  } finally {
    engine.close();
  }
}

const engines: ReadonlyMap<string, () => Promise<SnmpEngine>> = new Map([
  ['waywiser', async () => createManager({ sockets: 1 })],
  ['net-snmp', () => createNetSnmpEngine()],
]);
