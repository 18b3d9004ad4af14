import { env } from 'node:process';
import { createManager, type Session } from '../../snmp/index.ts';
import { parseCredentials } from './options/credentials.ts';
import type { RequestOptions } from './options/request-options.ts';
import { parseTargetAddress, resolveTarget } from './options/target-address.ts';
import { parseTiming } from './options/timing.ts';

/** Opens a session as the command line says, and closes it whatever comes. */
export async function withSession<T>(
  target: string,
  options: RequestOptions,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const settings = { ...parseCredentials(options, env), ...parseTiming(options) };
  const place = await resolveTarget(parseTargetAddress(target));
  const manager = createManager({ sockets: 1 });
  try {
    return await use(manager.open({ ...settings, ...place }));
  } finally {
    manager.close();
  }
}
