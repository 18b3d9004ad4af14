import { SecurityPeer } from '../usm/manager/security-peer.ts';
import type { EngineCore } from './engine-core.ts';
import { badTarget, type Target } from './target.ts';
import { Wire } from './wire.ts';

/** Checks what the target says about version, community and user. Throws SNMP_BAD_TARGET. */
export function openWire(core: EngineCore, target: Target, name: string): Wire {
  switch (target.version) {
    case '1':
      return new Wire(0, Buffer.from(target.community));
    case '2c':
      return new Wire(1, Buffer.from(target.community));
    case '3':
      try {
        const user = core.users.get(target.user);
        const { context: contextName, contextEngineId } = target;
        const peer = new SecurityPeer({ address: name, user, contextName, contextEngineId }, core.engines);
        return new Wire(3, undefined, peer);
      } catch (error) {
        if (error instanceof RangeError) throw badTarget(target, error.message.replace(/\.$/, ''), error);
        throw error;
      }
    default:
      throw badTarget(target, 'its version is none of 1, 2c and 3');
  }
}
