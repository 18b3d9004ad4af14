import { defineErrors, type Oid } from '../../../src/index.ts';
import { SnmpError, type SnmpSession, type Target, type Varbind } from '../../../src/snmp/index.ts';
import type { Device, DeviceRegistry } from '../../device-registry/service.ts';
import { resolveAddresses } from '../device-addresses.ts';
import { discoveryErrors } from '../errors.ts';

const failure = defineErrors(discoveryErrors);

/** A device with the settings that one discovery uses. */
export type Subject = Pick<Device, 'ref' | 'settings'>;

/** A device that answered. */
export interface ReachedDevice {
  readonly session: SnmpSession;
  readonly address: string;
  readonly credential: number;
  readonly sysObjectId: Oid | undefined;
  readonly sysUpTime: number | undefined;
  /** An OID that the device has answered. */
  readonly aliveOid: Oid;
}

export interface ReachTools {
  readonly registry: Pick<DeviceRegistry, 'getTargets'>;
  open(target: Target): Promise<SnmpSession>;
}

const sysObjectId = '1.3.6.1.2.1.1.2.0';
const sysUpTime = '1.3.6.1.2.1.1.3.0';

/**
 * Reads the identity of a device. Tries each credential once: first the one that answered last time, then the others in order.
 * Rejects with the failure of the first one when none answers.
 */
export async function reachDevice(
  device: Subject,
  lastCredential: number,
  { registry, open }: ReachTools,
  signal: AbortSignal,
): Promise<ReachedDevice> {
  const [address] = await resolveAddresses(device.ref);
  const targets = [...registry.getTargets(device, address).entries()];
  targets.sort(([a], [b]) => Number(b === lastCredential) - Number(a === lastCredential));
  const tryAll = async (oids: readonly Oid[], limit: (target: Target) => AbortSignal) => {
    let reason: unknown = failure('DISCOVERY_NO_CREDENTIAL', { device: device.ref.name });
    for (const [position, [credential, target]] of targets.entries()) {
      let session: SnmpSession | undefined;
      try {
        session = await open(target);
        const varbinds = await session.get(oids, { signal: limit(target) });
        return { session, address, credential, aliveOid: oids[0]!, ...readIdentity(varbinds) };
      } catch (error) {
        session?.close();
        signal.throwIfAborted();
        if (position === 0) reason = error;
      }
    }
    return { reason };
  };
  const reached = await tryAll([sysUpTime, sysObjectId], () => signal);
  if (!('reason' in reached)) return reached;
  if (!isTimeout(reached.reason)) throw reached.reason;
  // Some agents answer no request for one of the two. A device that is down should not be waited for much longer: one packet each.
  const onePacket = ({ timeoutMs = 2_000 }: Target) =>
    AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  for (const [oid, other] of [
    [sysUpTime, sysObjectId],
    [sysObjectId, sysUpTime],
  ] as const) {
    const partly = await tryAll([oid], onePacket);
    if ('reason' in partly) continue;
    partly.session.learnSilence(other);
    return partly;
  }
  throw reached.reason;
}

/** Whether no reply came to a request. */
function isTimeout(error: unknown): boolean {
  return error instanceof SnmpError && error.code === 'SNMP_TIMEOUT';
}

function readIdentity(varbinds: readonly Varbind[]): Pick<ReachedDevice, 'sysObjectId' | 'sysUpTime'> {
  const upTime = varbinds.find(({ oid }) => oid === sysUpTime);
  const id = varbinds.find(({ oid }) => oid === sysObjectId);
  return {
    sysObjectId: id?.type === 'ObjectIdentifier' && id.value !== '' ? id.value : undefined,
    sysUpTime: upTime?.type === 'TimeTicks' ? upTime.value : undefined,
  };
}
