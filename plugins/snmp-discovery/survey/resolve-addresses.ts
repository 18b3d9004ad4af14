import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type DeviceRef, defineErrors, explainError } from '../../../src/index.ts';
import { discoveryErrors } from '../errors.ts';

const failure = defineErrors(discoveryErrors);

export function isHostName({ ip }: Pick<DeviceRef, 'ip'>): boolean {
  return isIP(ip.split('%')[0] ?? '') === 0;
}

/** The addresses of a device, the best first: those of a host name are asked for anew each time. */
export async function resolveAddresses(ref: DeviceRef): Promise<readonly [string, ...string[]]> {
  if (!isHostName(ref)) return [ref.ip];
  try {
    const found = await lookup(ref.ip, { all: true });
    const [first, ...others] = found.map(({ address }) => address);
    if (first === undefined) throw new Error('it has no address');
    return [first, ...others];
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : explainError(error);
    throw failure('DISCOVERY_NO_ADDRESS', { device: ref.name, host: ref.ip, reason });
  }
}
