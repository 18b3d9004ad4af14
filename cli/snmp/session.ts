import {
  createManager,
  createNetSnmpEngine,
  type SnmpEngine,
  SnmpError,
  type SnmpSession,
  type Target,
} from '../../src/snmp/index.ts';
import { usageFailure } from '../cli-errors.ts';
import { openTargets } from './open-targets.ts';
import type { RequestOptions } from './options/request-options.ts';

/**
 * Opens a session with a device or an address that the command line names, or with one of `targets`, which are tried in order.
 * Closes it in every case.
 */
export async function withSession<T>(
  target: string | readonly [Target, ...Target[]],
  options: RequestOptions,
  use: (session: SnmpSession) => Promise<T>,
): Promise<T> {
  const openEngine = engines.get(options.engine ?? 'waywiser');
  if (openEngine === undefined) {
    throw usageFailure('OPTION_INVALID', { option: '--engine', expected: 'waywiser or net-snmp' });
  }
  const targets = typeof target === 'string' ? await openTargets(target, options) : target;
  const engine = await openEngine();
  try {
    return await use(await openAnswering(engine, targets));
  } finally {
    engine.close();
  }
}

/** A session with the first target that answers. A single one is not asked. */
async function openAnswering(
  engine: SnmpEngine,
  [first, ...others]: readonly [Target, ...Target[]],
): Promise<SnmpSession> {
  const session = engine.open(first);
  if (others.length === 0) return session;
  let reason: unknown;
  for (const each of [session, ...others.map((target) => engine.open(target))]) {
    try {
      await each.getNext([anyOid]);
      return each;
    } catch (error) {
      if (!(error instanceof SnmpError)) throw error;
      reason ??= error;
    }
  }
  throw reason;
}

const anyOid = '1.3.6.1';

const engines: ReadonlyMap<string, () => Promise<SnmpEngine>> = new Map([
  ['waywiser', async () => createManager({ sockets: 1 })],
  ['net-snmp', () => createNetSnmpEngine()],
]);
