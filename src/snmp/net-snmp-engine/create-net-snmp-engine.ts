import { type Clock, systemClock } from '../../timing/clock.ts';
import type { SnmpEngine } from '../session/snmp-session.ts';
import { MasterKeys } from '../usm/user/master-keys.ts';
import type { NetSnmpSession } from './net-snmp-session.ts';

/**
 * Creates the second engine: the npm package net-snmp behind Waywiser's session interface, with a guard around it. Use it to
 * compare when a device behaves strangely. It opens one socket per session and supports neither DES, AES-192 nor
 * contextEngineId.
 */
export async function createNetSnmpEngine(
  options: { readonly clock?: Clock | undefined } = {},
): Promise<SnmpEngine> {
  // Loaded only when needed: few collectors use the second engine.
  const { NetSnmpSession } = await import('./net-snmp-session.ts');
  const clock = options.clock ?? systemClock;
  const masterKeys = new MasterKeys();
  const sessions = new Set<NetSnmpSession>();
  return {
    open(target) {
      const session = new NetSnmpSession(target, clock, masterKeys, (closed) => sessions.delete(closed));
      sessions.add(session);
      return session;
    },
    close() {
      for (const session of [...sessions]) session.close();
    },
  };
}
