import { type Clock, systemClock } from '../../timing/clock.ts';
import type { SnmpEngine } from '../session/snmp-session.ts';
import { MasterKeys } from '../usm/user/master-keys.ts';
import type { LibrarySession } from './library-session.ts';

/**
 * The second engine: the npm package net-snmp behind the sessions of our own, with a fence around it. An independent
 * opinion when a device behaves strangely. One socket a session; it knows neither DES nor AES-192 nor contextEngineId.
 */
export async function createNetSnmpEngine(
  options: { readonly clock?: Clock | undefined } = {},
): Promise<SnmpEngine> {
  // Loaded only where it is wanted: few collectors ever ask for a second opinion.
  const { LibrarySession } = await import('./library-session.ts');
  const clock = options.clock ?? systemClock;
  const masterKeys = new MasterKeys();
  const sessions = new Set<LibrarySession>();
  return {
    open(target) {
      const session = new LibrarySession(target, clock, masterKeys, (closed) => sessions.delete(closed));
      sessions.add(session);
      return session;
    },
    close() {
      for (const session of [...sessions]) session.close();
    },
  };
}
