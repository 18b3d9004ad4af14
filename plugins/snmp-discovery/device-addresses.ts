import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type DeviceRef, defineErrors, explainError, type Inventory } from '../../src/index.ts';
import { systemReasonOf } from '../../src/kernel/index.ts';
import type { Device } from '../device-registry/service.ts';
import { discoveryErrors } from './errors.ts';

const failure = defineErrors(discoveryErrors);

function isHostName({ ip }: Pick<DeviceRef, 'ip'>): boolean {
  return isIP(ip.split('%')[0] ?? '') === 0;
}

/** The addresses of a device, the best first. A host name is resolved anew each time. */
export async function resolveAddresses(ref: DeviceRef): Promise<readonly [string, ...string[]]> {
  if (!isHostName(ref)) return [ref.ip];
  try {
    const found = await lookup(ref.ip, { all: true });
    const [first, ...others] = found.map(({ address }) => address);
    if (first === undefined) throw new Error('it has no address');
    return [first, ...others];
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? systemReasonOf(error) : explainError(error);
    throw failure('DISCOVERY_NO_ADDRESS', { device: ref.name, host: ref.ip, reason });
  }
}

export interface AddressTools {
  findInventory(device: Device): Inventory | undefined;
  /** The device's host name resolves to another address than the one it was discovered at. */
  onMoved(device: Device): void;
}

/** Checks whether the host names of silent devices resolve to other addresses now. */
export class AddressWatch {
  readonly #tools: AddressTools;
  #isChecking = false;

  constructor(tools: AddressTools) {
    this.#tools = tools;
  }

  /** Resolves one name after the other, because name servers may be slow. Does nothing while an earlier check goes on. */
  async check(devices: Iterable<Device>): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    for (const device of devices) {
      const known = isHostName(device.ref) ? this.#tools.findInventory(device)?.address : undefined;
      if (known === undefined) continue;
      // A name that does not resolve now may resolve at the next check.
      const found = await resolveAddresses(device.ref).catch(() => [known]);
      if (!found.includes(known)) this.#tools.onMoved(device);
    }
    this.#isChecking = false;
  }
}
